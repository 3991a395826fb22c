/**
 * Payouts to cards through Adyen: methods 8, 9 and 93, and 22 and 23 if no rail of the card's own network ranks before
 * this one. protocol.ts decides what a response means. This file sequences requests and queries.
 *
 * Every request of a payout has an idempotency key derived from its reference, so that Adyen recognises a late one.
 * Adyen repeats the first response indefinitely, including a refusal for a short balance. The rail therefore requests such a
 * payout again under a key derived from that refusal. The refusal is final, so nothing is paid twice.
 *
 * Confirmed: see protocol.ts and vocabulary.ts. Not confirmed: how long Adyen takes to respond and to list a transfer,
 * how many concurrent requests it allows. The numbers below are cautious.
 */
import type { PayoutOrder, PayoutRail, RailAnswer, RailStatus } from '../../domain/payouts/payout-rail.ts';
import { type Clock, DAY_MS, HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import { declined, notAccepted, unknown } from '../kit/rail-answers.ts';
import type { TransfersApi } from './api.ts';
import { ADYEN_TRANSFERS, type AdyenTransfersConfiguration } from './configuration.ts';
import { writeTransfer } from './payout-request.ts';
import { isAbout, type Meaning, meaningOf, type Submission, type Transfer } from './protocol.ts';

/** This period is within the six months that one query at Adyen covers. */
const LOOK_BACK_MS = 170 * DAY_MS;
/** Adyen's clock may be ahead of ours. */
const LOOK_AHEAD_MS = DAY_MS;
/** The pause after a refusal for a short balance before the next request. */
const REFILL_MS = 10 * MINUTE_MS;
/** After this time no request of a payout can be in flight, and Adyen's last refusal is final. */
const NOTHING_COMES_MS = HOUR_MS;

interface AdyenTransfersParts {
  readonly api: TransfersApi;
  readonly clock: Clock;
}

export function createAdyenTransfersPayoutRail(
  { balanceAccount, concurrency, simulated }: AdyenTransfersConfiguration,
  parts: AdyenTransfersParts,
): PayoutRail {
  const { api, clock } = parts;
  return {
    name: ADYEN_TRANSFERS,
    methods: new Set([8, 9, 22, 23, 93]),
    needs: ['full_name'],
    simulated,
    notifies: true,
    timeoutMs: 30 * SECOND_MS,
    notFoundProofMs: 15 * MINUTE_MS,
    askAfterMs: [5 * SECOND_MS, 15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS],
    concurrency,
    async send(order, deadline) {
      const body = writeTransfer(order, balanceAccount);
      if (!body.ok) return body.error;
      const first = await api.submit(order, body.value, order.reference, deadline);
      const refused = unfunded(first);
      return refused && isPast(refused, REFILL_MS, clock)
        ? submitAnew(parts, order, body.value, deadline)
        : answerOf(first);
    },
    async ask(order, deadline) {
      const askedAt = clock.now();
      const found = await find(parts, order.reference, deadline);
      return found.kind === 'found' ? statusOf(order, found.transfers, askedAt) : found;
    },
  };
}

/**
 * Requests the payout again after an older refusal for a short balance. No transfer of the payout is open, or the
 * worker would not send it again.
 */
async function submitAnew(
  parts: AdyenTransfersParts,
  order: PayoutOrder,
  body: string,
  deadline: Deadline,
): Promise<RailAnswer> {
  const found = await find(parts, order.reference, deadline);
  if (found.kind === 'unknown') return notAccepted(found.reason);
  const { transfers } = found;
  const isRefused = transfers.every((transfer) => isAbout(transfer, order) && meaningOf(transfer).kind === 'unfunded');
  const [newest] = transfers.toSorted((one, other) => (other.createdAt ?? 0) - (one.createdAt ?? 0));
  if (!isRefused || !newest) return unknown('Adyen lists a transfer other than the refused transfer');
  if (!isPast(newest, REFILL_MS, parts.clock)) return notAccepted(reasonOf(newest));
  const key = `${order.reference}-${newest.id}`;
  return answerOf(await parts.api.submit(order, body, key, deadline));
}

/** The transfer of a response that reports a short balance or a problem of our account. */
function unfunded(submission: Submission): Transfer | undefined {
  return submission.kind === 'accepted' && meaningOf(submission.transfer).kind === 'unfunded'
    ? submission.transfer
    : undefined;
}

function isPast({ createdAt }: Transfer, ms: number, clock: Clock): boolean {
  return createdAt !== null && clock.now() - createdAt >= ms;
}

function reasonOf(transfer: Transfer): string {
  const meaning = meaningOf(transfer);
  return 'reason' in meaning ? meaning.reason : '';
}

function answerOf(submission: Submission): RailAnswer {
  if (submission.kind !== 'accepted') return submission;
  const meaning = meaningOf(submission.transfer);
  switch (meaning.kind) {
    case 'unfunded':
      return notAccepted(meaning.reason);
    case 'stopped':
      return unknown(meaning.reason);
    default:
      return meaning;
  }
}

type Found =
  | { readonly kind: 'found'; readonly transfers: readonly Transfer[] }
  | { readonly kind: 'unknown'; readonly reason: string };

/** The newest page suffices: the older transfers were refused, or the rail would have sent nothing after them. */
async function find({ api, clock }: AdyenTransfersParts, reference: string, deadline: Deadline): Promise<Found> {
  const now = clock.now();
  const page = await api.list({ reference, since: now - LOOK_BACK_MS, until: now + LOOK_AHEAD_MS }, deadline);
  if (page.kind === 'unknown') return page;
  const transfers = page.payouts.filter((transfer) => transfer !== undefined);
  return transfers.length === page.payouts.length
    ? { kind: 'found', transfers }
    : unknown('Adyen lists an unreadable transfer');
}

function statusOf(order: PayoutOrder, transfers: readonly Transfer[], askedAt: Instant): RailStatus {
  if (!transfers.every((transfer) => isAbout(transfer, order))) return unknown('Adyen lists a different transfer');
  const living = transfers.map(meaningOf).filter(({ kind }) => kind !== 'unfunded');
  const [meaning] = living;
  if (living.length > 1) return unknown('Adyen has several transfers under one reference');
  return meaning ? endOf(meaning) : statusOfNone(order, transfers, askedAt);
}

function endOf(meaning: Meaning): RailStatus {
  switch (meaning.kind) {
    case 'stopped':
    case 'unfunded':
      return declined('unspecified', meaning.reason);
    default:
      return meaning;
  }
}

/**
 * Decides the status if there are no transfers, or only refused ones. The last request may still be in flight, and the payout
 * may be requested again later.
 */
function statusOfNone({ sendUntil }: PayoutOrder, [refused]: readonly Transfer[], askedAt: Instant): RailStatus {
  return refused && askedAt >= sendUntil + NOTHING_COMES_MS ? endOf(meaningOf(refused)) : { kind: 'not_found' };
}
