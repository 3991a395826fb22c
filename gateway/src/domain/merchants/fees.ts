/** A merchant's fees: a fixed part and a percentage for each method or payment type and currency. Minor units. */
import { type Money, percentOf } from '../../foundation/money.ts';
import type { Merchant } from './merchant.ts';

/** `kind`: a payout's method, or a deposit's payment type. */
export function feeOf({ settings }: Merchant, kind: number | string, money: Money): bigint {
  const fixed = settings.perMethod('fee_fixed', kind, money.currency) ?? 0n;
  const percent = settings.perMethod('fee_percent', kind, money.currency) ?? 0n;
  return fixed + percentOf(money, percent).minor;
}

/** Returns at most the received amount. */
export function depositFee(merchant: Merchant, paymentType: string, received: Money): bigint {
  const fee = feeOf(merchant, paymentType, received);
  return fee < received.minor ? fee : received.minor;
}
