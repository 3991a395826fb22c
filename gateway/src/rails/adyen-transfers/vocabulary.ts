/**
 * Tables of Adyen's statuses and reasons of a transfer.
 *
 * Confirmed by Adyen's OpenAPI description of Transfers v4: the codes and their meanings. Confirmed by its pages about
 * the webhooks of payouts: `booked` is the first success, and may still become `failed` (the other bank rejects an
 * instant payout) or `returned`. Not confirmed: that `cancelled`, `rejected`, `expired` and `error` are final, so they
 * count only in the response to a query. A status outside these tables is not final.
 */
import type { BlockedReason } from '../../domain/payouts/payout.ts';
import { declineReasonsOf } from '../kit/rail-answers.ts';

/**
 * - `refused`: by Adyen, before any money left.
 * - `failed`: by the other bank. The money is ours again, whether or not it had left.
 * - `returned`: the other bank had the money and returned it.
 * - `stopped`: cancelled before its completion.
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

/** Returns undefined for a status that proves nothing. */
export function stateOf(status: string): TransferState | undefined {
  return STATES.get(status);
}

/** Reasons that do not concern this payout: the operator must correct our balance or our account. */
const OURS: ReadonlySet<string> = new Set([
  'notEnoughBalance',
  'accountHierarchyNotActive',
  'balanceAccountTemporarilyBlockedByTransactionRule',
]);

export function isOursToMend(reason: string): boolean {
  return OURS.has(reason);
}

export const DECLINE_REASONS = declineReasonsOf({
  bank_declined: [
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
  invalid_beneficiary: [
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
  limit_or_risk: [
    'amountLimitExceeded',
    'declinedByTransactionRule',
    'fraud',
    'issuerSuspectedFraud',
    'securityViolation',
    'withdrawalAmountExceeded',
    'withdrawalCountExceeded',
  ],
  expired: ['approvalExpired'],
});

/** Returns our reason for Adyen's `reason`. A reason outside the table means only that the payout was declined. */
export function declineReasonOf(reason: string): BlockedReason {
  return DECLINE_REASONS.get(reason) ?? 'unspecified';
}
