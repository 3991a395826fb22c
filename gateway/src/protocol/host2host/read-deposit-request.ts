/**
 * Turns an authentic create request into a deposit request for the domain, or into its first fault. It checks the formats of
 * the six fields in the API's order, then the currency. It ignores other fields (decision 11); the signature covers them.
 */
import type { DepositRejection } from '../../domain/deposits/deposit-rejection.ts';
import type { DepositRequest } from '../../domain/deposits/open-deposit.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { MerchantSettings } from '../../domain/merchants/merchant-settings.ts';
import { invariant } from '../../foundation/invariant.ts';
import { parseAmount } from '../../foundation/money.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { isMerchantsId } from '../formats/field-formats.ts';
import { isPayerName } from '../formats/payer-names.ts';
import type { JsonObject } from '../http/json-body.ts';

/** The only currency of SPEI. */
const CURRENCY = 'MXN';

type Format = (text: string, settings: MerchantSettings) => boolean;

function payerName(maxLength: number): Format {
  return (text, { strict_names }) => isPayerName(text, { maxLength, strict: strict_names === 'on' });
}

/** The format of each field. All fields are mandatory strings. */
const FORMATS = {
  order: isMerchantsId,
  amount: (text: string) => parseAmount(text, CURRENCY) !== undefined,
  // Accept any text, because an unsupported currency has its own response after the formats.
  currency: (text: string) => text !== '',
  user_id: isMerchantsId,
  first_name: payerName(30),
  last_name: payerName(60),
} as const satisfies Record<string, Format>;

type Texts = Readonly<Record<keyof typeof FORMATS, string>>;

export function readDepositRequest(body: JsonObject, merchant: Merchant): Result<DepositRequest, DepositRejection> {
  const texts: Record<string, string> = {};
  for (const [name, format] of Object.entries<Format>(FORMATS)) {
    const value = body.get(name);
    if (typeof value !== 'string' || !format(value, merchant.settings))
      return fail({ kind: 'invalid_field', field: name });
    texts[name] = value;
  }
  const { order, amount, currency, user_id, first_name, last_name } = texts as Texts;
  if (currency !== CURRENCY) return fail({ kind: 'currency_not_supported' });
  const money = parseAmount(amount, CURRENCY);
  invariant(money, 'amount passed validation but cannot be parsed');
  return ok({
    merchant,
    orderId: order,
    paymentType: 'spei',
    money,
    amountText: amount,
    payer: { userId: user_id, firstName: first_name, lastName: last_name },
  });
}
