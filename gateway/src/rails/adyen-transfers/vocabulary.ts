/**
 * Adyen's words for where a transfer stands and why, as tables.
 *
 * Confirmed by Adyen's OpenAPI description of Transfers v4: the words, and what each means. By its pages about the webhooks
 * of payouts: `booked` is the first success, and may still become `failed` (an instant payout that the other bank rejects) or
 * `returned`. Not confirmed: that `cancelled`, `rejected`, `expired` and `error` never change any more, so they count only
 * when Adyen is asked. A word that is not here ends nothing.
 */
import type { BlockedCode } from '../../domain/payouts/payout.ts';
import { declineCodesOf } from '../kit/payout-answers.ts';

/**
 * - `refused`: by Adyen, before any money left.
 * - `failed`: by the other bank; the money is ours again, whether it had left or not.
 * - `returned`: the other bank had it, and sent it back.
 * - `stopped`: it was given up on the way.
 */
export type TransferState = 'waiting' | 'executed' | 'refused' | 'failed' | 'returned' | 'stopped';

const STATES: ReadonlyMap<string, TransferState> = new Map<string, TransferState>([
  ['received', 'waiting'],
  ['pending', 'waiting'],
  ['pendingApproval', 'waiting'],
  ['approvalPending', 'waiting'],
  ['pendingExecution', 'waiting'],
  ['authorised', 'waiting'],
  ['booked', 'executed'],
  ['credited', 'executed'],
  ['refused', 'refused'],
  ['failed', 'failed'],
  ['returned', 'returned'],
  ['cancelled', 'stopped'],
  ['rejected', 'stopped'],
  ['expired', 'stopped'],
  ['error', 'stopped'],
]);

/** Undefined: a word of which nothing is concluded. */
export function stateOf(status: string): TransferState | undefined {
  return STATES.get(status);
}

/** Why Adyen refuses what has nothing to do with this payout: our money there, or our account, has to be mended. */
const OURS: ReadonlySet<string> = new Set([
  'notEnoughBalance',
  'accountHierarchyNotActive',
  'balanceAccountTemporarilyBlockedByTransactionRule',
]);

export function isOursToMend(reason: string): boolean {
  return OURS.has(reason);
}

export const DECLINE_CODES = declineCodesOf({
  '51': [
    'blockCard',
    'callReferral',
    'captureCard',
    'cardholderAuthenticationRequired',
    'declined',
    'declinedNonGeneric',
    'doNotHonor',
    'domesticDebitTransactionNotAllowed',
    'invalidTransaction',
    'lostCard',
    'refusedByCounterpartyBank',
    'refusedByCustomer',
    'restrictedCard',
    'schemeAdvice',
    'stolenCard',
    'transactionNotPermitted',
  ],
  '52': [
    'cardExpired',
    'counterpartyAccountBlocked',
    'counterpartyAccountClosed',
    'counterpartyAccountNotFound',
    'counterpartyAddressRequired',
    'invalidAccount',
    'invalidCard',
    'invalidExpiryDate',
    'invalidIssuer',
    'routeNotFound',
    'unableToRouteTransaction',
  ],
  '53': [
    'amountLimitExceeded',
    'declinedByTransactionRule',
    'fraud',
    'issuerSuspectedFraud',
    'securityViolation',
    'withdrawalAmountExceeded',
    'withdrawalCountExceeded',
  ],
  '54': ['approvalExpired'],
});

/** Of a `reason`; one that is not here says no more than that it was declined. */
export function declineCode(reason: string): BlockedCode {
  return DECLINE_CODES.get(reason) ?? '50';
}
