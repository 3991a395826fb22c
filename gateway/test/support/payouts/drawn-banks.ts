/**
 * A bank for one payout, with drawn responses and its own book: whether it has the order and how often it paid. It records
 * whether it falsely denied having accepted the order.
 */
import type { PayoutOrder, PayoutRail, RailAnswer, RailStatus } from '../../../src/domain/payouts/payout-rail.ts';
import type { Instant } from '../../../src/foundation/clock.ts';
import { scriptedRail } from './scripted-rail.ts';

export const SENT = ['executed', 'declined', 'reversed', 'pending', 'not_accepted', 'unknown'] as const;
export const ASKED = ['executed', 'declined', 'reversed', 'pending', 'not_found', 'unknown'] as const;
export const NEWS = ['executed', 'declined', 'reversed'] as const;

const PAID: ReadonlySet<string> = new Set(['executed', 'reversed']);

export interface DrawnBehaviour {
  /** `pays` is true if the bank pays although the response does not say so. */
  readonly sends: readonly { readonly kind: (typeof SENT)[number]; readonly pays: boolean }[];
  readonly asks: readonly (typeof ASKED)[number][];
  /**
   * An honest bank reports its true state when a drawn response would deny an order that it has. It never pays an order that
   * it has denied.
   */
  readonly isHonest: boolean;
  readonly decidesWithinMs: number;
}

export interface DrawnBank {
  readonly rail: PayoutRail;
  /** Returns the number of payments. */
  executions(): number;
  /** True once the bank has denied an order that it had, or paid an order that it had denied. */
  hasLied(): boolean;
  /** The kinds of its responses, oldest first. */
  readonly answers: readonly string[];
  /** No bank reports an order that it never received, and no honest bank pays an order that it has denied. */
  canSay(event: (typeof NEWS)[number]): boolean;
  /** Sends an unsolicited notification. If the notification reports a payment and the bank has not paid, it pays. */
  notify(event: (typeof NEWS)[number]): void;
}

/** The last response of each kind of call repeats. */
export function createDrawnBank(name: string, drawn: DrawnBehaviour, now: () => Instant): DrawnBank {
  const { rail, script, sent, asked } = scriptedRail(name, {
    notifies: true,
    decidesWithinMs: drawn.decidesWithinMs,
  });
  let executions = 0;
  let isDenied = false;
  let hasLied = false;
  const answers: string[] = [];

  function deny(): void {
    isDenied = true;
    hasLied ||= executions > 0;
  }

  function answered<Answer extends RailAnswer | RailStatus>(answer: Answer): Answer {
    answers.push(answer.kind);
    return answer;
  }

  script.send = async () => {
    const said = lastOf(drawn.sends, sent.length);
    const kind = drawn.isHonest && said.kind === 'not_accepted' && executions > 0 ? 'unknown' : said.kind;
    const paysAsWell = said.pays && kind !== 'declined' && !(drawn.isHonest && kind === 'not_accepted');
    if (PAID.has(kind) || paysAsWell) executions += 1;
    isDenied = false;
    if (kind === 'not_accepted') deny();
    return answered(answerOf(kind));
  };
  script.ask = async ({ sendUntil }: PayoutOrder) => {
    // Until its own delay has passed, a bank may not find an order that it has.
    const isProof = now() >= sendUntil + rail.notFoundProofMs;
    const kind = trueOf(lastOf(drawn.asks, asked.length), isProof);
    if (PAID.has(kind)) pay();
    if (kind === 'not_found' && isProof) deny();
    return answered(kind === 'not_found' ? { kind } : answerOf(kind));
  };

  function trueOf(kind: (typeof ASKED)[number], isProof: boolean): (typeof ASKED)[number] {
    if (!drawn.isHonest) return kind;
    if (kind === 'not_found' && isProof && executions > 0) return 'executed';
    return PAID.has(kind) && executions === 0 && isDenied ? 'not_found' : kind;
  }

  /** A query or notification about a paid order does not pay it again. */
  function pay(): void {
    if (executions > 0) return;
    executions = 1;
    hasLied ||= isDenied;
  }

  return {
    rail,
    executions: () => executions,
    hasLied: () => hasLied,
    answers,
    canSay: (event) => sent.length > 0 && !(drawn.isHonest && isDenied && executions === 0 && PAID.has(event)),
    notify(event) {
      if (PAID.has(event)) pay();
    },
  };
}

function lastOf<Item>(items: readonly Item[], calls: number): Item {
  const item = items[Math.min(calls, items.length) - 1];
  if (item === undefined) throw new Error('a drawn bank has no response');
  return item;
}

function answerOf<Kind extends RailAnswer['kind']>(kind: Kind): Extract<RailAnswer, { kind: Kind }>;
function answerOf(kind: RailAnswer['kind']): RailAnswer {
  if (kind === 'executed' || kind === 'pending') return { kind };
  return kind === 'declined'
    ? { kind, blockedReason: 'bank_declined', reason: 'no' }
    : { kind, reason: `drawn: ${kind}` };
}
