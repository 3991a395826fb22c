/** Plans the final state of a deposit without money, for every reason except the loss of its order (plan-displacement.ts). */
import type { Instant } from '../../foundation/clock.ts';
import type { Deposit, FailReason } from './deposit.ts';
import { type DepositComposer, depositCallback } from './deposit-callbacks.ts';
import type { DepositNote, DepositPlan } from './deposit-store.ts';
import { stateAfter } from './deposit-transitions.ts';

interface Failure extends Pick<DepositNote, 'actor' | 'detail'> {
  readonly reason: Exclude<FailReason, 'displaced'>;
}

/** Pure. Returns undefined if the deposit is already final. */
export function planFailure(
  deposit: Deposit,
  { reason, actor, detail }: Failure,
  { compose, at }: { readonly compose: Pick<DepositComposer, 'deposit'>; readonly at: Instant },
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
