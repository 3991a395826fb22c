/**
 * Processes one bank notification, from its bytes to the record of all its news. The outcome is `recorded` only after
 * all news is durable. Until then the bank must repeat the notification, and a repeat changes nothing twice.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ANSWER_WITHIN_MS, type ConfirmTransfer } from '../../domain/deposits/confirm-transfer.ts';
import type { ProcessTransfer } from '../../domain/deposits/process-transfer.ts';
import { OF_NOTHING_OF_OURS } from '../../domain/differences/difference.ts';
import type { DifferenceStore } from '../../domain/differences/difference-store.ts';
import type { PaymentNews } from '../../domain/payments/payment-rail.ts';
import type { ProcessPaymentNotification } from '../../domain/payments/process-payment-notification.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import type { PayoutStore } from '../../domain/payouts/payout-store.ts';
import type { ReportPayout } from '../../domain/payouts/report-payout.ts';
import { type PayoutReport, repeatsTheEnd } from '../../domain/payouts/settle-payout.ts';
import type {
  Acknowledgement,
  AskForPayout,
  PaymentNotification,
  PayoutNews,
  RailNews,
  RailNotifications,
  RawNotification,
  TransferNews,
} from '../../domain/rails/rail-notification.ts';
import type { RecordUnmatched, UnmatchedNews } from '../../domain/reconciliation/record-unmatched.ts';
import { holdsCardNumber, isCardNumberAsId, maskedIdentifier } from '../../domain/vault/card-number.ts';
import type { Clock } from '../../foundation/clock.ts';
import { OutcomeUnknown, Overloaded } from '../../foundation/commit-errors.ts';
import { withDeadline } from '../../foundation/deadline.ts';
import { invariant } from '../../foundation/invariant.ts';
import { formatMoney, isSameMoney } from '../../foundation/money.ts';

type NewsKind = Exclude<RailNews, PaymentNotification>['kind'] | PaymentNews['kind'];

/** The outcome of a notification or of one piece of its news, for logs, metrics and alerts. It holds no secret. */
export type RailNotificationEvent =
  /** `reference` is ours for a payout or a payment, and the bank's for a transfer. */
  | { readonly kind: 'recorded'; readonly rail: string; readonly reference: string; readonly news: NewsKind }
  /** Already recorded, from an earlier notification or from the answer to our own call. */
  | { readonly kind: 'known'; readonly rail: string; readonly reference: string; readonly news: NewsKind }
  | { readonly kind: 'unknown_reference'; readonly rail: string; readonly reference: string }
  /** The amount differs from the payout's, so the gateway ignores it. The worker asks the bank instead. */
  | { readonly kind: 'wrong_amount'; readonly rail: string; readonly reference: string }
  | { readonly kind: 'unauthentic'; readonly rail: string }
  | { readonly kind: 'malformed'; readonly rail: string; readonly reason: string }
  /** The bank, when asked, reports otherwise or does not answer. */
  | { readonly kind: 'unconfirmed'; readonly rail: string; readonly reference: string; readonly reason: string }
  /** The gateway has no capacity now. */
  | { readonly kind: 'put_off'; readonly rail: string };

interface ProcessNotificationParts {
  readonly store: Pick<PayoutStore, 'findByReference'>;
  readonly report: ReportPayout;
  readonly confirm: ConfirmTransfer;
  readonly processTransfer: ProcessTransfer;
  readonly processPayment: ProcessPaymentNotification;
  readonly recordUnmatched: RecordUnmatched;
  readonly differences: Pick<DifferenceStore, 'report' | 'dismiss'>;
  readonly clock: Clock;
  /** `isKept`: a difference keeps the event until a person resolves it. */
  readonly onNotification: (event: RailNotificationEvent, isKept: boolean) => void;
}

type NotificationRefusal = Exclude<RailNotificationEvent['kind'], 'known' | 'recorded'>;

type ProcessedNotification =
  | { readonly outcome: 'recorded'; readonly acknowledgement: Acknowledgement }
  | { readonly outcome: NotificationRefusal };

/** Throws for a bug and for an unreachable database. The bank then gets no acknowledgement. */
async function processNotification(
  parts: ProcessNotificationParts,
  rail: RailNotifications,
  raw: RawNotification,
): Promise<ProcessedNotification> {
  const reading = rail.read(raw);
  if (!reading.ok) {
    parts.onNotification({ ...reading.error, rail: rail.name }, false);
    return { outcome: reading.error.kind };
  }
  let refusal: NotificationRefusal | undefined;
  let { acknowledgement } = reading.value;
  try {
    // In order, because later news about a payout may depend on earlier news.
    for (const news of reading.value.news) {
      const event = withoutCard(news, await processNews(parts, rail.name, news));
      parts.onNotification(event, await keepDifference(parts, news, event));
      if (event.kind !== 'recorded' && event.kind !== 'known') refusal = event.kind;
      else if (news.kind === 'sent_back' && event.news === 'received') acknowledgement = news.ifReceived;
    }
  } catch (error) {
    if (!(error instanceof Overloaded || error instanceof OutcomeUnknown)) throw error;
    parts.onNotification({ kind: 'put_off', rail: rail.name }, false);
    return { outcome: 'put_off' };
  }
  return refusal ? { outcome: refusal } : { outcome: 'recorded', acknowledgement };
}

/**
 * Masks a card number in the event, so that no log line and no difference has it. No reference of ours is a card number
 * as a whole. The key of a transfer has parts, and any of them may be one.
 */
function withoutCard(news: RailNews, event: RailNotificationEvent): RailNotificationEvent {
  const hasCard = 'transfer' in news ? holdsCardNumber : isCardNumberAsId;
  if (!('reference' in event) || !hasCard(event.reference)) return event;
  return { ...event, reference: maskedIdentifier(event.reference) };
}

/** Rejected notifications that become differences, because the bank may never repeat them. */
const DIFFERENCES = {
  unknown_reference: { kind: 'unknown_reference', ours: 'unknown' },
  wrong_amount: { kind: 'payout_amount', ours: 'another amount' },
} as const;

/** Keeps a rejected notification as a difference. Resolves to false for an event that no difference is about. */
async function keepDifference(
  { differences, recordUnmatched, clock }: ProcessNotificationParts,
  news: RailNews,
  event: RailNotificationEvent,
): Promise<boolean> {
  const { kind, rail } = event;
  // In a restored gateway this may be a forgotten payout, which has its own difference.
  if (kind === 'unknown_reference' && (await recordUnmatched(rail, strangerOf(news, event.reference)))) return true;
  const of = { ...OF_NOTHING_OF_OURS, foundAt: clock.now() } as const;
  if (kind === 'unknown_reference' || kind === 'wrong_amount') {
    const difference = { ...of, rail, subject: event.reference, ...DIFFERENCES[kind], theirs: wordsOf(news) };
    await differences.report(difference);
    return true;
  }
  if (news.kind !== 'received' || !news.ask) return false;
  if (kind === 'unconfirmed') {
    const difference = { ...of, rail, kind, subject: event.reference, ours: event.reason, theirs: wordsOf(news) };
    await differences.report(difference);
    return true;
  }
  if (kind === 'recorded') {
    const confirmed = { rail, kind: 'unconfirmed', subject: event.reference } as const;
    await differences.dismiss(confirmed, 'the bank confirmed it', of.foundAt);
  }
  return false;
}

/** The reported kind and amount, for a person. */
function wordsOf(news: RailNews): string {
  const { kind, money } = strangerOf(news, '');
  return money ? `${kind}, ${formatMoney(money)}` : kind;
}

function strangerOf(news: RailNews, reference: string): UnmatchedNews {
  const reported = news.kind === 'payment' ? news.news : news;
  const { kind } = reported;
  const money = 'transfer' in reported ? reported.transfer.money : 'money' in reported ? reported.money : null;
  return { kind, reference, money };
}

function processNews(parts: ProcessNotificationParts, rail: string, news: RailNews): Promise<RailNotificationEvent> {
  if (news.kind === 'payment') return processPayment(parts, rail, news);
  return 'transfer' in news ? processTransfer(parts, news) : processPayoutNews(parts, rail, news);
}

async function processPayment(
  parts: ProcessNotificationParts,
  rail: string,
  { news }: PaymentNotification,
): Promise<RailNotificationEvent> {
  const { reference } = news;
  const processed = await parts.processPayment(rail, news);
  switch (processed.kind) {
    case 'unknown_reference':
      return { kind: processed.kind, rail, reference };
    case 'unconfirmed':
      return { ...processed, rail, reference };
    default:
      return { kind: processed.kind, rail, reference, news: news.kind };
  }
}

async function processTransfer(parts: ProcessNotificationParts, news: TransferNews): Promise<RailNotificationEvent> {
  const { rail, transferKey: reference } = news.transfer;
  const confirmation = await confirmNews(parts, news);
  if (confirmation.kind === 'put_off') return { kind: 'put_off', rail };
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

const CONFIRMED = { kind: 'confirmed' } as const;
const NAMES_NO_AMOUNT = { kind: 'unconfirmed', reason: 'it names no amount' } as const;

/** An execution without an amount or a way to ask proves nothing. The worker asks about the payout later. */
async function confirmPayout(
  clock: Clock,
  { money }: Payout,
  news: PayoutNews,
): Promise<Awaited<ReturnType<AskForPayout>>> {
  const { ask } = news;
  if (ask) return withDeadline(clock, ANSWER_WITHIN_MS, (deadline) => ask(money, deadline));
  return news.kind === 'executed' && news.money === null ? NAMES_NO_AMOUNT : CONFIRMED;
}

async function processPayoutNews(
  { store, report, clock }: ProcessNotificationParts,
  rail: string,
  news: PayoutNews,
): Promise<RailNotificationEvent> {
  const { reference } = news;
  const payout = await store.findByReference(rail, reference);
  if (!payout) return { kind: 'unknown_reference', rail, reference };
  if (!amountFits(payout, news)) return { kind: 'wrong_amount', rail, reference };
  if (repeatsTheEnd(payout, rail, news.kind)) return { kind: 'known', rail, reference, news: news.kind };
  const confirmation = await confirmPayout(clock, payout, news);
  if (confirmation.kind === 'unconfirmed') return { ...confirmation, rail, reference };
  const outcome = await report(payout, null, reportOf(news, rail, clock));
  invariant(outcome.kind !== 'not_found', 'a reference in the directory names a payout that does not exist');
  if (outcome.kind === 'unchanged' && outcome.payout.state === 'pending' && news.kind === 'reversed')
    return { kind: 'unconfirmed', rail, reference, reason: 'another rail has it, and has not decided' };
  return { kind: outcome.kind === 'settled' ? 'recorded' : 'known', rail, reference, news: news.kind };
}

function amountFits(payout: Payout, { money }: PayoutNews): boolean {
  return money === null || isSameMoney(payout.money, money);
}

function reportOf(news: PayoutNews, rail: string, clock: Clock): PayoutReport {
  return {
    event: news.kind,
    ...(news.kind === 'declined' ? { blockedReason: news.blockedReason } : {}),
    rail,
    detail: news.kind === 'executed' ? '' : news.reason,
    actor: rail,
    at: clock.now(),
  };
}

export interface RailNotificationParts extends ProcessNotificationParts {
  readonly rails: readonly RailNotifications[];
  /** The limit of notifications in flight per rail. The server defers further ones. Default: 64. */
  readonly maxInFlight?: number;
}

const LARGEST_BODY_BYTES = 64 * 1024;
/** Counted per rail, so that a slow provider delays no other rail's notifications. */
const MAX_IN_FLIGHT = 64;

/** A bank repeats a notification without 200, so any unrecorded one must get another status. */
const REFUSALS: Readonly<Record<Exclude<NotificationRefusal, 'malformed'>, { status: number; error: string }>> = {
  unauthentic: { status: 401, error: 'unauthentic' },
  unknown_reference: { status: 404, error: 'unknown_reference' },
  wrong_amount: { status: 409, error: 'wrong_amount' },
  unconfirmed: { status: 503, error: 'try_again' },
  put_off: { status: 503, error: 'try_again' },
};

/**
 * POST /rail-notifications/:rail, where banks notify the gateway. The rail receives the raw bytes, because its
 * signature covers them. A table maps each outcome to an answer.
 */
export function registerRailNotifications(app: FastifyInstance, parts: RailNotificationParts): void {
  const rails = new Map(parts.rails.map((rail) => [rail.name, { rail, inFlight: 0 }]));
  const maxInFlight = parts.maxInFlight ?? MAX_IN_FLIGHT;

  async function answer(request: FastifyRequest<{ Params: { rail: string } }>, reply: FastifyReply) {
    const found = rails.get(request.params.rail);
    if (!found) return reply.code(404).send({ error: 'unknown_rail' });
    const { rail } = found;
    if (found.inFlight >= maxInFlight) {
      parts.onNotification({ kind: 'put_off', rail: rail.name }, false);
      return refuse(reply, 'put_off');
    }
    found.inFlight += 1;
    try {
      const processed = await processNotification(parts, rail, rawNotification(request));
      if (processed.outcome === 'malformed') return reply.code(rail.malformedStatus).send({ error: 'malformed' });
      if (processed.outcome !== 'recorded') return refuse(reply, processed.outcome);
      const { status, contentType, body } = processed.acknowledgement;
      return reply.code(status).type(contentType).send(body);
    } finally {
      found.inFlight -= 1;
    }
  }

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    // `maxInFlight` limits them instead. Notifications finish payments that already began, so new requests must not
    // delay them.
    const options = { bodyLimit: LARGEST_BODY_BYTES, config: { trafficClass: 'unlimited' } } as const;
    scope.post('/rail-notifications/:rail', options, answer);
  });
}

function refuse(reply: FastifyReply, outcome: keyof typeof REFUSALS): FastifyReply {
  const { status, error } = REFUSALS[outcome];
  if (status === 503) reply.header('retry-after', '1');
  return reply.code(status).send({ error });
}

function rawNotification(request: FastifyRequest): RawNotification {
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ]);
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  return { body, headers: Object.fromEntries(headers), clientAddress: request.ip };
}
