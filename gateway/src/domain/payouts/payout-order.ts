/** Builds the order that a rail sends or queries from a payout. */

import type { PayoutKey } from '../../foundation/identifiers.ts';
import { keyedHash } from '../../foundation/keyed-hash.ts';
import { Secret } from '../../foundation/secret.ts';
import type { Payout } from './payout.ts';
import type { PayoutOrder } from './payout-rail.ts';

/** The attempt of the order. */
export type AttemptOfOrder = Pick<PayoutOrder, 'reference' | 'sendUntil' | 'writtenFrom' | 'mayConfirm'>;

/** `opened` is the payout's vault record. Without it, the order contains the masked account. */
export function payoutOrderOf(
  payout: Payout,
  attempt: AttemptOfOrder,
  opened: Readonly<Record<string, Secret>> = {},
  delayed = false,
): PayoutOrder {
  const { purpose, method, money, beneficiary } = payout;
  return {
    ...attempt,
    purpose,
    method,
    money,
    delayed,
    remittance: remittanceOf(payout),
    beneficiary: { account: beneficiary.accountShown, ...beneficiary.fields, ...opened },
  };
}

/** A payout at one rail. All its attempts there carry one reference. */
export interface PayoutAtRail extends PayoutKey {
  readonly rail: string;
}

/** The first character of a payout's reference. A form attempt's reference begins with a digit. */
export const REFERENCE_MARK = 'P';
/** 112 bits, so that two payouts of one rail never share a reference. */
export const REFERENCE_HASH_BYTES = 14;

const PURPOSE = 'payout references';

/** Returns the key of the references: 32 bytes in base64, derived from the key of the keyed hash. */
export function referenceKeyFrom(fingerprintKey: Secret): Secret {
  return new Secret(keyedHash(fingerprintKey, PURPOSE).toString('base64'));
}

/**
 * Returns the reference by which a bank knows a payout. It depends only on the payout and on a key of this gateway. A payout
 * that a restored database lost gets the same reference again, so its bank recognises the duplicate. Pure.
 *
 * The claim of payouts computes the same hash in SQL (storage/payouts/claim-payouts.ts), from `hashPadsOf`. Reasons and limits
 * of the providers: decision 61.
 */
export function payoutReference(key: Secret, payout: PayoutAtRail): string {
  return (
    REFERENCE_MARK + keyedHash(key, hashedText(payout)).subarray(0, REFERENCE_HASH_BYTES).toString('hex').toUpperCase()
  );
}

/** No rail name or merchant id contains a slash, so two payouts never give the same text. */
function hashedText({ rail, merchantId, payoutId }: PayoutAtRail): string {
  return `${rail}/${merchantId}/${payoutId}`;
}

/** Computes the reference of a payout at a rail, under this gateway's key. */
export type ReferenceOf = (payout: PayoutAtRail) => string;

/**
 * Returns the text of a payout on a bank's statement, if the protocol has a field for it: merchant and payout ids. It
 * identifies a payout that our database lost. The recipient may read it; neither id is personal or secret. Pure.
 */
export function remittanceOf({ merchantId, payoutId }: PayoutKey): string {
  return `${merchantId}/${payoutId}`;
}

const REMITTANCE = /^([A-Za-z0-9._-]{1,64})\/([A-Za-z0-9._-]{1,64})$/;

/**
 * Returns undefined if the string names no merchant's payout, for example because another system pays from the same account.
 */
export function readRemittance(text: string): PayoutKey | undefined {
  const [, merchantId, payoutId] = REMITTANCE.exec(text.trim()) ?? [];
  return merchantId === undefined || payoutId === undefined ? undefined : { merchantId, payoutId };
}
