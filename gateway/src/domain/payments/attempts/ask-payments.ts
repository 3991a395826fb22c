/**
 * Queries providers about attempts that are due for a query. A query has no effect at a provider, so several processes may
 * query, even repeatedly. This module also abandons an attempt whose payer did not act in time, and cancels it at the provider
 * if the rail can. It queries an attempt that a provider may have until the provider reports its outcome.
 */
import type { Instant } from '../../../foundation/clock.ts';
import type { Deposit } from '../../deposits/deposit.ts';
import { merchantOf } from '../../merchants/merchant-directory.ts';
import {
  type CallParts,
  callRail,
  type LaterNews,
  type NoEffect,
  type PaymentOrder,
  type PaymentPayer,
  type PaymentRail,
  type PaymentStatus,
} from '../payment-rail.ts';
import type { DueAttempt } from '../payment-store.ts';
import type { AttemptReporter } from './attempt-transitions.ts';
import type { AttemptKey, PaymentAttempt } from './payment-attempt.ts';
import { paymentOrderOf } from './payment-order.ts';
import type { PaymentParts } from './payment-parts.ts';
import { settleAndRead } from './settle-attempt.ts';

export interface AskParts
  extends Omit<PaymentParts, 'rails' | 'random' | 'nextTransactionId' | 'limits' | 'onOpened' | 'onEnded'> {
  readonly recordAdjustment: RecordAdjustment;
  /** How much the lease exceeds the longest query. Defaults to RECORDING_MS. */
  readonly recordingMs?: number;
}

/** Records a provider's report after a payment's result (record-adjustment.ts). `not_paid`: no payment precedes it. */
export type RecordAdjustment = (
  key: AttemptKey,
  news: LaterNews & { readonly providerReference: string },
  actor: string,
) => Promise<LaterOutcome>;

export type LaterOutcome = 'recorded' | 'known' | 'not_paid' | 'excess' | 'not_ours';

type QueryParts = CallParts & Pick<AskParts, 'merchants'>;

interface AskedAttempt {
  /** The attempt after the response. */
  readonly attempt: PaymentAttempt;
  /** True if the provider returned a usable response. */
  readonly isAnswered: boolean;
}

/** The lease outlives the longest query by enough time to record its response. */
const RECORDING_MS = 30_000;

/** Queries at most `limit` due attempts. Resolves to how many. */
export async function askDuePayments(parts: AskParts, rail: PaymentRail, limit: number): Promise<number> {
  const { recordingMs = RECORDING_MS } = parts;
  const now = parts.clock.now();
  const due = await parts.store.claimDue(rail.name, now, now + rail.timeoutMs + recordingMs, limit);
  await Promise.all(due.map((claim) => askOne(parts, rail, claim)));
  return due.length;
}

/**
 * Queries one attempt now, for any caller. A process with a wrong clock does not treat a deadline as past: it abandons no
 * attempt, and its "not found" proves nothing.
 */
export async function askOne(
  parts: AskParts,
  rail: PaymentRail,
  { attempt, deposit }: DueAttempt,
): Promise<AskedAttempt> {
  const askedAt = (await parts.clockIsRight()) ? parts.clock.now() : Number.NEGATIVE_INFINITY;
  const reporter = reporterOf(attempt, deposit, askedAt);
  const status = await (reporter === 'deadline' ? lastAnswer : askStatus)(parts, rail, { attempt, deposit });
  const settled = await settleAndRead(parts, rail, attempt, { ...status, reporter, askedAt });
  if (status.kind === 'paid') {
    const { providerReference, later = [] } = status;
    for (const news of later) await parts.recordAdjustment(attempt, { ...news, providerReference }, rail.name);
  }
  return { attempt: settled, isAnswered: status.kind !== 'unknown' };
}

function reporterOf({ state }: PaymentAttempt, { closesAt }: Deposit, askedAt: Instant): AttemptReporter {
  if (state !== 'acting') return 'provider';
  return askedAt < closesAt ? 'inquiry' : 'deadline';
}

async function askStatus(parts: QueryParts, rail: PaymentRail, due: DueAttempt): Promise<PaymentStatus> {
  const order = await orderToAsk(parts, due);
  return callRail(parts, rail, 'ask', order, (deadline) => rail.ask(order, deadline));
}

/** Returns the provider's response at the end of an attempt whose payer did not act. */
export async function lastAnswer(
  parts: QueryParts,
  rail: PaymentRail,
  due: DueAttempt,
): Promise<PaymentStatus | NoEffect> {
  const { cancel } = rail;
  if (!cancel) return askStatus(parts, rail, due);
  const order = await orderToAsk(parts, due);
  return callRail(parts, rail, 'cancel', order, (deadline) => cancel(order, deadline));
}

/** A query needs no details of the payer. */
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
    timeZone: '',
    hasJavaScript: false,
  },
};

/** Returns the order for calls without a payer: a query or a refund. */
export async function orderToAsk(
  { merchants }: Pick<QueryParts, 'merchants'>,
  { attempt, deposit }: DueAttempt,
): Promise<PaymentOrder> {
  const merchant = await merchantOf(merchants, attempt.merchantId);
  return paymentOrderOf(deposit, attempt, { merchant, payer: NOBODY, session: null, returnUrl: () => '' });
}
