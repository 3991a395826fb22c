/**
 * Queries VoPay whether a payout is in the state that a webhook reports, because nothing authenticates the webhook's
 * content (notifications.ts).
 */
import type { AskForPayout } from '../../domain/notifications/rail-notification.ts';
import type { VoPayApi } from './api.ts';
import { type AskedPayout, type FoundPayout, payoutLookUp, readFoundPayout } from './payout-messages.ts';

/** The limit of concurrent calls that confirm notifications. */
export const VOPAY_CONFIRMATIONS = 4;

/** Queries VoPay whether the payout has this stage and ended for this reason. */
export type ConfirmPayout = (
  payout: Pick<AskedPayout, 'reference'>,
  notified: Pick<FoundPayout, 'stage' | 'ending'>,
) => AskForPayout;

export function createConfirmPayout(api: VoPayApi): ConfirmPayout {
  return ({ reference }, notified) =>
    async (money, deadline) => {
      const called = await api.call(payoutLookUp(reference), deadline);
      if (called.kind !== 'done') return { kind: 'unconfirmed', reason: called.reason };
      const found = readFoundPayout(called.fields, { reference, money });
      if (!found) return { kind: 'unconfirmed', reason: 'VoPay’s response is about another transaction' };
      const isSo =
        found.stage === notified.stage && (found.stage !== 'ended' || found.ending.reason === notified.ending.reason);
      return isSo
        ? { kind: 'confirmed' }
        : { kind: 'unconfirmed', reason: `the query at VoPay returned ${found.stage}` };
    };
}
