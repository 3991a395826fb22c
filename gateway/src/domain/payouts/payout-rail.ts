/** The port of a rail that carries payouts, and the closed set of its responses. */
import type { Clock, Instant } from '../../foundation/clock.ts';
import { createDeadlines, type Deadline, type Deadlines } from '../../foundation/deadline.ts';
import { invariant } from '../../foundation/invariant.ts';
import type { Money } from '../../foundation/money.ts';
import type { Secret } from '../../foundation/secret.ts';
import type { OwnPurpose, PayoutPurpose } from '../methods/payout-purpose.ts';
import type { BlockedReason, Payout } from './payout.ts';

/** A payout as a rail sees it. The rail reveals a card number only at the moment of writing. */
export interface PayoutOrder {
  /** Created before the first call, and used in every call about this payout at this rail. */
  readonly reference: string;
  /** `merchant/payout_id`: the text on the bank's statement. */
  readonly remittance: string;
  readonly purpose: PayoutPurpose;
  /** Null for one of the gateway's own payouts. */
  readonly method: number | null;
  readonly money: Money;
  /** The request's beneficiary fields by their API names, including `account`. */
  readonly beneficiary: Readonly<Record<string, string | Secret>>;
  /** The deadline of the latest attempt. Every earlier attempt was proved not accepted. */
  readonly sendUntil: Instant;
  /** The earliest time of a write, if that may be long before `sendUntil`. If undefined, it was shortly before. */
  readonly writtenFrom?: Instant;
  /** If true, a query may confirm a payout that the bank holds as a probable duplicate. The confirmation moves its money. */
  readonly mayConfirm?: boolean;
  /** True if the merchant requested a delayed result from the sandbox (setting `sandbox_mode` = delayed). */
  readonly delayed: boolean;
}

/**
 * - `executed`, `declined`: the bank's final response.
 * - `reversed`: the bank executed and then reversed it; the recipient has nothing.
 * - `pending`: the bank has accepted it and will decide. `note` explains the wait to users.
 * - `not_accepted`: proof that the bank did not accept it (rejected before acceptance, or no connection).
 * - `unknown`: anything else. A timeout is unknown, never failed.
 */
export type RailAnswer =
  | { readonly kind: 'executed' }
  | { readonly kind: 'declined'; readonly blockedReason: BlockedReason; readonly reason: string }
  | { readonly kind: 'reversed'; readonly reason: string }
  | { readonly kind: 'pending'; readonly note?: string }
  | { readonly kind: 'not_accepted'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** The bank's final outcome of a payout. Any other response leads to a next step. */
export type FinalAnswer = Extract<RailAnswer, { kind: 'executed' | 'declined' | 'reversed' }>;

export function isFinalAnswer(answer: RailAnswer | RailStatus): answer is FinalAnswer {
  return answer.kind === 'executed' || answer.kind === 'declined' || answer.kind === 'reversed';
}

/** `not_found` is proof only after the sender's deadline and the bank's own delay (`notFoundProofMs`). */
export type RailStatus = Exclude<RailAnswer, { kind: 'not_accepted' }> | { readonly kind: 'not_found' };

/** Restricts the accounts that a rail pays to a subset of those that its methods accept. */
interface PayableAccounts {
  /** Cards of this scheme only. */
  readonly scheme: string;
  /** `accountShown` is the account, or the mask of a card. */
  include(accountShown: string): boolean;
}

export interface PayoutRail {
  readonly name: string;
  /** The methods of merchants' payouts that this rail carries. */
  readonly methods: ReadonlySet<number>;
  /** The gateway's own payouts that this rail carries. If undefined, it carries none. */
  readonly ownPurposes?: ReadonlySet<OwnPurpose>;
  /** Methods for which this rail comes last if the method has no routes. */
  readonly fallbackFor?: ReadonlySet<number>;
  /** The accounts that the rail pays. If undefined, it pays every account of its methods. */
  readonly accounts?: PayableAccounts;
  /** Beneficiary fields that this rail requires and the API does not. A payout without one goes through another rail. */
  readonly needs?: readonly string[];
  /** True if the rail does not move real money. Merchants in test mode use only such rails. */
  readonly simulated: boolean;
  /** True if the bank also sends notifications. The gateway then keeps the rail's references in a directory. */
  readonly notifies: boolean;
  /** True if the provider has no daily list. Reconciliation then queries each payout. */
  readonly isReconciledByAsking?: boolean;
  /** The timeout of a call, after which the outcome is unknown. */
  readonly timeoutMs: number;
  /** How long after the last possible write a `not_found` proves that the bank never received the order. */
  readonly notFoundProofMs: number;
  /** The delays between status queries, by the number of queries so far. The last interval repeats. */
  readonly askAfterMs: readonly [number, ...number[]];
  /**
   * How long a payout may stay pending after its acceptance before the operator should query it. Defaults to
   * DECIDES_WITHIN_MS.
   */
  readonly decidesWithinMs?: number;
  /** The maximum number of payouts in flight at this rail, per process. */
  readonly concurrency: number;
  /**
   * Sends the order once, and writes nothing after the deadline. Never throws: a response that it cannot parse is `unknown`.
   */
  send(order: PayoutOrder, deadline: Deadline): Promise<RailAnswer>;
  /** Queries the status. Moves money only with `mayConfirm`. The order may contain a masked account, or none. Never throws. */
  ask(order: PayoutOrder, deadline: Deadline): Promise<RailStatus>;
  /**
   * Sends one of the gateway's own payouts again, with the key by which the bank recognises the repeat, because the bank does
   * not respond to queries about it. This moves money if the bank never received the order, so it is called only for an order
   * in flight whose row matches its seal. If undefined, the gateway calls `ask`. Never throws.
   */
  repeat?(order: PayoutOrder, deadline: Deadline): Promise<RailStatus>;
}

/** The calls that return the status of a payout. Only `repeat` may move its money. */
export type StatusCall = 'ask' | 'repeat';

/** Returns the call by which the gateway learns the outcome of such a payout. */
export function statusCallOf({ repeat }: Pick<PayoutRail, 'repeat'>, { purpose }: Pick<Payout, 'purpose'>): StatusCall {
  return repeat && purpose !== 'payout' ? 'repeat' : 'ask';
}

/** True if payouts of this purpose and method may use the rail. */
export function carries(
  { methods, ownPurposes }: Pick<PayoutRail, 'methods' | 'ownPurposes'>,
  { purpose, method }: Pick<Payout, 'purpose' | 'method'>,
): boolean {
  if (purpose !== 'payout') return ownPurposes?.has(purpose) ?? false;
  return method !== null && methods.has(method);
}

/**
 * True if the rail may have the payout. Routes change, and a merchant may repeat a payout without its former rail name, so any
 * rail of its method may have it. The gateway's own payouts, such as refunds, can use only one rail.
 */
export function mayHave(
  rail: Pick<PayoutRail, 'name' | 'methods' | 'ownPurposes'>,
  payout: Pick<Payout, 'purpose' | 'method' | 'rail'>,
): boolean {
  return rail.name === payout.rail || (payout.purpose === 'payout' && carries(rail, payout));
}

export type PayoutCall = 'send' | StatusCall;
export type AnswerTo<Call extends PayoutCall> = Call extends 'send' ? RailAnswer : RailStatus;

export interface PayoutCallParts {
  readonly clock: Clock;
  /** Deadlines that the calls of one rail share. If undefined, each call has its own. */
  readonly deadlines?: Deadlines;
  readonly onRailCall: (rail: string, call: PayoutCall, answer: string, latencyMs: number, reference: string) => void;
}

/** Makes one call to a payout rail, with its timeout and its metrics. */
export async function callPayoutRail<Call extends PayoutCall>(
  { clock, onRailCall, deadlines }: PayoutCallParts,
  rail: PayoutRail,
  call: Call,
  order: PayoutOrder,
): Promise<AnswerTo<Call>> {
  const startedAt = clock.now();
  const { within } = deadlines ?? createDeadlines(clock, rail.timeoutMs);
  const answer = await within<RailAnswer | RailStatus>((deadline) => {
    invariant(rail[call], `rail ${rail.name} does not repeat payouts`);
    return rail[call](order, deadline);
  });
  onRailCall(rail.name, call, answer.kind, clock.now() - startedAt, order.reference);
  return answer as AnswerTo<Call>;
}
