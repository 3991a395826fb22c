/**
 * The text beside a payout in a bank's book, where its protocol has room for one: merchant and payout, so that the payout can be
 * found when our own database forgot it. The recipient may read it; neither id is personal or secret. Pure.
 */
import type { PayoutKey } from '../../foundation/identifiers.ts';

export function remittanceOf({ merchantId, payoutId }: PayoutKey): string {
  return `${merchantId}/${payoutId}`;
}

const REMITTANCE = /^([A-Za-z0-9._-]{1,64})\/([A-Za-z0-9._-]{1,64})$/;

/** Undefined: it names no merchant's payout, as where somebody else paid by the same account. */
export function readRemittance(text: string): PayoutKey | undefined {
  const [, merchantId, payoutId] = REMITTANCE.exec(text.trim()) ?? [];
  return merchantId === undefined || payoutId === undefined ? undefined : { merchantId, payoutId };
}
