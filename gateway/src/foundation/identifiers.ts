/** The identifiers that merchants and operators choose, with one syntax for all (decision 9). */

/** The public identifier of a merchant, as the merchant writes it in requests. */
export type MerchantId = string;

/** A payout's identity. The merchant chooses the id. */
export interface PayoutKey {
  readonly merchantId: MerchantId;
  readonly payoutId: string;
}

/** The syntax of every identifier: merchants, transactions, users, postings. */
export function isId(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(text);
}

/** `0` means all transactions in a list request, so no transaction may have that id. */
export function isIdOfOne(text: string): boolean {
  return isId(text) && text !== '0';
}
