/**
 * Payments in euro through the payer's own bank, whose page Token.io links to. protocol.ts, vocabulary.ts and
 * payment-answer.ts decide what a response means.
 *
 * **After a timeout.** Token.io does not promise that two equal orders are one payment. The rail therefore sends an order once
 * and never again, and finds one with a lost response by its refId. A payment moves no money until the payer agrees at the
 * bank, and only a payer with Token.io's URL gets there. No payer can have paid an order that got no response and that
 * Token.io does not list.
 *
 * **After an undecided end** (no final status, no settlement found, an expiry of a payment that the bank knew), the rail
 * queries the settlement account for a credit with that reference. Without one, the payment stays unknown.
 *
 * Confirmed: see those files. Not confirmed: Token.io's own time limits, how many concurrent requests it allows, how soon it
 * lists a payment. The numbers below are ours, except the payer's 40 minutes, of which we give 30.
 */
import type {
  PayerBank,
  PayerReturn,
  PaymentAnswer,
  PaymentOrder,
  PaymentRail,
  PaymentStatus,
  RefundAnswer,
  RefundOrder,
} from '../../domain/payments/payment-rail.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { isCredentialStatus, type ProviderReply } from '../kit/provider-http.ts';
import { unknown } from '../kit/rail-answers.ts';
import { type CallTokenIo, createTokenIoApi, TOKEN_IO_CONCURRENCY, type TokenIoParts } from './api.ts';
import { BANKS_PATH, banksQuery, FIRST_PAGE, readBankPage } from './banks.ts';
import { TOKEN_IO, type TokenIoConfiguration } from './configuration.ts';
import { RETURNED, readingOf, refusalOf } from './payment-answer.ts';
import {
  PAYMENTS_PATH,
  paymentPath,
  paymentsQuery,
  readError,
  readPaymentAnswer,
  readPaymentList,
  refIdOf,
  requestTimeout,
  secondsBefore,
  type TokenIoPayment,
  writePayment,
} from './protocol.ts';
import { REFUNDS_PATH, readRefundAnswer, readRefundList, refundsQuery, writeRefund } from './refund-messages.ts';
import { readCredit, transactionsPath, transactionsQuery } from './settlement-account.ts';

const TIMEOUT_MS = 25 * SECOND_MS;
/** The rail treats a list with more pages as an error. */
const MOST_BANK_PAGES = 50;

export function createTokenIoPaymentRail(configuration: TokenIoConfiguration, parts: TokenIoParts): PaymentRail {
  const calls: Calls = { configuration, call: createTokenIoApi(configuration, parts) };
  return {
    name: TOKEN_IO,
    paymentType: 'open_banking',
    currencies: new Set(['EUR']),
    simulated: configuration.simulated,
    timeoutMs: TIMEOUT_MS,
    notFoundProofMs: 5 * MINUTE_MS,
    // A webhook reports each change. Without one, Token.io allows at most one query in two hours.
    askAfterMs: [3 * SECOND_MS, 10 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS],
    concurrency: TOKEN_IO_CONCURRENCY,
    validityMs: 24 * HOUR_MS,
    // A transfer that is not instant takes bank days. Settlement may take 15, and an operator must know about that.
    decidesWithinMs: 5 * DAY_MS,
    newsNeedProviderReference: false,
    returnActs: false,
    needs: ['bankId'],
    target: null,
    frameOrigins: [],
    start: (order, _card, deadline) => start(calls, order, deadline),
    handleReturn: async (order, returned, deadline) => known(await ask(calls, order, returned, deadline)),
    ask: (order, deadline) => ask(calls, order, null, deadline),
    listBanks: (deadline) => listBanks(calls, deadline),
    cancel: (order, deadline) => cancel(calls, order, deadline),
    refund: (order, deadline) => refund(calls, order, deadline),
    askRefund: (order, deadline) => askRefund(calls, order, deadline),
  };
}

type Found = TokenIoPayment | { readonly kind: 'not_found' } | { readonly kind: 'unknown'; readonly reason: string };

/** What the queries to Token.io need. Each function returns the proof in its response. */
interface Calls {
  readonly configuration: TokenIoConfiguration;
  readonly call: CallTokenIo;
}

async function start(calls: Calls, order: PaymentOrder, deadline: Deadline): Promise<PaymentAnswer> {
  const body = writePayment(order, calls.configuration);
  const headers = requestTimeout(secondsBefore(TIMEOUT_MS));
  const called = await calls.call({ verb: 'POST', path: PAYMENTS_PATH, body, headers }, deadline);
  if (called.kind === 'not_connected') return { kind: 'not_accepted', reason: called.reason };
  if (called.kind === 'answered' && isCredentialStatus(called.status))
    return { kind: 'not_accepted', reason: readError(called.status, called.body).reason };
  if (called.kind === 'answered' && called.status === 400) return refusalOf(readError(400, called.body));
  const payment = paymentIn(calls, called);
  if ('kind' in payment) return known(payment);
  if (payment.reference !== order.reference || payment.money.minor !== order.money.minor)
    return unknown('Token.io’s response is about another payment');
  return settle(calls, payment, order, deadline);
}

async function ask(
  calls: Calls,
  order: PaymentOrder,
  returned: PayerReturn | null,
  deadline: Deadline,
): Promise<PaymentStatus> {
  const found = await find(calls, order, deadline);
  if ('kind' in found) return found;
  const kept = returned !== null && isReturnOf(found, returned) ? RETURNED : order.kept;
  return settle(calls, found, { ...order, kept }, deadline);
}

/**
 * Cancels a payment. The result may be `paid`: the rail queries a payment that can no longer be cancelled, or whose cancel
 * request got no response.
 */
async function cancel(calls: Calls, order: PaymentOrder, deadline: Deadline): Promise<PaymentStatus> {
  const found = await find(calls, order, deadline);
  if ('kind' in found) return found;
  const called = await calls.call({ verb: 'DELETE', path: `${PAYMENTS_PATH}/${found.id}` }, deadline);
  const cancelled = paymentIn(calls, called);
  if ('kind' in cancelled || cancelled.id !== found.id) return ask(calls, order, null, deadline);
  return settle(calls, cancelled, order, deadline);
}

async function listBanks(calls: Calls, deadline: Deadline): Promise<Result<readonly PayerBank[], string>> {
  const banks = new Map<string, readonly PayerBank[]>();
  for (let page = FIRST_PAGE; page < FIRST_PAGE + MOST_BANK_PAGES; page += 1) {
    const query = banksQuery(page, calls.configuration);
    const called = await calls.call({ verb: 'GET', path: BANKS_PATH, query }, deadline);
    const read = called.kind === 'answered' && called.status === 200 ? readBankPage(called.body) : undefined;
    if (!read) return fail(whyNot(called, 'no list of banks'));
    const before = banks.size;
    for (const { bankId, rows } of read.banks) banks.set(bankId, rows);
    if (banks.size === before || banks.size >= read.totalCount) return ok([...banks.values()].flat());
  }
  return fail(`more than ${MOST_BANK_PAGES} pages of banks`);
}

async function refund(calls: Calls, order: RefundOrder, deadline: Deadline): Promise<RefundAnswer> {
  if (paymentPath(order.payment.providerReference) === undefined)
    return { kind: 'not_accepted', reason: 'Token.io’s id of the payment is unknown' };
  const body = writeRefund(order, calls.configuration);
  const called = await calls.call({ verb: 'POST', path: REFUNDS_PATH, body }, deadline);
  if (called.kind === 'not_connected') return { kind: 'not_accepted', reason: called.reason };
  if (called.kind === 'no_answer') return unknown(called.reason);
  if (called.status === 200) return readRefundAnswer(called.body, order);
  const { code, reason } = readError(called.status, called.body);
  if (isCredentialStatus(called.status)) return { kind: 'not_accepted', reason };
  const isRefused = called.status === 404 || (called.status === 400 && code !== 'Field.NotUnique');
  return isRefused ? { kind: 'refused', reason } : unknown(reason);
}

async function askRefund(
  calls: Calls,
  order: RefundOrder,
  deadline: Deadline,
): Promise<RefundAnswer | { readonly kind: 'not_found' }> {
  const query = refundsQuery(order.reference, calls.configuration);
  const called = await calls.call({ verb: 'GET', path: REFUNDS_PATH, query }, deadline);
  const isList = called.kind === 'answered' && called.status === 200;
  return isList ? readRefundList(called.body, order) : unknown(whyNot(called, ''));
}

/** Finds the payment by Token.io's id if it is known, otherwise by the refId. */
async function find(calls: Calls, order: PaymentOrder, deadline: Deadline): Promise<Found> {
  const path = paymentPath(order.providerReference);
  if (path === undefined) return findByReference(calls, order, deadline);
  const found = paymentIn(calls, await calls.call({ verb: 'GET', path }, deadline));
  return 'kind' in found || found.reference === order.reference ? found : unknown('Token.io sent another payment');
}

async function findByReference(calls: Calls, { reference }: PaymentOrder, deadline: Deadline): Promise<Found> {
  const query = paymentsQuery(reference, calls.configuration);
  const called = await calls.call({ verb: 'GET', path: PAYMENTS_PATH, query }, deadline);
  const isList = called.kind === 'answered' && called.status === 200;
  const listed = isList ? readPaymentList(called.body, reference, calls.configuration) : undefined;
  if (!listed) return unknown(whyNot(called, `no list of the payments ${refIdOf(reference)}`));
  const [only, another] = listed;
  if (another) return unknown('Token.io lists several payments of that reference');
  return only ?? { kind: 'not_found' };
}

function paymentIn(
  { configuration }: Calls,
  called: ProviderReply,
): TokenIoPayment | { readonly kind: 'unknown'; readonly reason: string } {
  const isPayment = called.kind === 'answered' && called.status === 200;
  const payment = isPayment ? readPaymentAnswer(called.body, configuration) : undefined;
  return payment ?? unknown(whyNot(called, 'Token.io’s response does not contain a payment of ours'));
}

async function settle(calls: Calls, payment: TokenIoPayment, { kept, reference }: PaymentOrder, deadline: Deadline) {
  const reading = readingOf(payment, kept);
  if (reading.kind !== 'open_end') return reading;
  const query = transactionsQuery(reference, calls.configuration);
  const called = await calls.call({ verb: 'GET', path: transactionsPath(calls.configuration), query }, deadline);
  const money = called.kind === 'answered' && called.status === 200 ? readCredit(called.body, reference) : undefined;
  if (!money) return unknown(reading.reason);
  const { id: providerReference, payerAccount } = payment;
  return { kind: 'paid', money, payerAccount, providerReference } as const;
}

/**
 * Returns true if this return belongs to the payment. Token.io does not sign returns, so the return must have the payment's id
 * and repeat its state.
 */
function isReturnOf({ id, callbackState }: TokenIoPayment, { fields }: PayerReturn): boolean {
  return callbackState !== '' && fields['payment-id'] === id && fields['state'] === callbackState;
}

/** Returns `unknown` for a payment that Token.io does not list (yet), unless the caller needs proof. */
function known(status: PaymentStatus): PaymentAnswer {
  return status.kind === 'not_found' ? unknown('Token.io does not list the payment') : status;
}

function whyNot(called: ProviderReply, otherwise: string): string {
  if (called.kind !== 'answered') return called.reason;
  return called.status === 200 ? otherwise : readError(called.status, called.body).reason;
}
