/**
 * What is told on a channel that nothing vouches for proves nothing: where much is at stake the bank is asked first, and
 * its own word is what counts. Asking waits for a network, so it comes before the transfer is received and never inside a
 * transaction; and so few wait at once that a bank which takes its time holds up no other notification.
 */
import { type Clock, SECOND_MS } from '../../foundation/clock.ts';
import { type Deadline, withDeadline } from '../../foundation/deadline.ts';
import type { IncomingTransfer } from './deposit.ts';
import type { DepositStore } from './deposit-store.ts';
import { asNamesake } from './take-transfer.ts';

export type Confirmation =
  /** As the bank itself has it. */
  | { readonly kind: 'confirmed'; readonly transfer: IncomingTransfer }
  /** It has none, or another, or did not say. Where the money is real, reconciliation brings it. */
  | { readonly kind: 'unconfirmed'; readonly reason: string };

/** Asks the bank for the transfer that was told of. Never throws. */
export type AskForTransfer = (deadline: Deadline) => Promise<Confirmation>;

/** `put_off`: too many wait for an answer already, and nothing was asked. A transfer that was recorded before needs none. */
export type ConfirmTransfer = (
  told: IncomingTransfer,
  ask: AskForTransfer,
) => Promise<Confirmation | { readonly kind: 'put_off' }>;

export interface ConfirmTransferParts {
  readonly store: Pick<DepositStore, 'findTransfer'>;
  readonly clock: Clock;
  readonly onAsked: (rail: string, answer: Confirmation['kind'], latencyMs: number) => void;
}

/** Well before whoever tells gives up waiting for our answer. */
export const ANSWER_WITHIN_MS = 5 * SECOND_MS;
/** Of the notifications that may be under way at once, a small part. */
const MOST_WAITING = 16;

export function createConfirmTransfer({ store, clock, onAsked }: ConfirmTransferParts): ConfirmTransfer {
  let waiting = 0;
  return async (told, ask) => {
    if (waiting >= MOST_WAITING) return { kind: 'put_off' };
    waiting += 1;
    try {
      if (await isRecorded(store, told)) return { kind: 'confirmed', transfer: told };
      const startedAt = clock.now();
      const answer = await withDeadline(clock, ANSWER_WITHIN_MS, ask);
      onAsked(told.rail, answer.kind, clock.now() - startedAt);
      return answer;
    } finally {
      waiting -= 1;
    }
  };
}

/**
 * What came back of an order may be held already and still reverse a payout now, so that it is recorded says nothing. Nor
 * does the key alone: to another address it would be money of its own.
 */
async function isRecorded(store: ConfirmTransferParts['store'], told: IncomingTransfer): Promise<boolean> {
  if (told.returnOf !== undefined) return false;
  const recorded = await store.findTransfer(told);
  if (recorded === undefined || recorded.payTo === told.payTo) return recorded !== undefined;
  return (await store.findTransfer(asNamesake(told))) !== undefined;
}
