/** The deposit commands of an open core. */

import { confirmTransfer } from '../../domain/deposits/confirm-transfer.ts';
import type { DepositComposer } from '../../domain/deposits/deposit-callbacks.ts';
import { openDeposit } from '../../domain/deposits/open-deposit.ts';
import { type ProcessTransfer, processTransfer } from '../../domain/deposits/process-transfer.ts';
import { receiveTransfer } from '../../domain/deposits/receive-transfer.ts';
import { resolveTransfer } from '../../domain/deposits/resolve-transfer.ts';
import { returnTransfer } from '../../domain/deposits/return-transfer.ts';
import { reconcileTransfers, type TransferReconciliation } from '../../domain/reconciliation/reconcile-transfers.ts';
import { withParts } from '../../foundation/with-parts.ts';
import {
  composeDepositCallback,
  composeDepositEvent,
  composeDisplacement,
} from '../../protocol/callbacks/callback-payloads.ts';
import type { Hooks } from '../observability/hooks.ts';
import type { Publishing } from './create-publishing.ts';
import type { GatewayCore } from './gateway-core.ts';

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

export function createTransferProcessing(
  core: GatewayCore,
  hooks: Hooks,
  { settle, nudge }: Publishing,
): ProcessTransfer {
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
