/**
 * The command by which it is recorded what a provider tells of a payment after its result. Told twice it counts once. What
 * is about a refund that we ordered is the word on that refund, which is a payout: it goes to the payout's own gate.
 */
import type { Clock } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import type { AdjustmentComposer } from '../deposits/deposit-callbacks.ts';
import type { LaterNews } from '../deposits/payment-rail.ts';
import type { MerchantDirectory } from '../merchants/merchant-directory.ts';
import type { PayoutEvent } from '../payouts/payout.ts';
import { type Payout, REFUND_METHOD } from '../payouts/payout.ts';
import type { PayoutStore } from '../payouts/payout-store.ts';
import type { ReportPayout } from '../payouts/report-payout.ts';
import type { AdjustmentKey, AdjustmentStore } from './adjustment-store.ts';
import type { LaterOutcome } from './ask-payments.ts';
import type { AttemptKey, PaymentAttempt } from './payment-attempt.ts';
import type { PaymentStore } from './payment-store.ts';
import { planAdjustment } from './plan-adjustment.ts';

export interface RecordLaterParts {
  readonly store: Pick<AdjustmentStore, 'record'>;
  readonly payments: Pick<PaymentStore, 'find'>;
  readonly payouts: Pick<PayoutStore, 'findByReference' | 'find'>;
  readonly report: ReportPayout;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly compose: AdjustmentComposer;
  readonly clock: Clock;
  /** Told after each commit: for counts, alerts, and to wake the callback worker. */
  readonly onLater: (about: AdjustmentKey & { readonly rail: string }, outcome: LaterOutcome) => void;
}

/**
 * - `known`: told before.
 * - `not_paid`: nobody has said yet that it was paid, so there is nothing that it could follow.
 * - `excess`: recorded, and some of it found no money to move: for the operator.
 * - `not_ours`: there is no such payment, or the refund that it speaks of is another payment's.
 */
export async function recordLater(
  parts: RecordLaterParts,
  key: AttemptKey,
  news: LaterNews & { readonly providerReference: string },
  actor: string,
): Promise<LaterOutcome> {
  const attempt = await parts.payments.find(key);
  if (!attempt) return 'not_ours';
  if (attempt.state !== 'paid') return 'not_paid';
  if (news.money !== null && news.money.minor <= 0n) return 'known';
  const refund = await findRefund(parts, attempt, news);
  const outcome = refund
    ? await reportRefund(parts, attempt, refund, news, actor)
    : await record(parts, attempt, news, actor);
  const { merchantId, transactionId, attempt: number, rail } = attempt;
  parts.onLater({ merchantId, transactionId, attempt: number, rail, kind: news.kind, key: news.key }, outcome);
  return outcome;
}

async function record(
  { store, merchants, compose, clock }: RecordLaterParts,
  attempt: PaymentAttempt,
  news: LaterNews,
  actor: string,
): Promise<LaterOutcome> {
  const found = await merchants.find(attempt.merchantId);
  invariant(found, 'a payment of a merchant that does not exist');
  const { merchant } = found;
  const at = clock.now();
  const { merchantId, transactionId, attempt: number } = attempt;
  const about = { merchantId, transactionId, attempt: number, kind: news.kind, key: news.key };
  const plan = (facts: Parameters<typeof planAdjustment>[0]) =>
    planAdjustment(facts, news, { merchant, compose, at, actor });
  const outcome = await store.record({ ...about, at, plan });
  if (outcome.kind === 'known') return 'known';
  return outcome.plan.short > 0n ? 'excess' : 'recorded';
}

/** What such news say of a refund. No other kind speaks of one. */
const REFUND_REPORTS: Readonly<Partial<Record<LaterNews['kind'], PayoutEvent>>> = {
  refunded: 'executed',
  refund_undone: 'reversed',
};

async function findRefund(
  { payouts }: RecordLaterParts,
  { rail }: PaymentAttempt,
  { kind, key }: LaterNews,
): Promise<Payout | undefined> {
  const found = REFUND_REPORTS[kind] && (await payouts.findByReference(rail, key));
  const payout = found && (await payouts.find(found));
  return payout?.method === REFUND_METHOD ? payout : undefined;
}

async function reportRefund(
  { report, clock }: RecordLaterParts,
  attempt: PaymentAttempt,
  refund: Payout,
  { kind, money, detail }: LaterNews,
  actor: string,
): Promise<LaterOutcome> {
  const event = REFUND_REPORTS[kind];
  invariant(event, 'news that speak of no refund');
  const isOfIt = refund.merchantId === attempt.merchantId && refund.beneficiary.fields['payment'] === attempt.reference;
  if (!isOfIt) return 'not_ours';
  const isAsOrdered =
    money === null || (money.minor === refund.money.minor && money.currency === refund.money.currency);
  if (!isAsOrdered) return 'excess';
  const outcome = await report(refund, null, { event, detail, actor, at: clock.now() });
  return outcome.kind === 'settled' ? 'recorded' : 'known';
}
