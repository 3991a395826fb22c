/**
 * The payer's actions on the hosted form: an attempt to pay, and the return from a provider's page. The gateway commits
 * each attempt before it calls the provider, and calls it outside of every transaction. This file holds a card number
 * and its CVV only during the call.
 */
import { type Instant, MINUTE_MS } from '../../../foundation/clock.ts';
import type { MerchantId } from '../../../foundation/identifiers.ts';
import { invariant } from '../../../foundation/invariant.ts';
import { type Random, randomAlphanumeric } from '../../../foundation/random.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import type { Deposit, DepositKey } from '../../deposits/deposit.ts';
import type { DepositSettlementOutcome, Displacement } from '../../deposits/deposit-store.ts';
import { planDisplacement } from '../../deposits/plan-displacement.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import type { FormPaymentType } from '../../methods/payment-type.ts';
import type { Vault } from '../../vault/vault.ts';
import { choosePaymentRail } from '../choose-payment-rail.ts';
import type { ReceiptAddress } from '../email-receipts.ts';
import type { FormSession } from '../form-session.ts';
import {
  type CallParts,
  callRail,
  type PayerReturn,
  type PaymentAnswer,
  type PaymentCard,
  type PaymentOrder,
  type PaymentPayer,
  type PaymentRail,
} from '../payment-rail.ts';
import type { BeginOutcome } from '../payment-store.ts';
import { keepWallet, type WalletPayment } from '../wallet.ts';
import { type CountingParts, countAttempt, type LimitSubject } from './attempt-limits.ts';
import { keepCard, type PaymentAttempt } from './payment-attempt.ts';
import { planReturn } from './plan-attempt.ts';
import { type SettleAttemptParts, settleAndRead } from './settle-attempt.ts';

/** The attempt limits, and the vault that hashes the counted values and seals cards. */
export interface LimitParts extends CountingParts {
  readonly vault: Pick<Vault, 'sealFields' | 'fingerprint'>;
  /** Called for each attempt that a limit rejected. */
  readonly onAttemptLimitReached: (merchantId: MerchantId, subject: LimitSubject, at: Instant) => void;
}

export interface PaymentParts extends CallParts, SettleAttemptParts {
  readonly rails: readonly PaymentRail[];
  /** False: the clocks of this machine and the database differ too much. Another process would misjudge the attempt's times. */
  readonly clockIsRight: () => Promise<boolean>;
  readonly random: Random;
  /** Whether a mail server is configured. */
  readonly canEmail: boolean;
  readonly nextTransactionId: () => Promise<number>;
  readonly limits: LimitParts;
  /** Called when a form becomes a deposit, with the deposit that lost its order to it. */
  readonly onOpened: (deposit: Deposit, displaced: Displacement | null) => void;
  /** Called when a payer cancels the payment. */
  readonly onEnded: (key: DepositKey, outcome: DepositSettlementOutcome) => void;
}

export interface SubmittedPayment {
  readonly session: FormSession;
  /** The number of attempts that the payer had seen, so that a repeated press makes no second one. */
  readonly attemptsSeen: number;
  readonly merchant: Merchant;
  readonly paymentType: FormPaymentType;
  readonly payer: PaymentPayer;
  /** The card or wallet of a card rail; null for all others. */
  readonly card: PaymentCard | WalletPayment | null;
  /** The payer's return address for an attempt. */
  readonly returnUrl: (attempt: PaymentAttempt) => string;
}

export type AttemptRejection =
  | { readonly kind: 'method_unavailable' }
  | { readonly kind: 'merchant_disabled' }
  | { readonly kind: 'session_expired' }
  | Exclude<BeginOutcome, { readonly kind: 'begun' | 'attempt_limit' | 'no_session' }>
  /** Too many attempts to this target, from this address, or on this merchant's unsigned forms. */
  | { readonly kind: 'attempt_limit' };

/** Follows the payer's time, so that the command that ends the deposit sees an attempt from its last moment. */
const CLOSING_MS = MINUTE_MS;

/** A sender that was suspended in between writes nothing after its deadline. Queries begin after it. */
const COMMIT_GRACE_MS = 2_000;

/** The detail of an attempt that the gateway never sent, because its commit took longer than COMMIT_GRACE_MS. */
export const TOO_LATE_TO_SEND = 'it was too late to send';

/**
 * Makes one attempt. Resolves when the provider has answered or the call timed out; the attempt holds the answer.
 * Throws the store's errors. The attempt's existence is then unknown, and the page must look it up.
 */
export async function startAttempt(
  parts: PaymentParts,
  wanted: SubmittedPayment,
): Promise<Result<PaymentAttempt, AttemptRejection>> {
  const { session, merchant, paymentType, attemptsSeen } = wanted;
  if (merchant.state === 'suspended') return fail({ kind: 'merchant_disabled' });
  const rail = choosePaymentRail(parts.rails, merchant, paymentType, session.money.currency);
  if (!rail || !(await parts.clockIsRight())) return fail({ kind: 'method_unavailable' });
  const startedAt = parts.clock.now();
  if (session.transactionId === null && startedAt >= session.expiresAt) return fail({ kind: 'session_expired' });
  const { card } = wanted;
  const deposit = await depositOf(parts, wanted, rail, startedAt);
  const displacing = { merchant, compose: parts.compose, by: deposit.transactionId, at: startedAt };
  const begun = await parts.store.begin({
    session,
    deposit,
    displace: (facts) => planDisplacement(facts, displacing),
    attempt: newAttempt(parts, wanted, rail, startedAt),
    card: card && !isWallet(card) ? keepCard(parts.limits.vault, merchant, card, startedAt) : null,
    wallet: card && isWallet(card) ? keepWallet(parts.limits.vault, card) : null,
    counted: countAttempt(parts.limits, { ...wanted, card: card && !isWallet(card) ? card : null, rail }),
    receiptTo: receiptAddress(parts, wanted),
    attemptsSeen,
    mostAttempts: merchant.settings.form_attempts,
  });
  invariant(begun.kind !== 'no_session', 'a form session is gone');
  if (begun.kind === 'attempt_limit') parts.limits.onAttemptLimitReached(merchant.merchantId, begun.subject, startedAt);
  if (begun.kind !== 'begun') return fail(begun);
  const { attempt } = begun;
  if (attempt.attempt === 1) parts.onOpened(begun.deposit, begun.displaced);
  const order = orderOf(begun.deposit, attempt, wanted);
  // Checks clock and time right before the write: a sender that wakes up late must not call the provider.
  const isLate = !(await parts.clockIsRight()) || parts.clock.now() + rail.timeoutMs > attempt.sendUntil;
  const answer: PaymentAnswer = isLate
    ? { kind: 'not_accepted', reason: TOO_LATE_TO_SEND }
    : await callRail(parts, rail, 'start', order, (deadline) => rail.start(order, card, deadline));
  return ok(await settleAndRead(parts, rail, attempt, answer));
}

/**
 * The payer returns from a provider's page. An attempt that has ended, or waits only for the provider, stays unchanged.
 * The gateway passes on no return whose answer could come after the attempt is abandoned.
 */
export async function handleReturn(
  parts: PaymentParts,
  attempt: PaymentAttempt,
  deposit: Deposit,
  wanted: Omit<SubmittedPayment, 'card' | 'paymentType' | 'attemptsSeen'>,
  returned: PayerReturn,
): Promise<PaymentAttempt> {
  const rail = parts.rails.find(({ name }) => name === attempt.rail);
  const isLate = rail !== undefined && parts.clock.now() + rail.timeoutMs > deposit.closesAt;
  if (!rail || isLate || attempt.state !== 'acting') return attempt;
  if (rail.returnActs && !(await countReturn(parts, attempt))) return (await parts.store.find(attempt)) ?? attempt;
  const order = orderOf(deposit, attempt, wanted);
  const answer = await callRail(parts, rail, 'go_on', order, (deadline) =>
    rail.handleReturn(order, returned, deadline),
  );
  return settleAndRead(parts, rail, attempt, { ...answer, returnFrom: attempt.kept });
}

/** False: the attempt no longer waits for this step. */
async function countReturn({ store, clock }: PaymentParts, attempt: PaymentAttempt): Promise<boolean> {
  const { merchantId, transactionId, attempt: number, kept } = attempt;
  const key = { merchantId, transactionId, attempt: number };
  const counted = await store.settle({ ...key, at: clock.now(), plans: [(facts) => planReturn(facts, kept)] });
  return counted[0]?.kind === 'settled';
}

function isWallet(means: PaymentCard | WalletPayment): means is WalletPayment {
  return 'wallet' in means;
}

/** Null: the payer gave no address, the merchant wants no receipts by e-mail, or no mail server is configured. */
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
  const expiresAt = createdAt + rail.validityMs;
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
    state: 'pending',
    failReason: null,
    received: 0n,
    fee: 0n,
    createdAt,
    expiresAt,
    closesAt: expiresAt + CLOSING_MS,
    finishedAt: null,
    displacedBy: null,
  };
}

function newAttempt(
  { random }: PaymentParts,
  { session, paymentType }: SubmittedPayment,
  rail: PaymentRail,
  startedAt: number,
) {
  const sendUntil = startedAt + COMMIT_GRACE_MS + rail.timeoutMs;
  // The digits follow from the session, so that a provider's statement sorts by time. The random part makes the
  // reference unique.
  const digits = `${session.createdAt}`.slice(-13);
  const reference = `${digits}-${randomAlphanumeric(random, 8)}`;
  return { rail: rail.name, paymentType, reference, startedAt, sendUntil, askAt: sendUntil + rail.askAfterMs[0] };
}

/** The rail's view of the order, for the first call and all later ones. Without a session there is no payer to act. */
export function orderOf(
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
