/** Notifies the client of each change of a payout, until a 2xx accepts it. */
import { createHmac } from 'node:crypto';
import { Notifier } from '../kernel/notifier.ts';
import { jsonLetter } from '../kernel/retrying-sender.ts';
import type { BookEntry } from './book.ts';
import type { Status } from './conducts.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import type { Account, RazorpayXWorks } from './processing.ts';
import { payoutView, secondOf } from './views.ts';

const EVENTS: Readonly<Record<Status, string>> = {
  pending: 'payout.pending',
  queued: 'payout.queued',
  processing: 'payout.initiated',
  processed: 'payout.processed',
  reversed: 'payout.reversed',
  failed: 'payout.failed',
  rejected: 'payout.rejected',
  // RazorpayX has no separate event for it.
  cancelled: 'payout.updated',
};

function eventOf({ kind, status }: BookEntry): string {
  return kind === 'updated' ? 'payout.updated' : EVENTS[status];
}

export function createWebhooks(works: RazorpayXWorks, url: string, account: Account): Notifier<BookEntry> {
  const modeOf = ({ amount }: BookEntry) => faultsOf(works.faults, amount).notifications;
  return new Notifier<BookEntry>(works, {
    owner: 'RazorpayX',
    nameOf: (entry) => `${eventOf(entry)} of ${entry.id}`,
    subjectOf: ({ id }) => id,
    fault: modeOf,
    write(entry) {
      const mode = modeOf(entry);
      const body = JSON.stringify(eventBody(entry, account.accountNumber, mode));
      const signature = webhookSignature(
        body,
        mode === 'forged' ? `not ${account.webhookSecret}` : account.webhookSecret,
      );
      return jsonLetter(url, body, { 'x-razorpay-signature': signature, 'x-razorpay-event-id': `evt_${entry.seq}` });
    },
  });
}

export function webhookSignature(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

const OTHER_AMOUNT = 99_999_999;
const OTHER_REFERENCE = '99-FoReIgN1';

function eventBody(entry: BookEntry, accountNumber: string, mode: Faults['notifications']): object {
  const lie = {
    ...(mode === 'wrong_amount' ? { amount: OTHER_AMOUNT } : {}),
    ...(mode === 'foreign_reference' ? { reference_id: OTHER_REFERENCE } : {}),
  };
  return {
    entity: 'event',
    account_id: 'acc_00000000000001',
    event: eventOf(entry),
    contains: ['payout'],
    payload: { payout: { entity: { ...payoutView(entry, accountNumber), ...lie } } },
    created_at: secondOf(entry.at),
  };
}
