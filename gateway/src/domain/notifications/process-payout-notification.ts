/**
 * Processes a bank's notification of a payout. It is accepted only if its amount equals the payout's and, on a channel that
 * proves nothing, only after the bank confirms it. A repeated final state has no effect.
 */

import type { Clock } from '../../foundation/clock.ts';
import { withDeadline } from '../../foundation/deadline.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import { invariant } from '../../foundation/invariant.ts';
import { isSameMoney } from '../../foundation/money.ts';
import { ANSWER_WITHIN_MS } from '../deposits/confirm-transfer.ts';
import type { Payout } from '../payouts/payout.ts';
import type { PayoutStore } from '../payouts/payout-store.ts';
import { repeatsTheEnd, reportOfAnswer } from '../payouts/plan-settlement.ts';
import type { SettlePayout } from '../payouts/settle-payout.ts';
import type { AskForPayout, PayoutNews } from './rail-notification.ts';

const CONFIRMED = { kind: 'confirmed' } as const;
const STATES_NO_AMOUNT = { kind: 'unconfirmed', reason: 'the notification does not contain an amount' } as const;

/** An execution without an amount or a way to query proves nothing. The worker queries the payout later. */
async function confirmPayout(
  clock: Clock,
  { money }: Payout,
  news: PayoutNews,
): Promise<Awaited<ReturnType<AskForPayout>>> {
  const { ask } = news;
  if (ask) return withDeadline(clock, ANSWER_WITHIN_MS, (deadline) => ask(money, deadline));
  return news.kind === 'executed' && news.money === null ? STATES_NO_AMOUNT : CONFIRMED;
}

export interface PayoutNotificationParts {
  readonly store: Pick<PayoutStore, 'findByReference'>;
  readonly settle: SettlePayout;
  readonly clock: Clock;
}

type ProcessedNews =
  | { readonly kind: 'recorded' | 'known' | 'unknown_reference' | 'wrong_amount' }
  | { readonly kind: 'unconfirmed'; readonly reason: string };

/** `ended` is a payout that had already ended with a different outcome, so no deadline applies to it. */
export type ProcessedPayoutNotification = ProcessedNews & { readonly ended?: PayoutKey };

/** Resolves once the notification is durably recorded, or cannot be recorded at present. */
export async function processPayoutNotification(
  parts: PayoutNotificationParts,
  rail: string,
  news: PayoutNews,
): Promise<ProcessedPayoutNotification> {
  const payout = await parts.store.findByReference(rail, news.reference);
  if (!payout) return { kind: 'unknown_reference' };
  if (!amountFits(payout, news)) return { kind: 'wrong_amount' };
  if (repeatsTheEnd(payout, rail, news.kind)) return { kind: 'known' };
  const processed = await processNews(parts, rail, payout, news);
  const { merchantId, payoutId } = payout;
  return payout.state === 'pending' ? processed : { ...processed, ended: { merchantId, payoutId } };
}

async function processNews(
  { settle, clock }: PayoutNotificationParts,
  rail: string,
  payout: Payout,
  news: PayoutNews,
): Promise<ProcessedNews> {
  const confirmation = await confirmPayout(clock, payout, news);
  if (confirmation.kind === 'unconfirmed') return confirmation;
  const outcome = await settle(payout, null, reportOfAnswer(news, rail, clock.now()));
  invariant(outcome.kind !== 'not_found', 'the payout of a known reference does not exist');
  if (outcome.kind === 'unchanged' && outcome.payout.state === 'pending' && news.kind === 'reversed')
    return { kind: 'unconfirmed', reason: 'another rail has the payout and has not decided yet' };
  return { kind: outcome.kind === 'settled' ? 'recorded' : 'known' };
}

function amountFits(payout: Payout, { money }: PayoutNews): boolean {
  return money === null || isSameMoney(payout.money, money);
}
