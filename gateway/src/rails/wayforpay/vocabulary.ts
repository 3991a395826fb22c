/**
 * WayForPay's words for where an order stands and its numbers for why, as tables. Pure.
 *
 * Confirmed by WayForPay's page of statuses and codes: every status but `Created`, which its own SDK has; that Approved,
 * Declined, Expired, Refunded and Voided are ends; the codes and what they mean. Its languages spell a status differently, so
 * letter case is not looked at. What a code means for a payout is sorted here. Not confirmed: that a payout is ever Refunded
 * or Voided after it was Approved, and how soon (so it is taken whenever it is said).
 */
import type { BlockedCode } from '../../domain/payouts/payout.ts';

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

/** Undefined: a word that says nothing of a payout, or nothing that anybody has told us. */
export function stateOf(transactionStatus: string): WayForPayState | undefined {
  return STATES.get(transactionStatus.toLowerCase());
}

export const DONE = '1100';
export const DUPLICATE = '1112';
export const NO_SUCH_ORDER = '1127';

/** A wrong signature, a transaction that our account may not ask for, no such account: a person has to mend it. */
const CREDENTIALS: ReadonlySet<string> = new Set(['1113', '1117', '1121']);

export function isCredentialRefused(reasonCode: string): boolean {
  return CREDENTIALS.has(reasonCode);
}

/** Said of what was asked, never of what became of an order, whatever stands beside it. */
export function isAboutRequest(reasonCode: string): boolean {
  return reasonCode === DUPLICATE || reasonCode === NO_SUCH_ORDER || CREDENTIALS.has(reasonCode);
}

/** Done, a script that failed, in processing, put off, held by antifraud: no reasons why anything was declined. */
const UNDECIDED: ReadonlySet<string> = new Set([DONE, '1129', '1131', '1132', '1134']);

export function isReasonToDecline(reasonCode: string): boolean {
  return !UNDECIDED.has(reasonCode);
}

/** The merchant passed a limit or may not; its balance at WayForPay is too small. Both end some time. */
const NOT_NOW: ReadonlySet<string> = new Set(['1118', '1136']);

export function isOnlyForNow(reasonCode: string): boolean {
  return NOT_NOW.has(reasonCode);
}

export interface Reason {
  readonly code: BlockedCode;
  readonly meaning: string;
}

export const REASONS: ReadonlyMap<string, Reason> = new Map<string, Reason>([
  ['1101', { code: '51', meaning: 'refused by the bank of the card' }],
  ['1103', { code: '52', meaning: 'the card has expired' }],
  ['1104', { code: '51', meaning: 'not enough funds' }],
  ['1105', { code: '52', meaning: 'no valid card' }],
  ['1106', { code: '53', meaning: 'too many operations with the card' }],
  ['1109', { code: '50', meaning: 'a field has the wrong format' }],
  ['1110', { code: '50', meaning: 'the currency is not taken' }],
  ['1114', { code: '53', meaning: 'suspected fraud' }],
  ['1115', { code: '50', meaning: 'a field is missing' }],
  ['1118', { code: '53', meaning: 'our account has passed a limit or may not' }],
  ['1122', { code: '51', meaning: 'refused by the gate' }],
  ['1130', { code: '53', meaning: 'the amount is not taken' }],
  ['1135', { code: '53', meaning: 'a limit of the card' }],
  ['1136', { code: '50', meaning: 'our balance there is too small' }],
  ['1139', { code: '51', meaning: 'refused while the card was credited' }],
  ['1140', { code: '53', meaning: 'too many credits to the card' }],
  ['1142', { code: '51', meaning: 'the credit was refused' }],
  ['1143', { code: '52', meaning: 'the phone number is not taken' }],
  ['1146', { code: '52', meaning: 'the card is restricted' }],
]);

/** Undefined: a number whose meaning for a payout nobody has told us. */
export function reasonOf(reasonCode: string): Reason | undefined {
  return REASONS.get(reasonCode);
}

/** In our own words: a text of WayForPay's might hold a card number. `reasonCode`: digits, as it was read. */
export function shownReason(reasonCode: string): string {
  const meaning = reasonOf(reasonCode)?.meaning;
  return `WayForPay says ${reasonCode}${meaning === undefined ? '' : `: ${meaning}`}`;
}
