/** The payment commands of the hosted form, for the payer's page, the providers' notifications and the worker. */

import type { DepositKey } from '../../domain/deposits/deposit.ts';
import type { AskParts } from '../../domain/payments/attempts/ask-payments.ts';
import { DEFAULT_ATTEMPT_LIMITS } from '../../domain/payments/attempts/attempt-limits.ts';
import type { PaymentParts } from '../../domain/payments/attempts/payment-parts.ts';
import { compareReport } from '../../domain/reconciliation/compare-payment-report.ts';
import { withParts } from '../../foundation/with-parts.ts';
import { createPaymentLoop, type PaymentLoop } from '../../worker/payments/payment-loop.ts';
import type { Hooks } from '../observability/hooks.ts';
import { guardClock } from './create-clock-guard.ts';
import { COMPOSE } from './create-deposits.ts';
import type { Publishing } from './create-publishing.ts';
import { createRecordAdjustment } from './create-refunds.ts';
import type { GatewayCore } from './gateway-core.ts';

export function createPayments(core: GatewayCore, hooks: Hooks, publishing: Publishing): PaymentParts & AskParts {
  const { payments: store, directory: merchants, clock, random, rails, payouts, vault, config } = core;
  const { deposits: transfers, differences } = core;
  const { nudge } = publishing;
  return {
    store,
    rails: rails.paymentRails,
    merchants,
    compose: COMPOSE,
    compareReport: withParts(compareReport, { payments: store, transfers, differences, clock }),
    clock,
    clockIsRight: guardClock(core, hooks),
    random,
    canEmail: config.mail !== null,
    nextTransactionId: payouts.nextTransactionId,
    limits: {
      vault,
      defaultLimits: DEFAULT_ATTEMPT_LIMITS[config.environment],
      onAttemptLimitReached: hooks.onAttemptLimitReached,
    },
    onOpened: hooks.onDepositOpened,
    onEnded(payment, outcome) {
      hooks.onDepositEnded(payment, outcome);
      nudge();
    },
    onSettled(attempt, outcome) {
      hooks.onAttemptChanged(attempt, outcome);
      nudge();
    },
    onRailCall: hooks.onRailCall,
    recordAdjustment: createRecordAdjustment(core, hooks, publishing),
  };
}

export function createAsking(
  core: GatewayCore,
  hooks: Hooks,
  publishing: Publishing,
  clockIsRight: () => Promise<boolean>,
  recordingMs: number | undefined,
): PaymentLoop {
  return createPaymentLoop({
    ...createPayments(core, hooks, publishing),
    clockIsRight,
    onProblem: hooks.onProblem,
    ...(recordingMs === undefined ? {} : { recordingMs }),
  });
}

type Listener = (payment: DepositKey) => void;

/** Notifies the open pages of this process when it records a change of their payment. Other processes poll. */
export interface PaymentNotices {
  readonly listen: (listener: Listener) => void;
  /** Returns the hooks, and calls the listeners after each hook. */
  observing(hooks: Hooks): Hooks;
}

export function createPaymentNotices(): PaymentNotices {
  const listeners: Listener[] = [];
  return {
    listen: (listener) => void listeners.push(listener),
    observing: (hooks) => ({
      ...hooks,
      onAttemptChanged(attempt, outcome) {
        hooks.onAttemptChanged(attempt, outcome);
        for (const listener of listeners) listener(attempt);
      },
      onDepositEnded(payment, outcome) {
        hooks.onDepositEnded(payment, outcome);
        for (const listener of listeners) listener(payment);
      },
    }),
  };
}
