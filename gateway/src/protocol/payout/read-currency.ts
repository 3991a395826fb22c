/** Reads `currency` in requests that may name any currency of the gateway. */
import type { PayoutRejection } from '../../domain/payouts/payout-rejection.ts';
import { type Currency, isCurrency } from '../../foundation/currency.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { isCurrencyCode } from '../formats/field-formats.ts';
import type { JsonObject } from '../http/json-body.ts';

export function readCurrency(body: JsonObject): Result<Currency, PayoutRejection> {
  const text = body.get('currency');
  if (typeof text !== 'string' || !isCurrencyCode(text)) return fail({ kind: 'invalid_field', field: 'currency' });
  return isCurrency(text) ? ok(text) : fail({ kind: 'currency_not_supported' });
}
