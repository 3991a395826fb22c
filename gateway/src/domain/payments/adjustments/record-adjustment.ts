/**
 * The command that records a provider's report after a payment's result. A duplicate counts once. A report about a
 * refund that we ordered goes to the refund's own gate, because the refund is a payout.
 */
import type { Clock, Instant } from '../../../foundation/clock.ts';
import { invariant } from '../../../foundation/invariant.ts';
import { formatMoney, isSameMoney, type Money } from '../../../foundation/money.ts';
import type { AdjustmentComposer } from '../../deposits/deposit-callbacks.ts';
import type { ReportedDifference } from '../../differences/difference.ts';
import type { DifferenceStore } from '../../differences/difference-store.ts';
import type { MerchantDirectory } from '../../merchants/merchant-directory.ts';
import type { Payout, PayoutEvent } from '../../payouts/payout.ts';
import type { PayoutStore } from '../../payouts/payout-store.ts';
import type { SettlePayout } from '../../payouts/settle-payout.ts';
import type { LaterOutcome } from '../attempts/ask-payments.ts';
import type { AttemptKey, PaymentAttempt } from '../attempts/payment-attempt.ts';
import type { LaterNews } from '../payment-rail.ts';
import type { PaymentStore } from '../payment-store.ts';
import type { AdjustmentFacts, AdjustmentKey, AdjustmentStore } from './adjustment-store.ts';
import { atMoneyHolders } from './money-holders.ts';
import { planAdjustment } from './plan-adjustment.ts';

export interface RecordAdjustmentParts {
  readonly store: Pick<AdjustmentStore, 'findPlaces' | 'record'>;
  readonly differences: Pick<DifferenceStore, 'report'>;
  readonly payments: Pick<PaymentStore, 'find'>;
  readonly payouts: Pick<PayoutStore, 'findByReference' | 'find'>;
  readonly settle: SettlePayout;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly compose: AdjustmentComposer;
  readonly clock: Clock;
  /** Called with the recorded report after its commit, for metrics and alerts, and to wake the callback worker. */
  readonly onLater: (about: LaterThing, outcome: 'recorded' | 'excess') => void;
}

/** The report, by the keys for which users search. */
interface LaterThing extends AdjustmentKey {
  readonly rail: string;
  readonly orderId: string;
}

/**
 * - `known`: recorded earlier.
 * - `not_paid`: no payment is known yet that could precede it.
 * - `excess`: a part of it found no money to move, or its amount differs from that of its refund or of an earlier report
 * of the same event: for the operator.
 * - `not_ours`: there is no such payment, or its refund belongs to another payment.
 */
export async function recordAdjustment(
  parts: RecordAdjustmentParts,
  key: AttemptKey,
  news: LaterNews & { readonly providerReference: string },
  actor: string,
): Promise<LaterOutcome> {
  const attempt = await parts.payments.find(key);
  if (!attempt) return 'not_ours';
  if (attempt.state !== 'paid') return 'not_paid';
  if (news.money !== null && news.money.minor <= 0n) return 'known';
  const refund = await findRefund(parts, attempt, news);
  const { outcome, orderId } = refund
    ? await reportRefund(parts, attempt, refund, news, actor)
    : await record(parts, attempt, news, actor);
  if (outcome === 'recorded' || outcome === 'excess')
    parts.onLater({ ...keyOf(attempt, news), rail: attempt.rail, orderId }, outcome);
  return outcome;
}

interface Recorded {
  readonly outcome: LaterOutcome;
  readonly orderId: string;
}

function keyOf({ merchantId, transactionId, attempt }: PaymentAttempt, { kind, key }: LaterNews): AdjustmentKey {
  return { merchantId, transactionId, attempt, kind, key };
}

async function record(
  { store, differences, merchants, compose, clock }: RecordAdjustmentParts,
  attempt: PaymentAttempt,
  news: LaterNews,
  actor: string,
): Promise<Recorded> {
  const at = clock.now();
  const outcome = await atMoneyHolders({ store, merchants }, attempt, (places, known) => {
    const plan = (facts: AdjustmentFacts) => planAdjustment(facts, news, { merchants: known, compose, at, actor });
    return store.record({ ...keyOf(attempt, news), at, places, plan });
  });
  const { orderId } = outcome.deposit;
  if (outcome.kind === 'known') {
    const recorded = outcome.adjustment.money;
    if (news.money === null || isSameMoney(news.money, recorded)) return { outcome: 'known', orderId };
    await differences.report(reversalDifference(attempt, news, recorded, news.money, at));
    return { outcome: 'excess', orderId };
  }
  return { outcome: outcome.plan.short > 0n ? 'excess' : 'recorded', orderId };
}

/** What a report means for our refund. No other kind concerns a refund. */
const REFUND_REPORTS: Readonly<Partial<Record<LaterNews['kind'], PayoutEvent>>> = {
  refunded: 'executed',
  refund_undone: 'reversed',
};

async function findRefund(
  { payouts }: RecordAdjustmentParts,
  { rail }: PaymentAttempt,
  { kind, key }: LaterNews,
): Promise<Payout | undefined> {
  const found = REFUND_REPORTS[kind] && (await payouts.findByReference(rail, key));
  const payout = found && (await payouts.find(found));
  return payout?.purpose === 'refund' ? payout : undefined;
}

async function reportRefund(
  { settle, differences, clock }: RecordAdjustmentParts,
  attempt: PaymentAttempt,
  refund: Payout,
  { kind, key, money, detail }: LaterNews,
  actor: string,
): Promise<Recorded> {
  const event = REFUND_REPORTS[kind];
  invariant(event, 'refund report has no refund event');
  const { payment, order: orderId = '' } = refund.beneficiary.fields;
  if (refund.rail !== attempt.rail || payment !== attempt.reference) return { outcome: 'not_ours', orderId };
  if (money !== null && !isSameMoney(money, refund.money)) {
    await differences.report(refundDifference(refund, `${kind}/${key}`, money, clock.now()));
    return { outcome: 'excess', orderId };
  }
  const outcome = await settle(refund, null, { event, rail: refund.rail, detail, actor, at: clock.now() });
  return { outcome: outcome.kind === 'settled' ? 'recorded' : 'known', orderId };
}

/** Each additional amount is recorded as a separate difference, because a user may have resolved an earlier difference. */
function reversalDifference(
  { rail, reference, merchantId, transactionId }: PaymentAttempt,
  { kind, key }: LaterNews,
  recorded: Money,
  reported: Money,
  foundAt: Instant,
): ReportedDifference {
  const subject = `${reference}/${kind}/${key}/${formatMoney(reported)}`;
  const of = { kind: 'reversal_amount', rail, subject, merchantId, payoutId: null, transactionId, foundAt } as const;
  return { ...of, ours: `${kind} ${formatMoney(recorded)}`, theirs: `${kind} ${formatMoney(reported)}` };
}

function refundDifference(refund: Payout, subject: string, reported: Money, foundAt: Instant): ReportedDifference {
  const { rail, merchantId, payoutId, money } = refund;
  const of = { kind: 'refund_amount', rail, subject, merchantId, payoutId, foundAt } as const;
  const transactionId = Number(refund.beneficiary.fields['transaction_id']);
  return { ...of, transactionId, ours: `${formatMoney(money)} ordered`, theirs: formatMoney(reported) };
}
