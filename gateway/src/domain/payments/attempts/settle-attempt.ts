/**
 * Settles an attempt: plans the effect of a provider's report (plan-attempt.ts), commits the plan and reports the outcome. All
 * responses, notifications and timeouts pass through here.
 */
import type { Clock, Instant } from '../../../foundation/clock.ts';
import { invariant } from '../../../foundation/invariant.ts';
import type { DepositComposer } from '../../deposits/deposit-callbacks.ts';
import { type MerchantDirectory, merchantOf } from '../../merchants/merchant-directory.ts';
import type { PaymentAnswer, PaymentRail } from '../payment-rail.ts';
import type { AttemptOutcome, PaymentStore } from '../payment-store.ts';
import type { AttemptKey, PaymentAttempt } from './payment-attempt.ts';
import {
  type AskIntervals,
  type AttemptFacts,
  type AttemptNews,
  type AttemptPlan,
  planAttempt,
} from './plan-attempt.ts';

export type ComparedReport = Extract<PaymentAnswer, { readonly kind: 'paid' | 'refused' }>;

/** Compares a report that changed nothing with the recorded payment. Resolves once each disagreement is durable. */
export type CompareReport = (key: AttemptKey, report: ComparedReport) => Promise<void>;

export interface SettleAttemptParts {
  readonly store: PaymentStore;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly compose: DepositComposer;
  /** Called with a payment that is already recorded. */
  readonly compareReport: CompareReport;
  readonly clock: Clock;
  /** Called after each commit: for metrics, alerts, open pages, and to wake the callback worker. */
  readonly onSettled: (attempt: AttemptKey, outcome: AttemptOutcome) => void;
}

/** Settles an attempt and resolves to its new state. */
export async function settleAndRead(
  parts: SettleAttemptParts,
  rail: PaymentRail,
  key: AttemptKey,
  news: AttemptNews,
): Promise<PaymentAttempt> {
  await settleAttempt(parts, rail, key, news);
  const settled = await parts.store.find(key);
  invariant(settled, 'attempt not found after it was matched');
  return settled;
}

/** Adds an effect that belongs in the same commit to a plan. */
export type CompletePlan = (plan: AttemptPlan, facts: AttemptFacts, at: Instant) => AttemptPlan;

const AS_PLANNED: CompletePlan = (plan) => plan;

/** Commits the effect of a report about an attempt. */
export async function settleAttempt(
  parts: SettleAttemptParts,
  intervals: AskIntervals,
  { merchantId, transactionId, attempt }: AttemptKey,
  news: AttemptNews,
  complete: CompletePlan = AS_PLANNED,
): Promise<AttemptOutcome> {
  const merchant = await merchantOf(parts.merchants, merchantId);
  const key = { merchantId, transactionId, attempt };
  const at = parts.clock.now();
  const outcomes = await parts.store.settle({
    ...key,
    at,
    plans: oneByOne(news).map((each) => (facts) => {
      const plan = planAttempt(facts, each, { intervals, merchant, compose: parts.compose, at });
      return plan && complete(plan, facts, at);
    }),
  });
  for (const outcome of outcomes) parts.onSettled(key, outcome);
  if (news.kind === 'paid' && !outcomes.every(bringsMoney)) await parts.compareReport(key, news);
  const settled = outcomes.find(({ kind }) => kind === 'settled') ?? outcomes[0];
  invariant(settled, 'notification contains no news');
  return settled;
}

function bringsMoney(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'settled' && outcome.plan.receipt !== null;
}

/** Makes one plan per receipt: each plan sees the state that the previous one left. */
function oneByOne(news: AttemptNews): readonly AttemptNews[] {
  return news.kind === 'paid' ? [news, ...(news.further ?? []).map((receipt) => ({ ...news, ...receipt }))] : [news];
}
