/**
 * Where the payer is sent after the form, with the result that the shop shows them (interface, Customer redirect result).
 * For the payer's eyes: it proves nothing and changes nothing; only the callback tells the merchant.
 */
import type { MerchantProfile } from '../../../domain/merchants/merchant.ts';
import type { Money } from '../../../foundation/money.ts';

export interface PayerResult {
  readonly status: 'success' | 'canceled';
  readonly orderId: string;
  readonly money: Money;
  /** As the merchant wrote it. */
  readonly amountText: string;
  readonly itemName: string;
  /** Null where the payer left before there was a transaction. */
  readonly transactionId: number | null;
}

/** Null where the merchant has no such address: then the page itself tells how it ended. */
export function payerRedirect(
  result: PayerResult,
  { successUrl, failUrl }: Pick<MerchantProfile, 'successUrl' | 'failUrl'>,
): string | null {
  const url = URL.parse((result.status === 'success' ? successUrl : failUrl) ?? '');
  if (url === null) return null;
  const fields = resultFields(result);
  // The merchant's own pairs keep their bytes: some shops route by a query that no reader may rewrite.
  const own = url.search.slice(1).split('&');
  const kept = own.filter((pair) => pair !== '' && !fields.has(nameOf(pair)));
  url.search = [...kept, fields.toString()].join('&');
  return url.href;
}

function resultFields({ status, orderId, money, amountText, itemName, transactionId }: PayerResult): URLSearchParams {
  return new URLSearchParams({
    order_no: orderId,
    amount: amountText,
    currency_code: money.currency,
    ...(itemName === '' ? {} : { item_name: itemName }),
    ...(transactionId === null ? {} : { co_inv_id: String(transactionId) }),
    co_inv_st: status,
  });
}

function nameOf(pair: string): string {
  return [...new URLSearchParams(pair).keys()][0] ?? '';
}
