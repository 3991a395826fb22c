/**
 * Asks about the payments of a form that no provider has told of: one loop for each rail, so that a slow provider delays
 * nobody else's payers.
 */

import { type AskParts, askDuePayments } from '../../domain/payments/ask-payments.ts';
import type { PaymentRail } from '../../domain/payments/payment-rail.ts';
import { createRounds } from '../rounds.ts';

export interface PaymentAskingParts extends AskParts {
  readonly rails: readonly PaymentRail[];
  /** False: this machine's clock is off the database's, so nothing is claimed. */
  readonly clockIsRight: () => Promise<boolean>;
  readonly onProblem: (problem: string, error?: unknown) => void;
}

export interface PaymentAsking {
  start(): void;
  /** Begins no other round and resolves when what was asked is recorded. */
  stop(): Promise<void>;
}

export function createPaymentAsking(parts: PaymentAskingParts): PaymentAsking {
  const { clock, clockIsRight, onProblem } = parts;
  const loops = parts.rails.map((rail) =>
    createRounds({
      clock,
      round: async () =>
        (await clockIsRight()) && (await askDuePayments(parts, rail, rail.concurrency)) === rail.concurrency,
      onFailed: (error) => onProblem(`rail ${rail.name}: asking about payments failed`, error),
    }),
  );
  return {
    start() {
      for (const loop of loops) loop.start();
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
