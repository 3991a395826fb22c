/**
 * Plans how a deposit loses its order to a new request. An open deposit fails without a callback, because the new deposit's
 * result is now the order's result. A paid deposit keeps its state, which its callback has already reported. Its money moves
 * from the merchant's balance to suspense, with an event (decision 34). Pure.
 */
import { invariant } from '../../foundation/invariant.ts';
import { holdCredited } from '../ledger/journals.ts';
import { type Balances, type Journal, netChanges } from '../ledger/transfer.ts';
import type { Deposit } from './deposit.ts';
import { displacementEvent } from './deposit-callbacks.ts';
import type { CreditedTransfer, DepositPlan, DisplacementFacts } from './deposit-store.ts';
import { stateAfter } from './deposit-transitions.ts';
import type { DepositPlanningParts } from './plan-receipt.ts';

export function planDisplacement(
  { deposit, balances, credited }: DisplacementFacts,
  /** The transaction that now has the order. */
  { by }: { readonly by: number },
  { merchant, compose, at }: DepositPlanningParts,
): DepositPlan {
  const detail = `transaction ${by} has its order now`;
  const note = { at, event: 'displaced', fromState: deposit.state, actor: 'gateway', detail } as const;
  const state = stateAfter(deposit, 'displaced');
  invariant(state, 'order holder is not displaceable');
  if (state !== deposit.state) {
    const change = { state, failReason: 'displaced', received: 0n, fee: 0n, finishedAt: at } as const;
    return { change, journals: [], history: { ...note, toState: state }, callbacks: [] };
  }
  const minor = credited.reduce((sum, { transfer, fee }) => sum + transfer.money.minor - fee, 0n);
  const payload = compose.displaced(deposit, { ...deposit.money, minor }, by, at);
  return {
    change: null,
    journals: holdAll(deposit, credited, balances),
    history: { ...note, toState: deposit.state },
    callbacks: [displacementEvent(deposit, merchant, payload, at)],
  };
}

/** Builds the journals in sequence. Each one sees the balances that the previous one left. */
function holdAll({ merchantId }: Deposit, credited: readonly CreditedTransfer[], balances: Balances): Journal[] {
  let left = balances;
  return credited.map(({ transfer, fee }) => {
    const journal = holdCredited(merchantId, transfer, fee, left);
    const changed = [...netChanges(journal.transfers)].map(([account, change]) => [
      account,
      (left[account] ?? 0n) + change,
    ]);
    left = { ...left, ...Object.fromEntries(changed) };
    return journal;
  });
}
