/** Reads the payouts in VoPay's list of transactions. Pure. README.md has the sources. */
import type { ListedPayout } from '../../domain/payouts/payout-lister.ts';
import { DAY_MS, formatUtc, type Instant } from '../../foundation/clock.ts';
import { isOwnReference } from '../kit/own-reference.ts';
import { amountOf, fieldOf, type JsonObject } from '../kit/provider-json.ts';
import type { VoPayRequest } from './api.ts';
import { clientReferenceOf, referenceOf } from './payout-messages.ts';
import { isDuplicateFlag } from './protocol.ts';
import { listOf, textOf } from './read-fields.ts';
import { type Stage, stageOf } from './vocabulary.ts';

const PAYOUT = 'Interac Bulk Payout';

const LISTED_STATES: Readonly<Partial<Record<Stage, ListedPayout['state']>>> = {
  succeeded: 'executed',
  ended: 'declined',
};

/** `day` is `YYYY-MM-DD`. */
export function dayRequest(day: string): VoPayRequest {
  return {
    verb: 'GET',
    path: '/account/transactions',
    fields: { StartDateTime: `${day} 00:00:00`, EndDateTime: `${day} 23:59:59`, TransactionType: PAYOUT },
  };
}

/** Returns the payouts with the reference that were made between `from` and `until`, with one more day on both sides. */
export function referenceRequest(reference: string, from: Instant, until: Instant): VoPayRequest {
  return {
    verb: 'GET',
    path: '/account/transactions',
    fields: {
      StartDateTime: formatUtc(from - DAY_MS),
      EndDateTime: formatUtc(until + DAY_MS),
      ClientReferenceNumber: clientReferenceOf(reference),
    },
  };
}

/** Returns undefined if the list is incomplete. */
export function readRows(fields: JsonObject): readonly JsonObject[] | undefined {
  const rows = listOf(fields, 'Transactions');
  return rows && String(rows.length) === textOf(fields, 'NumberOfRecords') ? rows : undefined;
}

/** Returns true if VoPay holds the transaction as a probable duplicate. */
export function isHeldAsDuplicate(row: JsonObject, transactionId: string): boolean {
  const flag = JSON.stringify(fieldOf(row, 'TransactionFlag') ?? '');
  return textOf(row, 'TransactionID') === transactionId && isDuplicateFlag(flag);
}

export function isPayout(row: JsonObject): boolean {
  return textOf(row, 'TransactionType') === PAYOUT;
}

/** Returns undefined if the row is unreadable. */
export function listedPayoutOf(row: JsonObject): ListedPayout | undefined {
  const providerId = textOf(row, 'TransactionID');
  const stage = stageOf(textOf(row, 'TransactionStatus'));
  const money = textOf(row, 'Currency') === 'CAD' ? amountOf(textOf(row, 'DebitAmount'), 'CAD') : undefined;
  if (!/^\d{1,18}$/.test(providerId) || !stage || !money) return undefined;
  return {
    reference: ownReferenceOf(row),
    providerId,
    money,
    state: LISTED_STATES[stage] ?? 'pending',
    remittance: textOf(row, 'Notes'),
  };
}

/** Returns our reference in a row. A refund is an e-transfer as well, with its reference in the note (refund-messages.ts). */
function ownReferenceOf(row: JsonObject): string | null {
  const note = textOf(row, 'Notes');
  return referenceOf(textOf(row, 'ClientReferenceNumber')) ?? (isOwnReference(note) ? note : null);
}
