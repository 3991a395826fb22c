/**
 * The text beside a payout on a bank's statement, if the protocol has a field for it: merchant and payout ids. It
 * identifies a payout that our database forgot. The recipient may read it; neither id is personal or secret. Pure.
 */
import type { PayoutKey } from '../../foundation/identifiers.ts';

export function remittanceOf({ merchantId, payoutId }: PayoutKey): string {
  return `${merchantId}/${payoutId}`;
}

const REMITTANCE = /^([A-Za-z0-9._-]{1,64})\/([A-Za-z0-9._-]{1,64})$/;

/** Undefined: the text names no merchant's payout, for example because another system pays from the same account. */
export function readRemittance(text: string): PayoutKey | undefined {
  const [, merchantId, payoutId] = REMITTANCE.exec(text.trim()) ?? [];
  return merchantId === undefined || payoutId === undefined ? undefined : { merchantId, payoutId };
}
