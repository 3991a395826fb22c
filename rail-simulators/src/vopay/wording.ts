/** The words in which VoPay says where a transaction stands: those of its description, or those of its list of events. */
import type { Status, Transaction } from './book.ts';
import type { Faults } from './faults.ts';

const ofEvents: Readonly<Partial<Record<Status, string>>> = {
  requested: 'sent',
  successful: 'complete',
};

export function wordFor({ status, failureReason }: Transaction, wording: Faults['wording']): string {
  if (wording === 'usual') return status;
  if (failureReason.startsWith('1 ')) return 'declined';
  if (failureReason.startsWith('3 ')) return 'expired';
  return ofEvents[status] ?? status;
}
