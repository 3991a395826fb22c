/**
 * Processes a provider's notification of a payer's payment. If the notification proves nothing, the gateway queries the
 * provider. A notification that precedes its payment is deferred, so that the provider repeats it. A duplicate, late or
 * reordered notification counts once.
 */

import { invariant } from '../../../foundation/invariant.ts';
import type { DepositKey } from '../../deposits/deposit.ts';
import type { PaymentNews, PaymentRail } from '../payment-rail.ts';
import type { DueAttempt } from '../payment-store.ts';
import { type AskParts, askOne } from './ask-payments.ts';
import { isInFlight } from './payment-attempt.ts';
import { settleAttempt } from './settle-attempt.ts';

interface ProcessPaymentNotificationParts extends AskParts {
  readonly rails: readonly PaymentRail[];
}

type ProcessedNews =
  | { readonly kind: 'recorded' | 'known' }
  | { readonly kind: 'unknown_reference' }
  | { readonly kind: 'unconfirmed'; readonly reason: string };

/** `ended` is the payment of an attempt that had already ended, so that no deadline applies to it. */
export type ProcessedPaymentNotification = ProcessedNews & { readonly ended?: DepositKey };

/** Resolves once the notification is durably recorded, or cannot be recorded at present. */
export async function processPaymentNotification(
  parts: ProcessPaymentNotificationParts,
  name: string,
  news: PaymentNews,
): Promise<ProcessedPaymentNotification> {
  const rail = parts.rails.find((each) => each.name === name);
  invariant(rail, 'payment notification from a rail without payments');
  const key = await parts.store.findByReference(name, news.reference);
  const due = key && (await parts.store.findDue(key));
  if (!due || !(await isAbout(parts, rail, due, news))) return { kind: 'unknown_reference' };
  const processed = await processNews(parts, rail, due, news);
  const { merchantId, transactionId } = due.attempt;
  return isInFlight(due.attempt) ? processed : { ...processed, ended: { merchantId, transactionId } };
}

async function processNews(
  parts: ProcessPaymentNotificationParts,
  rail: PaymentRail,
  due: DueAttempt,
  news: PaymentNews,
): Promise<ProcessedNews> {
  switch (news.kind) {
    case 'ask':
      return ask(parts, rail, due);
    case 'paid':
    case 'refused':
    case 'pending': {
      const outcome = await settleAttempt(parts, rail, due.attempt, { ...news, foundBy: 'notification' });
      // A response to a query may be older than the payment; a notification is the provider's own statement about it.
      if (news.kind === 'refused' && outcome.kind === 'unchanged') await parts.compareReport(due.attempt, news);
      return { kind: outcome.kind === 'settled' ? 'recorded' : 'known' };
    }
    default:
      return processLater(parts, rail, due, news);
  }
}

/**
 * If the provider signs for all its merchants with one key, the notification must contain the payment id that the provider
 * gave us.
 */
async function isAbout(
  parts: ProcessPaymentNotificationParts,
  rail: PaymentRail,
  due: DueAttempt,
  news: PaymentNews,
): Promise<boolean> {
  if (!rail.newsNeedProviderReference || news.kind === 'ask') return true;
  const { attempt } = due.attempt.providerReference === '' ? await askOne(parts, rail, due) : due;
  return attempt.providerReference === news.providerReference;
}

async function ask(parts: ProcessPaymentNotificationParts, rail: PaymentRail, due: DueAttempt): Promise<ProcessedNews> {
  const { attempt, isAnswered } = await askOne(parts, rail, due);
  if (!isAnswered) return { kind: 'unconfirmed', reason: 'the provider did not respond' };
  return { kind: attempt.state === due.attempt.state ? 'known' : 'recorded' };
}

type PaymentLater = Extract<PaymentNews, { readonly key: string }>;

async function processLater(
  parts: ProcessPaymentNotificationParts,
  rail: PaymentRail,
  due: DueAttempt,
  news: PaymentLater,
): Promise<ProcessedNews> {
  let outcome = await parts.recordAdjustment(due.attempt, news, rail.name);
  if (outcome === 'not_paid') {
    await askOne(parts, rail, due);
    outcome = await parts.recordAdjustment(due.attempt, news, rail.name);
  }
  if (outcome === 'not_paid') return { kind: 'unconfirmed', reason: 'the provider has not confirmed the payment yet' };
  if (outcome === 'not_ours') return { kind: 'unknown_reference' };
  return { kind: outcome === 'known' ? 'known' : 'recorded' };
}
