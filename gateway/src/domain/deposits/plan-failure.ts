/** Plans the end of a deposit without money, for every reason except the loss of its order (plan-displacement.ts). */
import type { Deposit, FailReason } from './deposit.ts';
import { type DepositComposer, depositCallback } from './deposit-callbacks.ts';
import type { DepositNote, DepositPlan } from './deposit-store.ts';
import { stateAfter } from './deposit-transitions.ts';

/** Undefined: it has ended already. Pure. */
export function planFailure(
  deposit: Deposit,
  reason: Exclude<FailReason, 'displaced'>,
  { at, actor, detail }: Omit<DepositNote, 'event'>,
  compose: Pick<DepositComposer, 'deposit'>,
): DepositPlan | undefined {
  const state = stateAfter(deposit, reason);
  if (state === undefined) return undefined;
  const change = { state, failReason: reason, received: 0n, fee: 0n, finishedAt: at };
  return {
    change,
    journals: [],
    history: { at, event: reason, fromState: deposit.state, toState: state, actor, detail },
    callbacks: [depositCallback(deposit, compose.deposit({ ...deposit, ...change }), at)],
  };
}
