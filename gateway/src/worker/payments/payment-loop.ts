/**
 * Queries providers about form payments of which no notification has arrived. Each rail has its own loop, so that a slow
 * provider does not delay payers of other rails.
 */

import { type AskParts, askDuePayments } from '../../domain/payments/attempts/ask-payments.ts';
import type { PaymentRail } from '../../domain/payments/payment-rail.ts';
import { createRounds } from '../rounds.ts';

interface PaymentLoopParts extends AskParts {
  readonly rails: readonly PaymentRail[];
  /** Resolves to false if the clocks of this machine and the database differ too much. The worker then claims nothing. */
  readonly clockIsRight: () => Promise<boolean>;
  readonly onProblem: (problem: string, error?: unknown) => void;
}

export interface PaymentLoop {
  start(): void;
  /** Begins no other round. Resolves when the responses to all queries in flight are recorded. */
  stop(): Promise<void>;
}

export function createPaymentLoop(parts: PaymentLoopParts): PaymentLoop {
  const { clock, clockIsRight, onProblem } = parts;
  const loops = parts.rails.map((rail) =>
    createRounds({
      clock,
      round: async () =>
        (await clockIsRight()) && (await askDuePayments(parts, rail, rail.concurrency)) === rail.concurrency,
      onFailed: (error) => onProblem(`rail ${rail.name}: querying payments failed`, error),
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
