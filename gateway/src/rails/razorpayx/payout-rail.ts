/**
 * Payouts to Indian bank accounts (method 26) through RazorpayX. protocol.ts, refusals.ts and vocabulary.ts decide what a
 * response means.
 *
 * Confirmed by RazorpayX's pages: it requests few queries (it has webhooks), at most 5 to 10 per second. Within an hour after
 * a payout's request, "not found" proves nothing. Not confirmed: how long it takes to respond.
 */
import type { PayoutRail } from '../../domain/payouts/payout-rail.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import { unknown } from '../kit/rail-answers.ts';
import type { RazorpayXApi } from './api.ts';
import { RAZORPAYX, type RazorpayXConfiguration } from './configuration.ts';
import { payoutsOfReference, readFound, readMade, writePayout } from './protocol.ts';

export function createRazorpayXPayoutRail(configuration: RazorpayXConfiguration, api: RazorpayXApi): PayoutRail {
  return {
    name: RAZORPAYX,
    methods: new Set([26]),
    needs: ['full_name'],
    simulated: configuration.simulated,
    notifies: true,
    timeoutMs: 20 * SECOND_MS,
    notFoundProofMs: HOUR_MS,
    askAfterMs: [15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS],
    concurrency: configuration.concurrency,
    async send(order, deadline) {
      const body = writePayout(order, configuration);
      if (!body.ok) return body.error;
      const called = await api.make(order.reference, body.value, deadline);
      return called.kind === 'done' ? readMade(order, called.fields) : called.answer;
    },
    async ask(order, deadline) {
      const path = payoutsOfReference(configuration.accountNumber, order.reference);
      const called = await api.get(path, deadline);
      // A rejected query proves nothing about the payout, whatever the same code means for a new payout.
      return called.kind === 'done' ? readFound(order, called.fields) : unknown(called.answer.reason);
    },
  };
}
