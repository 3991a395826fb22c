/** A payment in the form in which its rail receives it. */
import type { Deposit } from '../../deposits/deposit.ts';
import type { FormSession } from '../form-session.ts';
import type { PaymentOrder } from '../payment-rail.ts';
import type { PaymentAttempt } from './payment-attempt.ts';
import type { SubmittedPayment } from './payment-parts.ts';

/** Returns the order as its rail sees it, for the first and all later calls. Without a session there is no payer to act. */
export function paymentOrderOf(
  deposit: Deposit,
  attempt: PaymentAttempt,
  {
    session,
    merchant,
    payer,
    returnUrl,
  }: Pick<SubmittedPayment, 'merchant' | 'payer' | 'returnUrl'> & { readonly session: FormSession | null },
): PaymentOrder {
  return {
    reference: attempt.reference,
    providerReference: attempt.providerReference,
    kept: attempt.kept,
    money: deposit.money,
    merchantName: merchant.name,
    signedOrder: session?.isSigned ? session.orderId : '',
    payer,
    returnUrl: returnUrl(attempt),
    expiresAt: deposit.expiresAt,
    startedAt: attempt.startedAt,
  };
}
