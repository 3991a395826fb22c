/** The deposit commands of an open core, and the periodic tasks for deposits. */

import { confirmTransfer } from '../../domain/deposits/confirm-transfer.ts';
import type { DepositComposer } from '../../domain/deposits/deposit-callbacks.ts';
import { expireDeposits } from '../../domain/deposits/expire-deposits.ts';
import { openDeposit } from '../../domain/deposits/open-deposit.ts';
import { type ProcessTransfer, processTransfer } from '../../domain/deposits/process-transfer.ts';
import { receiveTransfer } from '../../domain/deposits/receive-transfer.ts';
import { resolveTransfer } from '../../domain/deposits/resolve-transfer.ts';
import { returnTransfer } from '../../domain/deposits/return-transfer.ts';
import { watchAddresses } from '../../domain/deposits/watch-addresses.ts';
import { reconcileTransfers, type TransferReconciliation } from '../../domain/reconciliation/reconcile-transfers.ts';
import { isRecovering } from '../../domain/recovery/recovery.ts';
import { HOUR_MS, type Instant, SECOND_MS } from '../../foundation/clock.ts';
import { withParts } from '../../foundation/with-parts.ts';
import {
  composeDepositCallback,
  composeDepositEvent,
  composeDisplacement,
} from '../../protocol/callbacks/callback-payloads.ts';
import type { PeriodicTask } from '../../worker/periodic-work.ts';
import type { Hooks } from '../observability/hooks.ts';
import type { Publishing } from './create-publishing.ts';
import type { GatewayCore } from './open-core.ts';

export const COMPOSE: DepositComposer = {
  deposit: composeDepositCallback,
  event: composeDepositEvent,
  displaced: composeDisplacement,
};

/** The deposit commands for the endpoints. */
export function createDeposits(core: GatewayCore, hooks: Hooks, publishing: Publishing) {
  const { deposits: store, rails, payouts } = core;
  return {
    open: withParts(openDeposit, {
      ...core,
      store,
      nextTransactionId: payouts.nextTransactionId,
      rails: rails.depositRails,
      compose: COMPOSE,
      onOpened: hooks.onDepositOpened,
      onProblem: hooks.onProblem,
    }),
    confirm: withParts(confirmTransfer, {
      ...core,
      store,
      queries: { inFlight: 0 },
      onAsked: (rail, answer, latencyMs) => hooks.onRailCall(rail, 'confirm', answer, latencyMs),
    }),
    processTransfer: createTransferProcessing(core, hooks, publishing),
  };
}

function createTransferProcessing(core: GatewayCore, hooks: Hooks, { settle, nudge }: Publishing): ProcessTransfer {
  const receive = withParts(receiveTransfer, {
    ...core,
    store: core.deposits,
    merchants: core.directory,
    compose: COMPOSE,
    onReceived(transfer, outcome, deposit) {
      hooks.onTransferReceived(transfer, outcome, deposit);
      nudge();
    },
  });
  return withParts(processTransfer, { ...core, settle, receive });
}

/** The operator's decisions about held money. */
export function createDecisions(core: GatewayCore) {
  const { deposits: store, directory: merchants, rails, payouts, vaultStore: cards } = core;
  const { nextTransactionId } = payouts;
  return {
    resolve: withParts(resolveTransfer, { ...core, store, merchants, compose: COMPOSE }),
    returnTransfer: withParts(returnTransfer, { ...core, store, nextTransactionId, rails: rails.payoutRails, cards }),
  };
}

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

/**
 * Resolves to undefined if the rail lists no transfers. Rejects if the provider did not list a complete day, after recording
 * the other days.
 */
export async function reconcileTransfersNow(
  core: GatewayCore,
  hooks: Hooks,
  publishing: Publishing,
  rail: string,
): Promise<readonly TransferReconciliation[] | undefined> {
  const lister = core.rails.transferListers.find((each) => each.rail === rail);
  if (!lister) return undefined;
  const days: TransferReconciliation[] = [];
  const onReconciled = (day: TransferReconciliation) => {
    days.push(day);
    hooks.onReconciled(day);
  };
  const { differences, clock } = core;
  const processTransfer = createTransferProcessing(core, hooks, publishing);
  await reconcileTransfers({ lister, processTransfer, differences, clock, onReconciled }, new AbortController().signal);
  return days;
}
