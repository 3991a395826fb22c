/**
 * A notification on an unauthenticated channel does not prove anything. For a large amount the gateway queries the bank, and
 * believes only its response. It asks before it receives the transfer, never inside a transaction. A low limit on concurrent
 * queries keeps a slow bank from delaying other notifications.
 */
import { type Clock, SECOND_MS } from '../../foundation/clock.ts';
import { type Deadline, withDeadline } from '../../foundation/deadline.ts';
import type { IncomingTransfer } from './deposit.ts';
import type { DepositStore } from './deposit-store.ts';
import { asNamesake } from './process-transfer.ts';

export type Confirmation =
  /** The transfer as the bank confirms it. */
  | { readonly kind: 'confirmed'; readonly transfer: IncomingTransfer }
  /**
   * The bank does not have the transfer, has a different transfer, or did not respond. If the money is real, reconciliation
   * finds it.
   */
  | { readonly kind: 'unconfirmed'; readonly reason: string };

/** Asks the bank for the notified transfer. Never throws. */
export type AskForTransfer = (deadline: Deadline) => Promise<Confirmation>;

interface ConfirmTransferParts {
  readonly store: Pick<DepositStore, 'findTransfer'>;
  readonly clock: Clock;
  /** Counts the queries in flight of all calls. */
  readonly queries: { inFlight: number };
  readonly onAsked: (rail: string, answer: Confirmation['kind'], latencyMs: number) => void;
}

/** Well within the time that the notifier waits for our response. */
export const ANSWER_WITHIN_MS = 5 * SECOND_MS;
/** A small part of the notifications that may be in flight concurrently. */
const MOST_WAITING = 16;

/**
 * `overloaded`: too many queries are in flight, and the gateway did not ask. It never queries a transfer that it
 * recorded earlier.
 */
export async function confirmTransfer(
  { store, clock, queries, onAsked }: ConfirmTransferParts,
  notified: IncomingTransfer,
  ask: AskForTransfer,
): Promise<Confirmation | { readonly kind: 'overloaded' }> {
  if (queries.inFlight >= MOST_WAITING) return { kind: 'overloaded' };
  queries.inFlight += 1;
  try {
    if (await isRecorded(store, notified)) return { kind: 'confirmed', transfer: notified };
    const startedAt = clock.now();
    const answer = await withDeadline(clock, ANSWER_WITHIN_MS, ask);
    onAsked(notified.rail, answer.kind, clock.now() - startedAt);
    return answer;
  } finally {
    queries.inFlight -= 1;
  }
}

/**
 * A recorded transfer normally does not need a confirmation. There are two exceptions. A returned order may be held already and
 * reverse a payout now. The same key at a different address is different money.
 */
async function isRecorded(store: ConfirmTransferParts['store'], notified: IncomingTransfer): Promise<boolean> {
  if (notified.returnOf !== undefined) return false;
  const recorded = await store.findTransfer(notified);
  if (recorded === undefined || recorded.payTo === notified.payTo) return recorded !== undefined;
  return (await store.findTransfer(asNamesake(notified))) !== undefined;
}
