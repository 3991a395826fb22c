/**
 * Payouts to cards in tenge (method 12) through Freedom Pay. The rail sends a payout once and must never repeat it blindly: as
 * far as is known, Freedom Pay pays a second payout under the same reference. The rail queries the outcome by our reference.
 *
 * Confirmed: see protocol.ts. Confirmed by Freedom Pay's pages: they advise one and a half to two seconds between calls; they
 * settle a `process` status later. Not confirmed: how long they take to respond and how many concurrent calls they allow. The
 * numbers below are cautious. The pages name one minute after which a payout that is not found does not exist; we wait longer.
 */
import type { PayoutRail } from '../../domain/payouts/payout-rail.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { FreedomPayApi } from './api.ts';
import { FREEDOM_PAY, type FreedomPayConfiguration } from './configuration.ts';
import { payoutRequest, readStatus, readSubmission, statusRequest } from './protocol.ts';

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
    methods: new Set([12]),
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
