/**
 * Payouts to cards in tenge (method 12) through Freedom Pay. A payout is sent once, and never again blind: a second one under
 * one reference is paid a second time as far as anybody says. What became of it is asked for by our reference.
 *
 * Confirmed: see protocol.ts. By Freedom Pay's pages: one and a half to two seconds between calls are advised; a status that
 * is `process` is settled by them later. Not confirmed: how long they take to answer and how many calls at once they take; the
 * numbers below are careful choices. A minute is named after which a payout that is not found is not there; we wait longer.
 */
import type { PayoutRail } from '../../domain/payouts/payout-rail.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import { FREEDOM_PAY, type FreedomPayConfiguration } from './configuration.ts';
import type { FreedomPayApi } from './freedom-pay-api.ts';
import { FREEDOM_PAY_METHODS, payoutRequest, readStatus, readSubmission, statusRequest } from './protocol.ts';

export function createFreedomPayPayoutRail(
  {
    notificationUrl,
    concurrency,
    simulated,
  }: Pick<FreedomPayConfiguration, 'notificationUrl' | 'concurrency' | 'simulated'>,
  api: FreedomPayApi,
): PayoutRail {
  return {
    name: FREEDOM_PAY,
    methods: FREEDOM_PAY_METHODS,
    simulated,
    notifies: true,
    isReconciledByAsking: true,
    timeoutMs: 30 * SECOND_MS,
    notFoundProofMs: 15 * MINUTE_MS,
    askAfterMs: [2 * SECOND_MS, 5 * SECOND_MS, 15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS],
    concurrency,
    async send(order, deadline) {
      const request = payoutRequest(order, notificationUrl);
      return request.ok ? readSubmission(order, await api.call(request.value, deadline)) : request.error;
    },
    async ask(order, deadline) {
      return readStatus(order, await api.call(statusRequest(order.reference), deadline));
    },
  };
}
