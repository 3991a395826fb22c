/** The identifiers that people choose, read in one way everywhere (decisions, Requests: "only Latin letters and digits"). */

/** The public identifier of a merchant, as the merchant writes it in requests. */
export type MerchantId = string;

/** A payout's identity: the merchant chooses the id. */
export interface PayoutKey {
  readonly merchantId: MerchantId;
  readonly payoutId: string;
}

/** Identifiers of every kind: of merchants, transactions, users, postings. */
export function isId(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(text);
}

/** `0` means all of them in a list request, so it can't be one of them. */
export function isIdOfOne(text: string): boolean {
  return isId(text) && text !== '0';
}
