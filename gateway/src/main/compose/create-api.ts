/** The API of a gateway: every endpoint of merchants and banks, on one HTTP server. The caller listens. */

import type { FastifyInstance } from 'fastify';
import { processPaymentNotification } from '../../domain/payments/attempts/process-payment-notification.ts';
import { acceptPayout } from '../../domain/payouts/accept-payout.ts';
import { isListed } from '../../domain/payouts/forgotten-payouts.ts';
import { recordForgotten } from '../../domain/reconciliation/record-forgotten-notification.ts';
import { createRequestLog } from '../../domain/requests/request-log.ts';
import { withParts } from '../../foundation/with-parts.ts';
import { DEFAULT_RATES } from '../../protocol/authentication/rate-limit.ts';
import { errorBodyFor } from '../../protocol/error-envelopes.ts';
import { hostToHostRoutes } from '../../protocol/host2host/host-to-host-routes.ts';
import { createHttpAdmission } from '../../protocol/http/admission.ts';
import { createHttpServer, type HttpServerOptions } from '../../protocol/http/http-server.ts';
import { payoutRoutes } from '../../protocol/payout/payout-routes.ts';
import { registerRailNotifications } from '../../protocol/rail-notifications/rail-notification-routes.ts';
import type { Hooks } from '../observability/hooks.ts';
import { createDeposits } from './create-deposits.ts';
import { registerForm } from './create-form.ts';
import { createPaymentNotices, createPayments } from './create-payments.ts';
import { createPublishing } from './create-publishing.ts';
import type { GatewayCore } from './gateway-core.ts';
import { serveBankList } from './serve-bank-list.ts';

/** Called when a worker of that kind has work. Has no effect if this process has no such worker. */
interface WorkerNudges {
  readonly payouts: (rail: string) => void;
  readonly callbacks: () => void;
}

export function createApi(
  core: GatewayCore,
  hooks: Hooks,
  nudge: WorkerNudges,
  connections: Pick<HttpServerOptions, 'goodbyeMs' | 'requestsPerConnection'>,
): FastifyInstance {
  const { config, clock, random, payouts, ledger, directory, vault, railChoice } = core;
  const admission = createHttpAdmission();
  const app = createHttpServer({
    errorBody: errorBodyFor,
    mode: config.mode,
    admission,
    trustedProxies: config.trustedProxies,
    onProxyNotTrusted: hooks.onProxyNotTrusted,
    onInternalError: hooks.onInternalError,
    onAnswered: hooks.onAnswered,
    ...connections,
  });
  const accept = withParts(acceptPayout, {
    // The payout is committed, so a request that only waits for the bank's response need not occupy an admission slot.
    store: { ...payouts, waitUntilFinal: (payout, ms) => admission.aside(() => payouts.waitUntilFinal(payout, ms)) },
    vault,
    chooseRail: railChoice.choose,
    clock,
    onAccepted(payout) {
      hooks.onPayoutAccepted(payout);
      nudge.payouts(payout.rail);
    },
  });
  const defaultRates = DEFAULT_RATES[config.environment];
  const requestLog = createRequestLog({ ...core, store: core.requests, onDropped: hooks.onRequestNotLogged });
  app.addHook('onClose', () => requestLog.close());
  const shared = { directory, clock: admission.sleepingAside(clock), random, defaultRates, requestLog };
  const onRejected = hooks.onPayoutRejected;
  const { deposits: stored, recovery, sendingRails: rails, referenceOf } = core;
  const listed = { rails, referenceOf, unaccounted: core.unaccounted };
  const reading = { payouts, deposits: stored, ledger, recovery, isListed: withParts(isListed, listed) };
  void app.register(payoutRoutes({ ...shared, ...reading, acceptPayout: accept, onRejected }));
  const publishing = createPublishing(core, hooks, nudge.callbacks);
  const deposits = createDeposits(core, hooks, publishing);
  void app.register(
    hostToHostRoutes({
      ...shared,
      openDeposit: deposits.open,
      onRejected: hooks.onDepositRejected,
      onProblem: hooks.onProblem,
    }),
  );
  const notices = createPaymentNotices();
  const observed = notices.observing(hooks);
  registerRailNotifications(app, {
    rails: core.rails.notifications,
    store: payouts,
    settle: publishing.settle,
    confirm: deposits.confirm,
    processTransfer: deposits.processTransfer,
    processPayment: withParts(processPaymentNotification, createPayments(core, observed, publishing)),
    recordForgotten: withParts(recordForgotten, { ...core, store: core.reconciliations }),
    differences: core.differences,
    clock,
    onNotification: hooks.onNotification,
  });
  const banks = serveBankList(app, core, hooks);
  registerForm(app, core, observed, { banks, notices, requestLog, publishing });
  return app;
}
