/** A payer leaves one attempt, to pay another way, or cancels the full payment. */
import type { Instant } from '../../../foundation/clock.ts';
import type { Deposit } from '../../deposits/deposit.ts';
import type { DepositComposer } from '../../deposits/deposit-callbacks.ts';
import type { DepositPlan } from '../../deposits/deposit-store.ts';
import { planFailure } from '../../deposits/plan-failure.ts';
import type { AttemptOutcome } from '../payment-store.ts';
import { lastAnswer } from './ask-payments.ts';
import { mayBePaid, type PaymentAttempt } from './payment-attempt.ts';
import type { PaymentParts } from './payment-parts.ts';
import type { AttemptNews } from './plan-attempt.ts';
import { type CompletePlan, settleAndRead, settleAttempt } from './settle-attempt.ts';

type LeaveParts = Omit<PaymentParts, 'random' | 'nextTransactionId' | 'limits' | 'onOpened' | 'onEnded'>;

/**
 * Ends an attempt that waits only for the payer, and cancels it at the provider if the rail can. If the provider reports a
 * payment or a decision, that is recorded, so the returned attempt may be paid. Other attempts stay unchanged.
 */
export async function abandonAttempt(
  parts: LeaveParts,
  attempt: PaymentAttempt,
  deposit: Deposit,
): Promise<PaymentAttempt> {
  const rail = railOf(parts, attempt);
  return rail ? settleAndRead(parts, rail, attempt, await askBeforeLeaving(parts, rail, attempt, deposit)) : attempt;
}

/**
 * Ends the deposit as cancelled, unless a provider may have its money. An attempt that waits only for the payer ends in the
 * same commit: otherwise a page could offer the payment again in between. `in_flight`: an attempt has not ended, or brought
 * money on which the operator decides. `ended`: the deposit is already final, in any state.
 */
export async function cancelPayment(
  parts: LeaveParts & Pick<PaymentParts, 'onEnded'>,
  { deposit, attempt }: { readonly deposit: Deposit; readonly attempt?: PaymentAttempt | undefined },
): Promise<'cancelled' | 'in_flight' | 'ended'> {
  const rail = attempt && railOf(parts, attempt);
  if (attempt && rail) {
    const left = await askBeforeLeaving(parts, rail, attempt, deposit);
    if (hasEnded(await settleAttempt(parts, rail, attempt, left, cancelToo(parts.compose)))) return 'cancelled';
  }
  return endDeposit(parts, deposit);
}

/** Returns undefined if the attempt does not wait for the payer, or if its rail is no longer configured. */
function railOf({ rails }: LeaveParts, { rail, state }: PaymentAttempt) {
  return state === 'acting' ? rails.find(({ name }) => name === rail) : undefined;
}

async function askBeforeLeaving(
  parts: LeaveParts,
  rail: PaymentParts['rails'][number],
  attempt: PaymentAttempt,
  deposit: Deposit,
): Promise<AttemptNews> {
  return { ...(await lastAnswer(parts, rail, { attempt, deposit })), reporter: 'payer' };
}

function cancelToo(compose: DepositComposer): CompletePlan {
  return (plan, { deposit, others }, at) =>
    plan.end || [plan.change, ...others].some(mayBePaid)
      ? plan
      : { ...plan, end: planCancellation(deposit, compose, at) ?? null };
}

function hasEnded(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'settled' && outcome.plan.end !== null;
}

function planCancellation(deposit: Deposit, compose: DepositComposer, at: Instant): DepositPlan | undefined {
  return planFailure(deposit, { reason: 'cancelled', actor: 'payer', detail: '' }, { compose, at });
}

async function endDeposit(
  { store, compose, clock, onEnded }: Pick<PaymentParts, 'store' | 'compose' | 'clock' | 'onEnded'>,
  { merchantId, transactionId }: Deposit,
): Promise<'cancelled' | 'in_flight' | 'ended'> {
  const at = clock.now();
  const key = { merchantId, transactionId };
  const ending = await store.end({
    ...key,
    at,
    plan: ({ deposit, attempts }) =>
      attempts.some(mayBePaid) ? 'in_flight' : (planCancellation(deposit, compose, at) ?? 'ended'),
  });
  if (typeof ending === 'string') return ending;
  onEnded(key, { kind: 'settled', plan: ending });
  return 'cancelled';
}
