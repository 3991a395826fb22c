/** The work on batches of payouts in a worker. */
import { workOnBatch } from '../../domain/batches/work-on-batch.ts';
import { acceptPayout } from '../../domain/payouts/accept-payout.ts';
import { SECOND_MS } from '../../foundation/clock.ts';
import { withParts } from '../../foundation/with-parts.ts';
import { readRequestedPayout } from '../../protocol/payout/read-requested-payout.ts';
import { createRounds, type Rounds } from '../../worker/rounds.ts';
import type { Hooks } from '../observability/hooks.ts';
import type { GatewayCore } from './gateway-core.ts';
import { judgingOf } from './operations/create-new-payouts.ts';

/** A chunk takes a second. A worker that died loses its batch after this time. */
const LEASE_MS = 30 * SECOND_MS;

export function createBatchWork(
  core: GatewayCore,
  hooks: Pick<Hooks, 'onPayoutAccepted' | 'onProblem'>,
  wake: (rail: string) => void,
  clockIsRight: () => Promise<boolean>,
  leaseMs = LEASE_MS,
): Rounds {
  const { batches: store, directory: merchants, payouts, clock } = core;
  const judging = judgingOf(core, hooks, wake);
  const parts = {
    ...core,
    store,
    merchants,
    judging,
    earlier: payouts,
    leaseMs,
    read: readRequestedPayout,
    acceptPayout: withParts(acceptPayout, judging),
  };
  const rounds: Rounds = createRounds({
    clock,
    round: async () => (await clockIsRight()) && workOnBatch({ ...parts, isStopping: () => rounds.isStopping() }),
    onFailed: (error) => hooks.onProblem('the work on a batch failed; a worker retries it', error),
  });
  return rounds;
}
