/** Forwards a payer's return from the provider's page to the provider, outside every transaction. */
import type { Deposit } from '../../deposits/deposit.ts';
import { callRail, type PayerReturn } from '../payment-rail.ts';
import type { PaymentAttempt } from './payment-attempt.ts';
import { paymentOrderOf } from './payment-order.ts';
import type { PaymentParts, SubmittedPayment } from './payment-parts.ts';
import { planReturn } from './plan-attempt.ts';
import { settleAndRead } from './settle-attempt.ts';

/**
 * The payer returns from a provider's page. An attempt that has ended, or waits only for the provider, stays unchanged. The
 * gateway does not forward a return whose response could arrive after the attempt is abandoned.
 */
export async function handleReturn(
  parts: PaymentParts,
  attempt: PaymentAttempt,
  deposit: Deposit,
  submitted: Omit<SubmittedPayment, 'card' | 'paymentType' | 'attemptsSeen'>,
  returned: PayerReturn,
): Promise<PaymentAttempt> {
  const rail = parts.rails.find(({ name }) => name === attempt.rail);
  const isLate = rail !== undefined && parts.clock.now() + rail.timeoutMs > deposit.closesAt;
  if (!rail || isLate || attempt.state !== 'acting') return attempt;
  if (rail.returnActs && !(await countReturn(parts, attempt))) return (await parts.store.find(attempt)) ?? attempt;
  const order = paymentOrderOf(deposit, attempt, submitted);
  const answer = await callRail(parts, rail, 'handle_return', order, (deadline) =>
    rail.handleReturn(order, returned, deadline),
  );
  return settleAndRead(parts, rail, attempt, { ...answer, returnFrom: attempt.kept });
}

/** Resolves to false if the attempt no longer waits for this step. */
async function countReturn({ store, clock }: PaymentParts, attempt: PaymentAttempt): Promise<boolean> {
  const { merchantId, transactionId, attempt: number, kept } = attempt;
  const key = { merchantId, transactionId, attempt: number };
  const counted = await store.settle({ ...key, at: clock.now(), plans: [(facts) => planReturn(facts, kept)] });
  return counted[0]?.kind === 'settled';
}
