/** Transactions and operators as DT One's responses and callbacks show them. */
import { HOUR_MS } from '../clock.ts';
import type { BookEntry } from './book.ts';
import { CLASSES } from './conducts.ts';
import { type Operator, priceOf } from './products.ts';

const COUNTRY = { iso_code: 'KAZ', name: 'Kazakhstan', regions: null };

export function operatorView({ id, name }: Operator, identified: boolean): object {
  return { id, name, country: COUNTRY, regions: null, identified };
}

export function transactionView(entry: BookEntry): object {
  const classId = CLASSES[entry.className];
  const [dollars, tenge] = [priceOf(entry.tiyn) / 100, entry.tiyn / 100];
  const given = { base: tenge, promotion_bonus: 0, total_excluding_tax: tenge, total_including_tax: tenge };
  return {
    id: entry.id,
    external_id: entry.externalId,
    creation_date: nanoseconds(entry.acceptedAt),
    confirmation_date: entry.className === 'CREATED' ? null : nanoseconds(entry.acceptedAt),
    confirmation_expiration_date: nanoseconds(new Date(Date.parse(entry.acceptedAt) + HOUR_MS).toISOString()),
    status: { id: classId * 10_000, message: entry.message, class: { id: classId, message: entry.className } },
    credit_party_identifier: { mobile_number: entry.maskedNumber },
    product: {
      id: entry.productId,
      name: 'Any amount',
      type: 'RANGED_VALUE_RECHARGE',
      service: { id: 1, name: 'Mobile' },
      operator: { id: entry.operatorId, name: entry.operatorName, country: COUNTRY, regions: null },
      regions: null,
    },
    prices: { wholesale: { amount: dollars, fee: 0, unit: 'USD', unit_type: 'CURRENCY' }, retail: null },
    requested_values: { source: null, destination: { amount: tenge, unit: 'KZT', unit_type: 'CURRENCY' } },
    adjusted_values: null,
    benefits: [{ type: 'CREDITS', unit_type: 'CURRENCY', unit: 'KZT', amount: given, additional_information: null }],
    promotions: null,
    operator_reference: entry.className === 'COMPLETED' ? `OP${entry.id}` : null,
    callback_url: entry.callbackUrl,
  };
}

/** DT One's times have nine decimals of a second. */
function nanoseconds(at: string): string {
  return at.replace('Z', '000000Z');
}
