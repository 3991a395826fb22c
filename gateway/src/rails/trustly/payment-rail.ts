/**
 * Payments in euro through the payer's bank, on Trustly's page in a frame. protocol.ts, queries.ts and refusals.ts
 * decide what a response means. A notification reports the result (notifications.ts).
 *
 * A Deposit moves no money: it opens a page, and only a payer who sees that page can pay on it. While the payer's data
 * is in memory, the rail repeats an unanswered Deposit as the same call. Trustly then repeats the first response, or
 * opens the page now, and it never takes a MessageID twice. An attempt without a response in its time showed no page and
 * never will, so no payer can pay on it. This proof allows the payer another attempt.
 *
 * Confirmed: see those files, and json-rpc.ts for repeated calls. Not confirmed: how soon Trustly responds, and how many
 * concurrent calls it allows. The numbers below are ours.
 */
import type {
  PaymentAnswer,
  PaymentOrder,
  PaymentRail,
  PaymentStatus,
  RefundAnswer,
  RefundOrder,
} from '../../domain/payments/payment-rail.ts';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import type { ProviderHttp } from '../kit/provider-http.ts';
import type { RailHooks } from '../kit/rail-hooks.ts';
import { type Called, createTrustlyCall, failure, isOpen, whyNot } from './api.ts';
import { TRUSTLY, type TrustlyConfiguration } from './configuration.ts';
import { uuidOf } from './json-rpc.ts';
import { depositCall, readDeposit, readRefund, refundCall } from './protocol.ts';
import { ACCOUNT_LEDGER, ledgerCall, readFunds } from './queries.ts';
import { meaningOf, meaningOfRefundError } from './refusals.ts';

export const TRUSTLY_CONCURRENCY = 16;

/** Nothing settles before this time, so the rail does not query the ledger. */
const LEDGER_AFTER_MS = HOUR_MS;
/** The maximum lifetime of Trustly's page. */
const PAGE_LIFE_MS = 30 * MINUTE_MS;
/** The pauses before the same call is repeated. */
const PAUSES_MS = [SECOND_MS, 2 * SECOND_MS] as const;

interface TrustlyPaymentRailParts {
  readonly http: Pick<ProviderHttp, 'exchange'>;
  readonly hooks: RailHooks;
  readonly clock: Clock;
}

export function createTrustlyPaymentRail(
  configuration: TrustlyConfiguration,
  parts: TrustlyPaymentRailParts,
): PaymentRail {
  const { clock, hooks } = parts;
  const call = createTrustlyCall(configuration, parts.http);
  const refund = async (order: RefundOrder, deadline: Deadline) =>
    refundAnswer(await call(refundCall(order, configuration), deadline), order, hooks);

  async function deposit(order: PaymentOrder, deadline: Deadline): Promise<PaymentAnswer> {
    const wanted = depositCall(order, configuration);
    let called = await call(wanted, deadline);
    let mayHaveBeenAccepted = false;
    for (const pauseMs of PAUSES_MS) {
      if (!isOpen(called)) break;
      mayHaveBeenAccepted = true;
      await clock.sleep(pauseMs, deadline.signal);
      if (deadline.signal.aborted || deadline.isPast()) break;
      called = await call(wanted, deadline);
    }
    const answer = depositAnswer(called, configuration.simulated, hooks);
    // The failure of this call proves nothing about the previous one.
    return mayHaveBeenAccepted && answer.kind !== 'step' ? { kind: 'unknown', reason: whyOf(answer) } : answer;
  }

  /** Returns the payer's step while the payer may act, and afterwards the money that the ledger lists. */
  async function askOpened(order: PaymentOrder, deadline: Deadline): Promise<PaymentStatus> {
    const now = clock.now();
    if (order.kept !== '' && now < order.expiresAt) return pageStep(order.kept, order.providerReference);
    if (now < order.startedAt + LEDGER_AFTER_MS) return nothingListed('not yet');
    // Each call uses a new UUID, because Trustly would otherwise repeat the old response.
    const uuid = uuidOf(ACCOUNT_LEDGER, `${order.reference} ${now}`);
    const called = await call(ledgerCall(configuration, uuid, order.startedAt, now), deadline);
    if (called.kind !== 'result') return { kind: 'unknown', reason: whyNot(called) };
    const { providerReference, reference } = order;
    const money = readFunds(called.data, providerReference, reference);
    // This is the sum of all credits, so it has no key: no single credit may be added to it.
    return money ? { kind: 'paid', money, payerAccount: '', providerReference } : nothingListed('so far');
  }

  return {
    name: TRUSTLY,
    paymentType: 'bank_transfer_iframe',
    currencies: new Set(['EUR']),
    simulated: configuration.simulated,
    timeoutMs: 15 * SECOND_MS,
    // Once its time to call has ended, an attempt no longer shows a page.
    notFoundProofMs: 10 * SECOND_MS,
    // The first queries find a page whose URL was lost. The ledger covers a lost notification.
    askAfterMs: [2 * SECOND_MS, 5 * SECOND_MS, 15 * SECOND_MS, MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS],
    concurrency: TRUSTLY_CONCURRENCY,
    validityMs: PAGE_LIFE_MS,
    // A pending payment settles at the banks, across weekends and holidays.
    decidesWithinMs: 5 * DAY_MS,
    // Trustly signs for all of its merchants with one key, and each chooses its own MessageIDs.
    newsNeedProviderReference: true,
    returnActs: false,
    needs: ['firstName', 'lastName', 'email', 'country'],
    // Only the origin of the page is kept from the Deposit's response.
    target: 'email',
    frameOrigins: [],
    start: (order, _card, deadline) => deposit(order, deadline),
    /** The payer's return proves nothing. A notification reports the payment. */
    async handleReturn({ kept, providerReference }) {
      return { kind: 'pending', isAuthorised: false, keep: kept, providerReference };
    },
    async ask(order, deadline) {
      return order.providerReference === '' ? { kind: 'not_found' } : askOpened(order, deadline);
    },
    refund,
    /** Trustly executes at most one of several equal calls. */
    async repeatRefund(order, deadline) {
      const answer = await refund(order, deadline);
      return answer.kind === 'not_accepted' || answer.kind === 'refused'
        ? { kind: 'unknown', reason: answer.reason }
        : answer;
    },
  };
}

type DepositAnswer = Extract<PaymentAnswer, { kind: 'step' | 'refused' | 'not_accepted' | 'unknown' }>;

function whyOf(answer: Exclude<DepositAnswer, { kind: 'step' }>): string {
  return answer.kind === 'refused' ? answer.detail : answer.reason;
}

function depositAnswer(called: Called, simulated: boolean, hooks: RailHooks): DepositAnswer {
  if (called.kind === 'result') {
    const opened = readDeposit(called.data, simulated);
    if (!opened) return { kind: 'unknown', reason: 'Trustly’s response does not contain a page or an order' };
    const { orderId, url } = opened;
    return pageStep(url, orderId);
  }
  return failure(called, meaningOf, hooks, (refused, detail) => ({ ...refused, detail, providerReference: '' }));
}

function pageStep(url: string, providerReference: string): Extract<PaymentAnswer, { kind: 'step' }> {
  return { kind: 'step', step: { kind: 'frame', url }, keep: url, providerReference };
}

function refundAnswer(called: Called, order: RefundOrder, hooks: RailHooks): RefundAnswer {
  if (called.kind !== 'result') {
    return failure(called, meaningOfRefundError, hooks, (_refused, reason) => ({ kind: 'refused', reason }));
  }
  switch (readRefund(called.data, order)) {
    // Trustly has debited our balance and pays the amount out. Only a notification could report more.
    case 'accepted':
      return { kind: 'refunded' };
    case 'refused':
      return { kind: 'refused', reason: 'Trustly did not accept the refund' };
    case undefined:
      return { kind: 'unknown', reason: 'Trustly’s response is about another order' };
  }
}

function nothingListed(when: string): PaymentStatus {
  return {
    kind: 'unknown',
    reason: `Trustly reports the end of an order by notification; its ledger has no entry ${when}`,
  };
}
