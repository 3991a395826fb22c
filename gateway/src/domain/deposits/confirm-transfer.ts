/**
 * A notification on an unauthenticated channel proves nothing. For a large amount, the gateway queries the bank and trusts
 * only its response. It queries before it receives the transfer, never inside a transaction. A low limit on concurrent queries
 * prevents a slow bank from delaying other notifications.
 */
import { type Clock, SECOND_MS } from '../../foundation/clock.ts';
import { type Deadline, withDeadline } from '../../foundation/deadline.ts';
import type { IncomingTransfer } from './deposit.ts';
import type { DepositStore } from './deposit-store.ts';
import { asNamesake } from './process-transfer.ts';

export type Confirmation =
  /** The transfer as the bank confirms it. */
  | { readonly kind: 'confirmed'; readonly transfer: IncomingTransfer }
  /** The bank lacks the transfer, has a different one, or did not respond. Reconciliation finds real money. */
  | { readonly kind: 'unconfirmed'; readonly reason: string };

/** Queries the bank about the notified transfer. Never throws. */
export type AskForTransfer = (deadline: Deadline) => Promise<Confirmation>;

interface ConfirmTransferParts {
  readonly store: Pick<DepositStore, 'findTransfer'>;
  readonly clock: Clock;
  /** The number of queries in flight, over all calls. */
  readonly queries: { inFlight: number };
  readonly onAsked: (rail: string, answer: Confirmation['kind'], latencyMs: number) => void;
}

/** Well within the time that the notifier waits for the gateway's response. */
export const ANSWER_WITHIN_MS = 5 * SECOND_MS;
/** A small part of the notifications that may be in flight concurrently. */
const MOST_WAITING = 16;

/**
 * `overloaded` means that too many queries are in flight, so the gateway did not query. It never queries a transfer that it
 * has already recorded.
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
 * A recorded transfer normally needs no confirmation, with two exceptions. A returned order that is already held may now
 * reverse a payout. The same key with a different address is different money.
 */
async function isRecorded(store: ConfirmTransferParts['store'], notified: IncomingTransfer): Promise<boolean> {
  if (notified.returnOf !== undefined) return false;
  const recorded = await store.findTransfer(notified);
  if (recorded === undefined || recorded.payTo === notified.payTo) return recorded !== undefined;
  return (await store.findTransfer(asNamesake(notified))) !== undefined;
}
