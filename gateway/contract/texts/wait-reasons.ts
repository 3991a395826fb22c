/**
 * The codes of the reasons why a payout, a deposit or a callback waits: those that have a text. The types of the domain's
 * explanations name the same codes, and viewExplanation requires a text for each.
 */
import { CALLBACK_WAITS } from './callback-waits.ts';
import { DEPOSIT_WAITS } from './deposit-waits.ts';
import { PAYOUT_WAITS } from './payout-waits.ts';

const WAITS = { ...PAYOUT_WAITS, ...DEPOSIT_WAITS, ...CALLBACK_WAITS } as const;

export type WaitReason = keyof typeof WAITS;

export const WAIT_REASONS = Object.keys(WAITS) as readonly WaitReason[];
