/**
 * Processes one bank notification, from its bytes to the record of all its events. The outcome is `recorded` only after all
 * events are durable. Until then the bank must repeat the notification, and a repeat has no further effect.
 */

import { OutcomeUnknown, Overloaded } from '../../foundation/commit-errors.ts';
import { formatMoney } from '../../foundation/money.ts';
import type { WithParts } from '../../foundation/with-parts.ts';
import type { confirmTransfer } from '../deposits/confirm-transfer.ts';
import type { ProcessTransfer } from '../deposits/process-transfer.ts';
import { type DifferenceObject, OF_NOTHING_OF_OURS } from '../differences/difference.ts';
import type { DifferenceStore } from '../differences/difference-store.ts';
import type {
  ProcessedPaymentNotification,
  processPaymentNotification,
} from '../payments/attempts/process-payment-notification.ts';
import type { PaymentNews } from '../payments/payment-rail.ts';
import type { ForgottenNotification, recordForgotten } from '../reconciliation/record-forgotten-notification.ts';
import { isCardNumberAsId, maskedIdentifier } from '../vault/card-number.ts';
import {
  type PayoutNotificationParts,
  type ProcessedPayoutNotification,
  processPayoutNotification,
} from './process-payout-notification.ts';
import type {
  Acknowledgement,
  PaymentNotification,
  PayoutNews,
  RailNews,
  RailNotifications,
  RawNotification,
  TransferNews,
} from './rail-notification.ts';

type NewsKind = Exclude<RailNews, PaymentNotification>['kind'] | PaymentNews['kind'];

/** The outcome of a notification, or of one event in it, for logs, metrics and alerts. It contains no secret. */
export type RailNotificationEvent = RailNotificationOutcome & {
  /** The object, if it had ended before the notification, so that no deadline applies to it. */
  readonly ended?: DifferenceObject;
};

type RailNotificationOutcome =
  /** `reference` is ours for a payout or a payment, and the bank's for a transfer. */
  | { readonly kind: 'recorded'; readonly rail: string; readonly reference: string; readonly news: NewsKind }
  /** Already recorded, from an earlier notification or from the response to the gateway's own call. */
  | { readonly kind: 'known'; readonly rail: string; readonly reference: string; readonly news: NewsKind }
  | { readonly kind: 'unknown_reference'; readonly rail: string; readonly reference: string }
  /** The amount differs from the payout's, so the gateway ignores it. The worker queries the bank instead. */
  | { readonly kind: 'wrong_amount'; readonly rail: string; readonly reference: string }
  | { readonly kind: 'unauthentic'; readonly rail: string }
  | { readonly kind: 'malformed'; readonly rail: string; readonly reason: string }
  /** The gateway queried the bank, which reported otherwise or did not respond. */
  | { readonly kind: 'unconfirmed'; readonly rail: string; readonly reference: string; readonly reason: string }
  /** The gateway has no capacity now. The bank repeats the notification. */
  | { readonly kind: 'overloaded'; readonly rail: string };

export interface ProcessNotificationParts extends PayoutNotificationParts {
  readonly confirm: WithParts<typeof confirmTransfer>;
  readonly processTransfer: ProcessTransfer;
  readonly processPayment: WithParts<typeof processPaymentNotification>;
  readonly recordForgotten: WithParts<typeof recordForgotten>;
  readonly differences: Pick<DifferenceStore, 'report' | 'dismiss'>;
  /** `isKept` is true if a difference stores the event until a user resolves it. */
  readonly onNotification: (event: RailNotificationEvent, isKept: boolean) => void;
}

export type NotificationRejection = Exclude<RailNotificationEvent['kind'], 'known' | 'recorded'>;

type ProcessedNotification =
  | { readonly outcome: 'recorded'; readonly acknowledgement: Acknowledgement }
  | { readonly outcome: NotificationRejection };

/** Throws for a bug and for an unreachable database. The bank then gets no acknowledgement. */
export async function processNotification(
  parts: ProcessNotificationParts,
  rail: RailNotifications,
  raw: RawNotification,
): Promise<ProcessedNotification> {
  const reading = rail.read(raw);
  if (!reading.ok) {
    parts.onNotification({ ...reading.error, rail: rail.name }, false);
    return { outcome: reading.error.kind };
  }
  let rejection: NotificationRejection | undefined;
  let { acknowledgement } = reading.value;
  try {
    // In order, because a later event about a payout may depend on an earlier event.
    for (const news of reading.value.news) {
      const event = withoutCard(news, await processNews(parts, rail.name, news));
      parts.onNotification(event, await keepDifference(parts, news, event));
      if (event.kind !== 'recorded' && event.kind !== 'known') rejection = event.kind;
      else if (news.kind === 'sent_back' && event.news === 'received') acknowledgement = news.ifReceived;
    }
  } catch (error) {
    if (!(error instanceof Overloaded || error instanceof OutcomeUnknown)) throw error;
    parts.onNotification({ kind: 'overloaded', rail: rail.name }, false);
    return { outcome: 'overloaded' };
  }
  return rejection ? { outcome: rejection } : { outcome: 'recorded', acknowledgement };
}

/**
 * Masks card numbers in the event, so that no log line or difference contains one. None of our references is a card number.
 * The key of a transfer has several parts, any of which may be a card number.
 */
function withoutCard(news: RailNews, event: RailNotificationEvent): RailNotificationEvent {
  if (!('reference' in event) || !('transfer' in news || isCardNumberAsId(event.reference))) return event;
  return { ...event, reference: maskedIdentifier(event.reference) };
}

/** Rejected notifications that become differences, because the bank may never repeat them. */
const DIFFERENCES = {
  unknown_reference: { kind: 'unknown_reference', ours: 'unknown' },
  wrong_amount: { kind: 'payout_amount', ours: 'another amount' },
} as const;

/** Stores a rejected notification as a difference. Resolves to false for an event without a difference. */
async function keepDifference(
  { differences, recordForgotten, clock }: ProcessNotificationParts,
  news: RailNews,
  event: RailNotificationEvent,
): Promise<boolean> {
  const { kind, rail } = event;
  // In a restored gateway this may be a lost payout, which has its own difference.
  if (kind === 'unknown_reference' && (await recordForgotten(rail, unmatchedOf(news, event.reference)))) return true;
  const of = { ...OF_NOTHING_OF_OURS, foundAt: clock.now() } as const;
  if (kind === 'unknown_reference' || kind === 'wrong_amount') {
    const difference = { ...of, rail, subject: event.reference, ...DIFFERENCES[kind], theirs: wordsOf(news) };
    await differences.report(difference);
    return true;
  }
  const isAskedMoney = news.kind === 'received' && news.ask !== undefined;
  // Such a notification contains no outcome, and its provider repeats it. A timeout of the query therefore loses nothing.
  const isOnlyAsked = news.kind === 'payment' && news.news.kind === 'ask';
  if (isOnlyAsked || (!isAskedMoney && event.ended === undefined)) return false;
  if (kind === 'unconfirmed') {
    const difference = { ...of, ...event.ended, rail, kind, subject: subjectOf(news, event) };
    await differences.report({ ...difference, ours: event.reason, theirs: wordsOf(news) });
    return true;
  }
  if (kind === 'recorded' || (kind === 'known' && event.ended)) {
    const confirmed = { rail, kind: 'unconfirmed', subject: subjectOf(news, event) } as const;
    await differences.dismiss(confirmed, 'the bank confirmed it', of.foundAt);
  }
  return false;
}

/** A payout or payment can change more than once after its final state, and only a report of the same change confirms it. */
function subjectOf(news: RailNews, { reference, ended }: { reference: string; ended?: DifferenceObject }): string {
  return ended ? `${reference} ${unmatchedOf(news, reference).kind}` : reference;
}

/** Describes the reported kind and amount for users. */
function wordsOf(news: RailNews): string {
  const { kind, money } = unmatchedOf(news, '');
  return money ? `${kind}, ${formatMoney(money)}` : kind;
}

function unmatchedOf(news: RailNews, reference: string): ForgottenNotification {
  const reported = news.kind === 'payment' ? news.news : news;
  const { kind } = reported;
  const money = 'transfer' in reported ? reported.transfer.money : 'money' in reported ? reported.money : null;
  return { kind, reference, money };
}

async function processNews(
  parts: ProcessNotificationParts,
  rail: string,
  news: RailNews,
): Promise<RailNotificationEvent> {
  if ('transfer' in news) return processTransfer(parts, news);
  if (news.kind !== 'payment') return eventOf(rail, news, await processPayoutNotification(parts, rail, news));
  return eventOf(rail, news.news, await parts.processPayment(rail, news.news));
}

function eventOf(
  rail: string,
  { reference, kind: news }: Pick<PayoutNews | PaymentNews, 'reference' | 'kind'>,
  { ended: key, ...processed }: ProcessedPayoutNotification | ProcessedPaymentNotification,
): RailNotificationEvent {
  const ended = key && { ended: { ...OF_NOTHING_OF_OURS, ...key } };
  const of = { rail, reference, ...ended } as const;
  if (processed.kind === 'unconfirmed') return { ...processed, ...of };
  const { kind } = processed;
  return kind === 'recorded' || kind === 'known' ? { kind, ...of, news } : { kind, ...of };
}

async function processTransfer(parts: ProcessNotificationParts, news: TransferNews): Promise<RailNotificationEvent> {
  const { rail, transferKey: reference } = news.transfer;
  const confirmation = await confirmNews(parts, news);
  if (confirmation.kind === 'overloaded') return { kind: 'overloaded', rail };
  if (confirmation.kind === 'unconfirmed') return { ...confirmation, rail, reference };
  const disposition = news.kind === 'sent_back' ? 'sent_back' : 'match';
  const processed = await parts.processTransfer(confirmation.transfer, 'notification', disposition);
  return { kind: processed.kind, rail, reference, news: processed.isSentBack ? 'sent_back' : 'received' };
}

async function confirmNews({ confirm }: ProcessNotificationParts, news: TransferNews) {
  const { transfer } = news;
  return news.kind === 'received' && news.ask
    ? confirm(transfer, news.ask)
    : ({ kind: 'confirmed', transfer } as const);
}
