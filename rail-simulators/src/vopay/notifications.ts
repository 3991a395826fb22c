/**
 * Notifies the client of a transaction's new status with three attempts, five minutes apart. A restart forgets unaccepted
 * webhooks, just as VoPay gives up after the third attempt.
 */
import { createHash } from 'node:crypto';
import { Notifier } from '../kernel/notifier.ts';
import { jsonLetter } from '../kernel/retrying-sender.ts';
import type { BookEntry } from './book.ts';
import type { Account, VoPayWorks } from './processing.ts';
import { timestampOf, wordFor } from './views.ts';

const MOST_ATTEMPTS = 3;
const OTHER_AMOUNT = '999999.99';
const OTHER_REFERENCE = '99-FoReIgN1';

export function createWebhooks(works: VoPayWorks, url: string, account: Account): Notifier<BookEntry> {
  const { faults, delays } = works;
  return new Notifier<BookEntry>(works, {
    owner: 'VoPay',
    nameOf: ({ id, status }) => `${id} ${status}`,
    subjectOf: ({ id }) => id,
    fault: () => faults.notifications,
    write: (entry) => jsonLetter(url, payloadOf(entry, works, account)),
    isAccepted: ({ status }) => status === 200,
    pace: { pausesMs: [delays.webhookPauseMs], mostAttempts: MOST_ATTEMPTS },
  });
}

export function validationKeyOf(transactionId: number, { sharedSecret }: Account): string {
  return createHash('sha1').update(`${sharedSecret}${transactionId}`).digest('hex');
}

function payloadOf(entry: BookEntry, { faults }: VoPayWorks, account: Account): object {
  const mode = faults.notifications;
  return {
    Success: true,
    Status: wordFor(entry, faults.wording),
    ID: entry.id,
    TransactionAmount: mode === 'wrong_amount' ? OTHER_AMOUNT : entry.amount,
    ClientReferenceNumber: mode === 'foreign_reference' ? OTHER_REFERENCE : entry.reference,
    TransactionType: entry.type,
    TransactionID: entry.id,
    AccountID: account.accountId,
    UpdatedAt: timestampOf(entry.at),
    FailureReason: entry.failureReason,
    ValidationKey: validationKeyOf(mode === 'forged' ? entry.id + 1 : entry.id, account),
    Environment: 'Sandbox',
  };
}
