/**
 * A payer's attempt on the hosted form. The gateway commits each attempt before it calls the provider, and calls it outside
 * every transaction. This module holds a card number and its CVV only during the call.
 */
import { MINUTE_MS } from '../../../foundation/clock.ts';
import { invariant } from '../../../foundation/invariant.ts';
import { randomAlphanumeric } from '../../../foundation/random.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import { type Deposit, unpaid } from '../../deposits/deposit.ts';
import { planDisplacement } from '../../deposits/plan-displacement.ts';
import { choosePaymentRail } from '../choose-payment-rail.ts';
import { callRail, type PaymentAnswer, type PaymentCard, type PaymentRail } from '../payment-rail.ts';
import type { BeginOutcome } from '../payment-store.ts';
import type { ReceiptAddress } from '../receipt-email-store.ts';
import { keepWallet, type WalletPayment } from '../wallet.ts';
import { countAttempt } from './attempt-limits.ts';
import { keepCard, type PaymentAttempt } from './payment-attempt.ts';
import { paymentOrderOf } from './payment-order.ts';
import type { PaymentParts, SubmittedPayment } from './payment-parts.ts';
import { settleAndRead } from './settle-attempt.ts';

export type AttemptRejection =
  | { readonly kind: 'method_unavailable' }
  | { readonly kind: 'merchant_disabled' }
  | { readonly kind: 'session_expired' }
  | Exclude<BeginOutcome, { readonly kind: 'begun' | 'attempt_limit' | 'no_session' }>
  /** Too many attempts to this target, from this address, or on this merchant's unsigned forms. */
  | { readonly kind: 'attempt_limit' };

/** After the payer's time, so that the command that ends the deposit sees an attempt from its last moment. */
const CLOSING_MS = MINUTE_MS;

/** A sender that was suspended in between writes nothing after its deadline. Queries begin after it. */
const COMMIT_GRACE_MS = 2_000;

/** The detail of an attempt that the gateway never sent, because its commit took longer than COMMIT_GRACE_MS. */
export const TOO_LATE_TO_SEND = 'it was too late to send';

/**
 * Makes one attempt. Resolves once the provider has responded or the call has timed out; the attempt contains the response.
 * Throws the store's errors: the attempt may then exist, and the page must look it up.
 */
export async function startAttempt(
  parts: PaymentParts,
  submitted: SubmittedPayment,
): Promise<Result<PaymentAttempt, AttemptRejection>> {
  const { session, merchant, paymentType, attemptsSeen } = submitted;
  if (merchant.state === 'suspended') return fail({ kind: 'merchant_disabled' });
  const rail = choosePaymentRail(parts.rails, merchant, paymentType, session.money.currency);
  if (!rail || !(await parts.clockIsRight())) return fail({ kind: 'method_unavailable' });
  const startedAt = parts.clock.now();
  if (session.transactionId === null && startedAt >= session.expiresAt) return fail({ kind: 'session_expired' });
  const { card } = submitted;
  const deposit = await depositOf(parts, submitted, rail, startedAt);
  const begun = await parts.store.begin({
    session,
    deposit,
    displace: (facts) =>
      planDisplacement(facts, { by: deposit.transactionId }, { merchant, compose: parts.compose, at: startedAt }),
    attempt: newAttempt(parts, submitted, rail, startedAt),
    card: card && !isWallet(card) ? keepCard(parts.limits.vault, merchant, card, startedAt) : null,
    wallet: card && isWallet(card) ? keepWallet(parts.limits.vault, card) : null,
    counted: countAttempt(parts.limits, { ...submitted, card: card && !isWallet(card) ? card : null, rail }),
    receiptTo: receiptAddress(parts, submitted),
    attemptsSeen,
    mostAttempts: merchant.settings.form_attempts,
  });
  invariant(begun.kind !== 'no_session', 'form session not found after it was read');
  if (begun.kind === 'attempt_limit') parts.limits.onAttemptLimitReached(merchant.merchantId, begun.subject, startedAt);
  if (begun.kind !== 'begun') return fail(begun);
  const { attempt } = begun;
  if (attempt.attempt === 1) parts.onOpened(begun.deposit, begun.displaced);
  const order = paymentOrderOf(begun.deposit, attempt, submitted);
  // Check the clock and the time right before the write: a sender that wakes up late must not call the provider.
  const isLate = !(await parts.clockIsRight()) || parts.clock.now() + rail.timeoutMs > attempt.sendUntil;
  const answer: PaymentAnswer = isLate
    ? { kind: 'not_accepted', reason: TOO_LATE_TO_SEND }
    : await callRail(parts, rail, 'start', order, (deadline) => rail.start(order, card, deadline));
  return ok(await settleAndRead(parts, rail, attempt, answer));
}

function isWallet(means: PaymentCard | WalletPayment): means is WalletPayment {
  return 'wallet' in means;
}

/** Returns null if the payer has no address, no mail server is configured, or the merchant wants no receipts by email. */
function receiptAddress(
  { canEmail }: PaymentParts,
  { session, merchant, payer }: SubmittedPayment,
): ReceiptAddress | null {
  const { email, language, browser } = payer;
  if (!canEmail || email === '' || merchant.settings.receipt_email !== 'on') return null;
  return { email, language, timeZone: browser.timeZone, isSigned: session.isSigned };
}

async function depositOf(
  { random, nextTransactionId }: PaymentParts,
  { session, paymentType, payer }: SubmittedPayment,
  rail: PaymentRail,
  createdAt: number,
): Promise<Deposit> {
  const { merchantId, orderId, money, amountText } = session;
  return {
    merchantId,
    transactionId: await nextTransactionId(),
    uuid: random.uuid(),
    orderId,
    paymentType,
    money,
    amountText,
    payer: { userId: payer.userId, firstName: payer.firstName, lastName: payer.lastName },
    rail: rail.name,
    payTo: '',
    beneficiary: '',
    ...unpaid(createdAt, rail.validityMs, CLOSING_MS),
  };
}

function newAttempt(
  { random }: PaymentParts,
  { session, paymentType }: SubmittedPayment,
  rail: PaymentRail,
  startedAt: number,
) {
  const sendUntil = startedAt + COMMIT_GRACE_MS + rail.timeoutMs;
  // The digits follow from the session, so that statements sort by time. The random part makes the reference unique.
  const digits = `${session.createdAt}`.slice(-13);
  const reference = `${digits}-${randomAlphanumeric(random, 8)}`;
  return { rail: rail.name, paymentType, reference, startedAt, sendUntil, askAt: sendUntil + rail.askAfterMs[0] };
}
