/**
 * Opens the hosted form for a payer: the gateway stores the merchant's request with a token. It calls no provider and creates
 * no deposit before the payer submits (decision 34).
 */
import { type Clock, HOUR_MS, MINUTE_MS } from '../../../foundation/clock.ts';
import type { Random } from '../../../foundation/random.ts';
import type { FormPaymentType } from '../../methods/payment-type.ts';
import { createToken, type FormSession, hashOfToken } from '../form-session.ts';
import type { PaymentStore } from '../payment-store.ts';
import { decideOpening } from './order-claim.ts';

interface OpenFormParts {
  readonly store: Pick<PaymentStore, 'openSession' | 'findOrder'>;
  readonly clock: Clock;
  readonly random: Random;
}

interface FormOpening extends Omit<FormSession, 'sessionId' | 'transactionId' | 'createdAt' | 'expiresAt'> {
  /** The payment types that the payer can choose. */
  readonly possibleTypes: readonly FormPaymentType[];
}

/** How long a page of each type waits for the payer to submit (decision 33). */
const SUBMIT_WITHIN_MS: Readonly<Record<FormPaymentType, number>> = {
  card: 30 * MINUTE_MS,
  open_banking: 24 * HOUR_MS,
  e_transfer: 24 * HOUR_MS,
  instant_bank: 24 * HOUR_MS,
  bank_transfer_iframe: 24 * HOUR_MS,
};

/** Resolves to the token for the page's URL, or to `paid`. An opened link shows the payment in progress or its receipt. */
export async function openForm(
  parts: OpenFormParts,
  { possibleTypes, ...asked }: FormOpening,
): Promise<{ readonly token: string } | 'paid'> {
  const createdAt = parts.clock.now();
  const holder = await parts.store.findOrder(asked);
  const opening = holder ? decideOpening(holder, { by: 'form', at: createdAt, ...asked }) : 'fresh';
  if (opening === 'paid') return 'paid';
  const session: FormSession = {
    ...asked,
    sessionId: parts.random.uuid(),
    transactionId: holder && opening === 'resumed' ? holder.deposit.transactionId : null,
    createdAt,
    expiresAt: createdAt + Math.max(...possibleTypes.map((type) => SUBMIT_WITHIN_MS[type])),
  };
  const token = createToken(parts.random);
  await parts.store.openSession(session, hashOfToken(token));
  return { token };
}
