/** Plans the end of a deposit without money, for every reason. */
import { type Deposit, depositTransitions, type FailReason } from './deposit.ts';
import { type DepositComposer, depositCallback } from './deposit-callbacks.ts';
import type { DepositNote, DepositPlan } from './deposit-store.ts';

/** Undefined: it has ended already. Pure. */
export function planFailure(
  deposit: Deposit,
  reason: FailReason,
  { at, actor, detail }: Omit<DepositNote, 'event'>,
  compose: Pick<DepositComposer, 'deposit'>,
): DepositPlan | undefined {
  const state = depositTransitions.next(deposit.state, reason);
  if (state === undefined) return undefined;
  const change = { state, failReason: reason, received: 0n, fee: 0n, finishedAt: at };
  return {
    change,
    journals: [],
    history: { at, event: reason, fromState: deposit.state, toState: state, actor, detail },
    callbacks: [depositCallback(deposit, compose.deposit({ ...deposit, ...change }), at)],
  };
}
