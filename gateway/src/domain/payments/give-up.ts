/** A payer who goes no further: with an attempt, to try another way, or with the whole payment. */
import type { Deposit } from '../deposits/deposit.ts';
import { planFailure } from '../deposits/fail-deposit.ts';
import { lastWord } from './ask-payments.ts';
import { type PaymentParts, record } from './pay.ts';
import { mayBePaid, type PaymentAttempt } from './payment-attempt.ts';

const ABANDONED = { kind: 'abandoned', detail: 'the payer chose not to go on' } as const;
const SAYS_NOTHING: ReadonlySet<string> = new Set(['step', 'not_found', 'no_effect', 'unknown']);

/**
 * Ends an attempt that waits for the payer alone; the provider is told, where it can be. What it says of money or of its own
 * decision counts, so the attempt that comes back may be paid. Any other attempt is left as it is.
 */
export async function giveUp(
  parts: Omit<PaymentParts, 'random' | 'nextTransactionId' | 'limits' | 'onOpened' | 'onEnded'>,
  attempt: PaymentAttempt,
  deposit: Deposit,
): Promise<PaymentAttempt> {
  const rail = parts.rails.find(({ name }) => name === attempt.rail);
  if (!rail || attempt.state !== 'acting') return attempt;
  const status = await lastWord(parts, rail, { attempt, deposit });
  return record(parts, rail, attempt, SAYS_NOTHING.has(status.kind) ? ABANDONED : status);
}

/**
 * Ends the deposit as cancelled, where no provider may have its money.
 * `under_way`: an attempt has not ended, or has brought money that somebody decides about. `ended`: the deposit has, in
 * whatever way.
 */
export async function cancelPayment(
  { store, compose, clock, onEnded }: Pick<PaymentParts, 'store' | 'compose' | 'clock' | 'onEnded'>,
  { deposit: { merchantId, transactionId } }: { readonly deposit: Deposit },
): Promise<'cancelled' | 'under_way' | 'ended'> {
  const at = clock.now();
  const note = { at, actor: 'payer', detail: '' };
  const key = { merchantId, transactionId };
  const ending = await store.end({
    ...key,
    at,
    plan: ({ deposit, attempts }) =>
      attempts.some(mayBePaid) ? 'under_way' : (planFailure(deposit, 'cancelled', note, compose) ?? 'ended'),
  });
  if (typeof ending === 'string') return ending;
  onEnded(key, { kind: 'settled', plan: ending });
  return 'cancelled';
}
