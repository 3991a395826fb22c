/**
 * What no provider told: attempts whose time to ask has come. Asking changes nothing at a provider, so it may be done by
 * several processes and more than once. An attempt whose payer did not act in time is given up here, with the provider's
 * knowledge where it can be told; one that a provider may have taken is asked about until it says what became of it.
 */
import type { Clock } from '../../foundation/clock.ts';
import { type Deadline, withDeadline } from '../../foundation/deadline.ts';
import { invariant } from '../../foundation/invariant.ts';
import type { Deposit } from '../deposits/deposit.ts';
import type { PaymentPayer, PaymentRail, PaymentStatus } from '../deposits/payment-rail.ts';
import { orderOf, type PaymentParts, record } from './pay.ts';
import type { PaymentAttempt } from './payment-attempt.ts';
import type { DueAttempt } from './payment-store.ts';
import type { AttemptNews } from './settle-attempt.ts';

export type AskParts = Omit<PaymentParts, 'rails' | 'random' | 'nextTransactionId'>;

/** A lease outlives the longest question by enough to record its answer. */
const RECORDING_MS = 30_000;

/** Asks about those that are due, at most `limit`; gives how many there were. */
export async function askDuePayments(parts: AskParts, rail: PaymentRail, limit: number): Promise<number> {
  const now = parts.clock.now();
  const due = await parts.store.claimDue(rail.name, now, now + rail.timeoutMs + RECORDING_MS, limit);
  await Promise.all(due.map((claim) => askOne(parts, rail, claim)));
  return due.length;
}

/** Asks about one now, whoever wants to know. */
export async function askOne(parts: AskParts, rail: PaymentRail, claim: DueAttempt): Promise<PaymentAttempt> {
  return record(parts, rail, claim.attempt, await newsOf(parts, rail, claim));
}

async function newsOf(parts: AskParts, rail: PaymentRail, { attempt, deposit }: DueAttempt): Promise<AttemptNews> {
  const order = await orderToAsk(parts, attempt, deposit);
  const isLate = attempt.state === 'acting' && parts.clock.now() >= deposit.closesAt;
  const { cancel } = rail;
  if (isLate && cancel) return ask(parts, rail, 'cancel', (deadline) => cancel(order, deadline));
  const status = await ask(parts, rail, 'ask', (deadline) => rail.ask(order, deadline));
  return isLate && status.kind === 'step' ? { kind: 'abandoned', detail: 'the payer did not act in time' } : status;
}

async function ask(
  { clock, onRailCall }: { readonly clock: Clock; readonly onRailCall: AskParts['onRailCall'] },
  rail: PaymentRail,
  name: 'ask' | 'cancel',
  work: (deadline: Deadline) => Promise<PaymentStatus>,
): Promise<PaymentStatus> {
  const startedAt = clock.now();
  const answer = await withDeadline(clock, rail.timeoutMs, work);
  onRailCall(rail.name, name, answer.kind, clock.now() - startedAt);
  return answer;
}

/** Of the payer nothing is kept that a question would need. */
const NOBODY: PaymentPayer = {
  userId: '',
  firstName: '',
  lastName: '',
  email: '',
  phone: '',
  country: '',
  address: '',
  city: '',
  postCode: '',
  region: '',
  cpf: '',
  bankId: '',
  language: 'en',
  ip: '',
  browser: {
    userAgent: '',
    acceptHeader: '',
    screenWidth: 0,
    screenHeight: 0,
    colorDepth: 0,
    timeZoneOffset: 0,
    hasJavaScript: false,
  },
};

async function orderToAsk({ merchants }: AskParts, attempt: PaymentAttempt, deposit: Deposit) {
  const found = await merchants.find(attempt.merchantId);
  invariant(found, 'an attempt of a merchant that does not exist');
  return orderOf(deposit, attempt, { merchant: found.merchant, payer: NOBODY, description: '', returnUrl: () => '' });
}
