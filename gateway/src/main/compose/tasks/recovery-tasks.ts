/** The periodic tasks of a recovery after a restore. */
import { resolveUnmatched } from '../../../domain/reconciliation/resolve-unmatched.ts';
import { isRecovering } from '../../../domain/recovery/recovery.ts';
import { MINUTE_MS } from '../../../foundation/clock.ts';
import type { PeriodicTask } from '../../../worker/periodic-work.ts';
import type { Hooks } from '../../observability/hooks.ts';
import type { Publishing } from '../create-publishing.ts';
import type { GatewayCore } from '../gateway-core.ts';
import { compareBooks } from '../operations/recovery-operations.ts';

export function recoveryTasks(core: GatewayCore, hooks: Hooks, publishing: Publishing): PeriodicTask[] {
  return [
    {
      name: 'compare the banks’ lists for the recovery window',
      everyMs: MINUTE_MS,
      run: (signal) => compareBooks(core, hooks, publishing, signal),
    },
    {
      name: 'resolve differences that a repeated payout explains',
      everyMs: 10 * MINUTE_MS,
      run: () => resolveUnmatched(core),
    },
    {
      name: 'report that the gateway is recovering',
      everyMs: 10 * MINUTE_MS,
      run: async () => {
        const recovery = await core.recoveries.latest();
        if (isRecovering(recovery)) hooks.onRecovering(recovery);
      },
    },
  ];
}
