/** The periodic task for payouts that wait for approval. */
import { expireApprovals } from '../../../domain/payouts/approval/expire-approvals.ts';
import { SECOND_MS } from '../../../foundation/clock.ts';
import type { PeriodicTask } from '../../../worker/periodic-work.ts';
import type { Publishing } from '../create-publishing.ts';
import type { GatewayCore } from '../gateway-core.ts';

const LOOK_EVERY_MS = 10 * SECOND_MS;

export function approvalTasks(core: GatewayCore, { settle }: Publishing): PeriodicTask[] {
  const parts = { ...core, rails: core.sendingRails, recovery: core.recoveries.latest, settle };
  return [
    {
      name: 'block payouts that no one approved in time',
      everyMs: LOOK_EVERY_MS,
      run: (signal) => expireApprovals(parts, signal),
    },
  ];
}
