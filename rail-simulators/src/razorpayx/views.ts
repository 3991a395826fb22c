/** A payout as RazorpayX's responses and webhooks show it. */
import { type BookEntry, FEE } from './book.ts';
import { statusDetails } from './reasons.ts';

/** Returns the payout as lists and webhooks show it. */
export function payoutView(entry: BookEntry, accountNumber: string) {
  const isOnItsWay = entry.status === 'processing' || entry.status === 'processed' || entry.status === 'reversed';
  return {
    id: entry.id,
    entity: 'payout',
    fund_account_id: entry.id.replace('pout', 'fa'),
    amount: entry.amount,
    currency: 'INR',
    // RazorpayX writes an empty object as an empty list.
    notes: Object.keys(entry.notes).length === 0 ? [] : entry.notes,
    fees: isOnItsWay ? FEE.fees : 0,
    tax: isOnItsWay ? FEE.tax : 0,
    status: entry.status,
    purpose: entry.purpose,
    utr: entry.utr,
    mode: entry.mode,
    reference_id: entry.reference === '' ? null : entry.reference,
    narration: entry.narration,
    debit_account_number: accountNumber,
    batch_id: null,
    status_details: statusDetails(entry.reason),
    created_at: secondOf(entry.acceptedAt),
    fee_type: '',
  };
}

/** Returns the payout as the response to its creation shows it, with its beneficiary. */
export function madeView(entry: BookEntry, accountNumber: string): object {
  const { fund_account_id: id, created_at } = payoutView(entry, accountNumber);
  const contactId = id.replace('fa', 'cont');
  return {
    ...payoutView(entry, accountNumber),
    fund_account: {
      id,
      entity: 'fund_account',
      contact_id: contactId,
      contact: { id: contactId, entity: 'contact', name: entry.name, active: true, created_at },
      account_type: 'bank_account',
      bank_account: { ifsc: entry.ifsc, name: entry.name, notes: [], account_number: entry.maskedAccount },
      active: true,
      created_at,
    },
    error: { description: null, source: null, reason: null },
  };
}

export function collection(items: readonly object[]): object {
  return { entity: 'collection', count: items.length, items };
}

export function secondOf(at: string): number {
  return Math.floor(Date.parse(at) / 1_000);
}
