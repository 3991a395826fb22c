/** The periodic tasks of deposits. */
import { expireDeposits } from '../../../domain/deposits/expire-deposits.ts';
import { watchAddresses } from '../../../domain/deposits/watch-addresses.ts';
import { reconcileTransfers } from '../../../domain/reconciliation/reconcile-transfers.ts';
import { isRecovering } from '../../../domain/recovery/recovery.ts';
import { HOUR_MS, type Instant, SECOND_MS } from '../../../foundation/clock.ts';
import type { PeriodicTask } from '../../../worker/periodic-work.ts';
import type { Hooks } from '../../observability/hooks.ts';
import { COMPOSE, createTransferProcessing } from '../create-deposits.ts';
import type { Publishing } from '../create-publishing.ts';
import type { GatewayCore } from '../gateway-core.ts';

const EXPIRE_EVERY_MS = 10 * SECOND_MS;

export function depositTasks(core: GatewayCore, hooks: Hooks, publishing: Publishing): PeriodicTask[] {
  const { deposits: store, recovery, differences, clock, rails } = core;
  const processTransfer = createTransferProcessing(core, hooks, publishing);
  const { onDepositEnded: onEnded, onReconciled, onAddressFill } = hooks;
  return [
    {
      name: 'fail expired deposits',
      everyMs: EXPIRE_EVERY_MS,
      run: (signal) => expireDeposits({ store, compose: COMPOSE, recovery, clock, onEnded }, signal),
    },
    {
      name: 'count the unused addresses',
      everyMs: HOUR_MS,
      run: () => watchAddresses({ store, rails: rails.depositRails, onAddressFill }),
    },
    ...rails.transferListers.flatMap((lister): PeriodicTask[] => {
      const name = `reconcile the transfers of ${lister.rail}`;
      const run = (signal: AbortSignal) =>
        reconcileTransfers({ lister, processTransfer, differences, clock, onReconciled }, signal);
      return [
        { name, everyMs: HOUR_MS, run },
        {
          name: `${name} after a restore`,
          everyMs: RECOVERY_EVERY_MS,
          // A list with one unreadable entry fails each time, and must not be read every few seconds.
          retryUpToMs: HOUR_MS,
          run: oncePerRecovery(recovery, run),
        },
      ];
    }),
  ];
}

const RECOVERY_EVERY_MS = 10 * SECOND_MS;

/** A gateway that begins to recover reads the lists of the lost time immediately, without waiting for the interval. */
function oncePerRecovery(recovery: GatewayCore['recovery'], run: PeriodicTask['run']): PeriodicTask['run'] {
  let listedFor: Instant | undefined;
  return async (signal) => {
    const current = await recovery();
    if (!isRecovering(current) || current.startedAt === listedFor) return;
    await run(signal);
    listedFor = current.startedAt;
  };
}
