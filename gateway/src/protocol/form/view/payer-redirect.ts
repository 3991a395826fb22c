/**
 * The URLs that lead the payer back to the shop. The redirect after the form contains the result for the shop's page (decision
 * 37). It is only for display and proves nothing: only the callback informs the merchant.
 */
import type { Merchant, MerchantProfile } from '../../../domain/merchants/merchant.ts';
import type { SessionRecord } from '../../../domain/payments/payment-store.ts';
import type { Money } from '../../../foundation/money.ts';
import { isWebAddress } from '../../formats/field-formats.ts';

export function redirectOf(
  { record, merchant }: { readonly record: SessionRecord; readonly merchant: Merchant },
  status: 'success' | 'canceled',
): string | null {
  const { session, deposit } = record;
  const { orderId, money, amountText } = session;
  const itemName = session.parameters['item_name'] ?? '';
  const transactionId = deposit?.transactionId ?? null;
  return payerRedirect({ status, orderId, money, amountText, itemName, transactionId }, merchant);
}

export interface PayerResult {
  readonly status: 'success' | 'canceled';
  readonly orderId: string;
  readonly money: Money;
  /** The amount as the merchant wrote it. */
  readonly amountText: string;
  readonly itemName: string;
  /** Null if the payer left before a transaction existed. */
  readonly transactionId: number | null;
}

/** Returns null if the merchant has no such address. The page itself then shows the result. */
export function payerRedirect(
  result: PayerResult,
  { successUrl, failUrl }: Pick<MerchantProfile, 'successUrl' | 'failUrl'>,
): string | null {
  const url = URL.parse((result.status === 'success' ? successUrl : failUrl) ?? '');
  if (url === null) return null;
  const fields = resultFields(result);
  // Keep the bytes of the merchant's own pairs, because some shops route by an unusual query.
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

/**
 * Returns `payment_url` as a link, or null. It links only to the host of the merchant's registered site. Otherwise
 * anyone could send payers through a trusted page to their own site (decision 48). The port is part of the host.
 */
export function shopAddress(paymentUrl: string, { siteUrl }: Pick<MerchantProfile, 'siteUrl'>): string | null {
  const asked = isWebAddress(paymentUrl) ? URL.parse(paymentUrl) : null;
  return asked !== null && asked.host === URL.parse(siteUrl ?? '')?.host ? asked.href : null;
}
