/** A payer gives up one attempt, to choose another way, or the whole payment. */
import type { Deposit } from '../deposits/deposit.ts';
import { planFailure } from '../deposits/fail-deposit.ts';
import { lastWord } from './ask-payments.ts';
import { type PaymentParts, record } from './pay.ts';
import { mayBePaid, type PaymentAttempt } from './payment-attempt.ts';

/**
 * Ends an attempt that waits only for the payer, and cancels it at the provider if the rail can. A payment or decision
 * that the provider reports counts, so the returned attempt may be paid. Other attempts stay unchanged.
 */
export async function giveUp(
  parts: Omit<PaymentParts, 'random' | 'nextTransactionId' | 'limits' | 'onOpened' | 'onEnded'>,
  attempt: PaymentAttempt,
  deposit: Deposit,
): Promise<PaymentAttempt> {
  const rail = parts.rails.find(({ name }) => name === attempt.rail);
  if (!rail || attempt.state !== 'acting') return attempt;
  const status = await lastWord(parts, rail, { attempt, deposit });
  return record(parts, rail, attempt, { ...status, reporter: 'payer' });
}

/**
 * Ends the deposit as cancelled, unless a provider may have its money. `in_flight`: an attempt has not ended, or
 * brought money that the operator decides about. `ended`: the deposit has ended already, in any state.
 */
export async function cancelPayment(
  { store, compose, clock, onEnded }: Pick<PaymentParts, 'store' | 'compose' | 'clock' | 'onEnded'>,
  { deposit: { merchantId, transactionId } }: { readonly deposit: Deposit },
): Promise<'cancelled' | 'in_flight' | 'ended'> {
  const at = clock.now();
  const note = { at, actor: 'payer', detail: '' };
  const key = { merchantId, transactionId };
  const ending = await store.end({
    ...key,
    at,
    plan: ({ deposit, attempts }) =>
      attempts.some(mayBePaid) ? 'in_flight' : (planFailure(deposit, 'cancelled', note, compose) ?? 'ended'),
  });
  if (typeof ending === 'string') return ending;
  onEnded(key, { kind: 'settled', plan: ending });
  return 'cancelled';
}
