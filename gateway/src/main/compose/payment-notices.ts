/** Notifies the open pages of this process when it records a change of their payment. Other processes poll. */
import type { DepositKey } from '../../domain/deposits/deposit.ts';
import type { Hooks } from '../observability/hooks.ts';

type Listener = (payment: DepositKey) => void;

export interface PaymentNotices {
  readonly listen: (listener: Listener) => void;
  /** Returns the hooks, and calls the listeners after each hook. */
  heardBy(hooks: Hooks): Hooks;
}

export function createPaymentNotices(): PaymentNotices {
  const listeners: Listener[] = [];
  return {
    listen: (listener) => void listeners.push(listener),
    heardBy: (hooks) => ({
      ...hooks,
      onPaymentSettled(attempt, outcome) {
        hooks.onPaymentSettled(attempt, outcome);
        for (const listener of listeners) listener(attempt);
      },
      onDepositEnded(payment, outcome) {
        hooks.onDepositEnded(payment, outcome);
        for (const listener of listeners) listener(payment);
      },
    }),
  };
}
