/** A merchant's fees: a fixed part and a percentage for each method or payment type and currency. Minor units. */
import { type Money, percentOf } from '../../foundation/money.ts';
import type { Merchant } from './merchant.ts';

export function payoutFee({ settings }: Merchant, method: number | string, money: Money): bigint {
  const fixed = settings.perMethod('fee_fixed', method, money.currency) ?? 0n;
  const percent = settings.perMethod('fee_percent', method, money.currency) ?? 0n;
  return fixed + percentOf(money, percent).minor;
}

/** Returns at most the received amount. */
export function depositFee(merchant: Merchant, paymentType: string, received: Money): bigint {
  const fee = payoutFee(merchant, paymentType, received);
  return fee < received.minor ? fee : received.minor;
}
