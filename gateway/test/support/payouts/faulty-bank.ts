/**
 * A bank with one payout, driven by a seed. It responds or not, receives orders late or never, decides, reverses, and notifies
 * any number of times. An honest bank neither accepts an order that it denied nor changes its decision.
 */
import type { PayoutOrder, PayoutRail, RailStatus } from '../../../src/domain/payouts/payout-rail.ts';
import { type Instant, SECOND_MS } from '../../../src/foundation/clock.ts';
import type { Choices } from '../tools/seeded.ts';

type Standing = 'pending' | BankWord;
type BankWord = 'executed' | 'declined' | 'reversed';

const PROOF_MS = 5 * SECOND_MS;

export interface FaultyBank {
  readonly rail: PayoutRail;
  /** Notifications that were not delivered yet. */
  readonly reports: BankWord[];
  /** Returns the number of payments. */
  executions(): number;
  /** True if the bank has paid. */
  hasPaid(): boolean;
  /** Lets the bank make progress, or do nothing. */
  live(): void;
  /** Delivers and decides everything outstanding. From then on the bank responds to every call. */
  calmDown(): void;
}

export function createFaultyBank(name: string, isHonest: boolean, choices: Choices, now: () => Instant): FaultyBank {
  let standing: Standing | undefined;
  let arrivesAt: Instant | undefined;
  let executions = 0;
  let isCalm = false;
  const reports: BankWord[] = [];

  const happens = (oneIn: number) => !isCalm && choices.between(1, oneIn) === 1;

  function stand(next: Standing): void {
    standing = next;
    if (next === 'executed') executions += 1;
    if (next !== 'pending') reports.push(...Array<BankWord>(choices.between(isHonest ? 0 : 1, 2)).fill(next));
  }

  function accept(): void {
    standing ?? stand(choices.oneOf(['pending', 'pending', 'executed', 'declined']));
  }

  function look(): RailStatus {
    if (arrivesAt !== undefined && arrivesAt <= now()) accept();
    return statusOf(standing);
  }

  /** Delivers a late order within the period before "not found" becomes proof. */
  function arriveLate({ sendUntil }: PayoutOrder): void {
    arrivesAt ??= sendUntil + choices.oneOf([choices.between(-9 * SECOND_MS, PROOF_MS - 1), PROOF_MS - 1]);
  }

  function acceptAnd<Answer>(answer: Answer): Answer {
    accept();
    return answer;
  }

  const rail: PayoutRail = {
    name,
    methods: new Set([9]),
    simulated: true,
    notifies: true,
    concurrency: 8,
    timeoutMs: 10 * SECOND_MS,
    notFoundProofMs: PROOF_MS,
    askAfterMs: [SECOND_MS, 10 * SECOND_MS],
    async send(order) {
      const known = look();
      if (known.kind !== 'not_found') return known;
      if (happens(4)) return acceptAnd({ kind: 'unknown', reason: 'no response in time' });
      if (happens(6)) return { kind: 'unknown', reason: 'lost on its way' };
      if (happens(2)) {
        arriveLate(order);
        return { kind: 'unknown', reason: 'on its way' };
      }
      const notAccepted = { kind: 'not_accepted', reason: 'no connection' } as const;
      if (happens(3)) return isHonest || happens(3) ? notAccepted : acceptAnd(notAccepted);
      accept();
      const accepted = statusOf(standing);
      return accepted.kind === 'not_found' ? notAccepted : accepted;
    },
    async ask() {
      const known = look();
      if (happens(5)) return { kind: 'unknown', reason: 'HTTP 500' };
      return !isHonest && happens(8) ? { kind: 'not_found' } : known;
    },
  };

  return {
    rail,
    reports,
    executions: () => executions,
    hasPaid: () => standing === 'executed',
    live() {
      look();
      if (standing === 'pending' && happens(2)) stand(choices.oneOf(['executed', 'declined']));
      else if (standing === 'executed' && happens(3)) stand('reversed');
      else if (standing === 'declined' && !isHonest && happens(8)) stand('executed');
    },
    calmDown() {
      if (arrivesAt !== undefined) accept();
      if (standing === 'pending') stand('executed');
      isCalm = true;
    },
  };
}

function statusOf(standing: Standing | undefined): RailStatus {
  switch (standing) {
    case undefined:
      return { kind: 'not_found' };
    case 'declined':
      return { kind: standing, blockedReason: 'bank_declined', reason: 'no' };
    case 'reversed':
      return { kind: standing, reason: 'it came back' };
    default:
      return { kind: standing };
  }
}
