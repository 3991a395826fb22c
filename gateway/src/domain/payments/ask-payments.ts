/**
 * What no provider told: attempts whose time to ask has come. Asking changes nothing at a provider, so it may be done by
 * several processes and more than once. An attempt whose payer did not act in time is given up here, with the provider's
 * knowledge where it can be told; one that a provider may have taken is asked about until it says what became of it.
 */
import { invariant } from '../../foundation/invariant.ts';
import { type CallParts, callRail } from './call-rail.ts';
import { orderOf, type PaymentParts, record } from './pay.ts';
import type { AttemptKey, PaymentAttempt } from './payment-attempt.ts';
import type { LaterNews, NoEffect, PaymentOrder, PaymentPayer, PaymentRail, PaymentStatus } from './payment-rail.ts';
import type { DueAttempt } from './payment-store.ts';
import type { AttemptNews } from './settle-attempt.ts';

export interface AskParts
  extends Omit<PaymentParts, 'rails' | 'random' | 'nextTransactionId' | 'limits' | 'onOpened' | 'onEnded'> {
  readonly recordLater: RecordLater;
  /** How much longer than the longest question a lease is. Absent: RECORDING_MS. */
  readonly recordingMs?: number;
}

/** Writes down what came after the result of a payment (record-later.ts). `not_paid`: there is nothing that it could follow. */
export type RecordLater = (
  key: AttemptKey,
  news: LaterNews & { readonly providerReference: string },
  actor: string,
) => Promise<LaterOutcome>;

export type LaterOutcome = 'recorded' | 'known' | 'not_paid' | 'excess' | 'not_ours';

type QuestionParts = CallParts & Pick<AskParts, 'merchants'>;

export interface AskedAttempt {
  /** As it stands now. */
  readonly attempt: PaymentAttempt;
  /** Whether the provider gave an answer that says anything. */
  readonly isAnswered: boolean;
}

/** A lease outlives the longest question by enough to record its answer. */
const RECORDING_MS = 30_000;

/** Asks about those that are due, at most `limit`; gives how many there were. */
export async function askDuePayments(parts: AskParts, rail: PaymentRail, limit: number): Promise<number> {
  const { recordingMs = RECORDING_MS } = parts;
  const now = parts.clock.now();
  const due = await parts.store.claimDue(rail.name, now, now + rail.timeoutMs + recordingMs, limit);
  await Promise.all(due.map((claim) => askOne(parts, rail, claim)));
  return due.length;
}

/** Asks about one now, whoever wants to know. */
export async function askOne(
  parts: AskParts,
  rail: PaymentRail,
  { attempt, deposit }: DueAttempt,
): Promise<AskedAttempt> {
  const askedAt = parts.clock.now();
  const isLate = attempt.state === 'acting' && askedAt >= deposit.closesAt;
  const status = await (isLate ? lastWord : askStatus)(parts, rail, { attempt, deposit });
  const news = isLate ? atTheEnd(status) : whileOpen(attempt, status);
  const settled = await record(parts, rail, attempt, { ...news, askedAt });
  if (status.kind === 'paid') {
    const { providerReference, later = [] } = status;
    for (const news of later) await parts.recordLater(attempt, { ...news, providerReference }, rail.name);
  }
  return { attempt: settled, isAnswered: status.kind !== 'unknown' };
}

const NOT_IN_TIME = { kind: 'abandoned', detail: 'the payer did not act in time' } as const;

/** A step that is still open ends without the payer; a silent provider is asked again. */
function atTheEnd(status: PaymentStatus | NoEffect): AttemptNews {
  if (status.kind === 'step' || status.kind === 'not_found' || status.kind === 'no_effect') return NOT_IN_TIME;
  return status.kind === 'unknown' ? { kind: 'unanswered' } : status;
}

/** Whoever has to act knows how already, and no silence takes it from them. */
function whileOpen({ state }: PaymentAttempt, status: PaymentStatus | NoEffect): AttemptNews {
  const saysNothing = status.kind === 'step' || status.kind === 'not_found' || status.kind === 'unknown';
  return state === 'acting' && saysNothing ? { kind: 'unanswered' } : status;
}

async function askStatus(parts: QuestionParts, rail: PaymentRail, due: DueAttempt): Promise<PaymentStatus> {
  const order = await orderToAsk(parts, due);
  return callRail(parts, rail, 'ask', (deadline) => rail.ask(order, deadline));
}

/** What the provider says to the end of an attempt whose payer has not acted. */
export async function lastWord(
  parts: QuestionParts,
  rail: PaymentRail,
  due: DueAttempt,
): Promise<PaymentStatus | NoEffect> {
  const { cancel } = rail;
  if (!cancel) return askStatus(parts, rail, due);
  const order = await orderToAsk(parts, due);
  return callRail(parts, rail, 'cancel', (deadline) => cancel(order, deadline));
}

/** Of the payer nothing is kept that a question would need. */
export const NOBODY: PaymentPayer = {
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

/** As the rail is told of it when nobody acts: at a question, or when it is given back. */
export async function orderToAsk(
  { merchants }: Pick<QuestionParts, 'merchants'>,
  { attempt, deposit }: DueAttempt,
): Promise<PaymentOrder> {
  const found = await merchants.find(attempt.merchantId);
  invariant(found, 'an attempt of a merchant that does not exist');
  return orderOf(deposit, attempt, { merchant: found.merchant, payer: NOBODY, session: null, returnUrl: () => '' });
}
