/** The periodic task that reports overdue payments and payouts. */
import { MINUTE_MS } from '../../../foundation/clock.ts';
import type { PeriodicTask } from '../../../worker/periodic-work.ts';
import type { Hooks } from '../../observability/hooks.ts';
import type { GatewayCore } from '../gateway-core.ts';
import { railDeadlines } from '../operations/overdue-operations.ts';

const LOOK_EVERY_MS = 10 * MINUTE_MS;

export function overdueTasks(core: GatewayCore, { onOverdue }: Hooks): PeriodicTask[] {
  const { overdue, clock } = core;
  const deadlines = railDeadlines(core);
  const run = async () => {
    const now = clock.now();
    onOverdue(await overdue.count(now, deadlines), now);
  };
  return [{ name: 'find overdue payments and payouts', everyMs: LOOK_EVERY_MS, run }];
}
