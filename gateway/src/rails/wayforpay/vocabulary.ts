/**
 * Tables of WayForPay's statuses of an order, and of its reason codes. Pure. refusals.ts has the codes about a request.
 *
 * Confirmed by WayForPay's page of statuses and codes: every status except `Created`, which is in its own SDK;
 * Approved, Declined, Expired, Refunded and Voided are final; the codes and their meanings. Its languages spell a
 * status differently, so letter case is ignored. The meaning of a code for a payout is our own classification. Not
 * confirmed: that a payout is ever Refunded or Voided after it was Approved, and how soon. The gateway accepts it at
 * any time.
 */
import type { Reason } from '../kit/rail-answers.ts';

export type WayForPayState = 'executed' | 'declined' | 'expired' | 'reversed' | 'pending';

const STATES: ReadonlyMap<string, WayForPayState> = new Map<string, WayForPayState>([
  ['approved', 'executed'],
  ['declined', 'declined'],
  ['expired', 'expired'],
  ['refunded', 'reversed'],
  ['voided', 'reversed'],
  ['created', 'pending'],
  ['inprocessing', 'pending'],
  ['pending', 'pending'],
  ['refundinprocessing', 'pending'],
]);

/** Returns undefined for an unknown status, or one that says nothing about a payout. */
export function stateOf(transactionStatus: string): WayForPayState | undefined {
  return STATES.get(transactionStatus.toLowerCase());
}

export const DONE = '1100';

/** Done, failed script, in processing, postponed, held by antifraud: not reasons for a decline. */
const UNDECIDED: ReadonlySet<string> = new Set([DONE, '1129', '1131', '1132', '1134']);

export function isReasonToDecline(reasonCode: string): boolean {
  return !UNDECIDED.has(reasonCode);
}

/** The merchant has passed a limit or lacks a permission, or its balance at WayForPay is too small. Both are temporary. */
const NOT_NOW: ReadonlySet<string> = new Set(['1118', '1136']);

export function isOnlyForNow(reasonCode: string): boolean {
  return NOT_NOW.has(reasonCode);
}

export const DECLINE_REASONS: ReadonlyMap<string, Reason> = new Map<string, Reason>([
  ['1101', { blockedReason: 'bank_declined', meaning: 'declined by the card’s bank' }],
  ['1103', { blockedReason: 'invalid_beneficiary', meaning: 'the card has expired' }],
  ['1104', { blockedReason: 'bank_declined', meaning: 'not enough funds' }],
  ['1105', { blockedReason: 'invalid_beneficiary', meaning: 'no valid card' }],
  ['1106', { blockedReason: 'limit_or_risk', meaning: 'too many operations with the card' }],
  ['1109', { blockedReason: 'unspecified', meaning: 'a field has the wrong format' }],
  ['1110', { blockedReason: 'unspecified', meaning: 'the currency is not accepted' }],
  ['1114', { blockedReason: 'limit_or_risk', meaning: 'suspected fraud' }],
  ['1115', { blockedReason: 'unspecified', meaning: 'a field is missing' }],
  ['1118', { blockedReason: 'limit_or_risk', meaning: 'our account exceeded a limit or lacks a permission' }],
  ['1122', { blockedReason: 'bank_declined', meaning: 'declined by WayForPay’s gateway' }],
  ['1130', { blockedReason: 'limit_or_risk', meaning: 'the amount is not accepted' }],
  ['1135', { blockedReason: 'limit_or_risk', meaning: 'a limit of the card' }],
  ['1136', { blockedReason: 'unspecified', meaning: 'our balance there is too small' }],
  ['1139', { blockedReason: 'bank_declined', meaning: 'declined while the card was credited' }],
  ['1140', { blockedReason: 'limit_or_risk', meaning: 'too many credits to the card' }],
  ['1142', { blockedReason: 'bank_declined', meaning: 'the credit was declined' }],
  ['1143', { blockedReason: 'invalid_beneficiary', meaning: 'the phone number is not accepted' }],
  ['1146', { blockedReason: 'invalid_beneficiary', meaning: 'the card is restricted' }],
]);

/** Returns undefined for a code without a known meaning for a payout. */
export function declineReasonOf(reasonCode: string): Reason | undefined {
  return DECLINE_REASONS.get(reasonCode);
}

/** Our own text, because WayForPay's might contain a card number. `reasonCode` has digits only. */
export function shownReason(reasonCode: string): string {
  const meaning = declineReasonOf(reasonCode)?.meaning;
  return `WayForPay reports ${reasonCode}${meaning === undefined ? '' : `: ${meaning}`}`;
}
