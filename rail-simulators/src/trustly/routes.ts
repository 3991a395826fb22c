/** Trustly's endpoints, as a table, with the response of each. */
import { invalid, ok } from '../kernel/book-page.ts';
import { controlPost, doneOr } from '../kernel/control-surface.ts';
import type { Reply, Route } from '../kernel/http-server.ts';
import type { Book, BookEntry } from './book.ts';
import { isConduct } from './conducts.ts';
import type { Faults } from './faults.ts';
import { keyOfNobody } from './notifications.ts';
import type { Trustly } from './processing.ts';
import { ledgerRows, settlementReport } from './reports.ts';
import {
  type CheckedCall,
  type Client,
  checkCall,
  type ErrorCode,
  errorOf,
  readDeposit,
  readLedger,
  readRefund,
  readSettlement,
  resultOf,
  type Signer,
} from './requests.ts';

export interface ServedParts {
  readonly trustly: Trustly;
  readonly book: Book;
  readonly client: Client;
  readonly faults: Faults;
  readonly privateKey: Signer['privateKey'];
  readonly now: () => number;
  /** Returns the origin at which payers reach the checkout. */
  readonly publicUrl: () => string;
}

export function apiRoutes(parts: ServedParts): readonly Route[] {
  // Trustly's endpoint is api.trustly.com/1 in production and test.trustly.com/api/1 in its test environment.
  return ['/api/1', '/1'].map((path) => ({ verb: 'POST', path, answer: ({ body }) => answerCall(parts, body) }));
}

export function controlRoutes({ trustly, book }: Pick<ServedParts, 'trustly' | 'book'>): readonly Route[] {
  return [
    controlPost('act', async ({ orderid, messageid, behaviour }) => {
      const order = typeof orderid === 'string' ? book.latest(orderid) : book.ofMessage(String(messageid));
      if (order === undefined) return invalid('orderid');
      if (behaviour !== 'cancel' && !isConduct(behaviour)) return invalid('behaviour');
      return doneOr('order_is_over', await trustly.act(order.orderId, behaviour));
    }),
  ];
}

async function answerCall(parts: ServedParts, body: Buffer): Promise<Reply> {
  const checked = checkCall(body, parts.client);
  const signer = { privateKey: parts.privateKey, hash: parts.faults.hash };
  if ('error' in checked) return ok(errorOf(checked.error, checked, signer));
  const { call } = checked;
  switch (call.method) {
    case 'Deposit':
      return carryOut(parts, call, parts.faults.deposits, () => deposit(parts, call));
    case 'Refund':
      return carryOut(parts, call, parts.faults.refunds, () => refund(parts, call));
    case 'AccountLedger':
      return replied(call, listLedger(parts, call), signer);
    case 'ViewAutomaticSettlementDetailsCSV':
      return replied(call, reportSettlement(parts, call), signer);
    default:
      return ok(errorOf(602, call, signer));
  }
}

type Outcome = { readonly data: unknown } | { readonly error: ErrorCode };

/** A repeated call only gets its response again, whatever the current fault. */
async function carryOut(
  { trustly, faults, privateKey, publicUrl }: ServedParts,
  call: CheckedCall,
  mode: Faults['deposits'],
  work: () => Promise<Outcome>,
): Promise<Reply> {
  const signer = { privateKey: mode === 'foreign_key' ? keyOfNobody() : privateKey, hash: faults.hash };
  const before = trustly.carriedOut(call);
  if (before !== undefined) return replied(call, { data: dataOf(call, before, publicUrl()) }, signer);
  if (mode === 'lose') return 'never';
  if (mode === 'refuse') return ok(errorOf(call.method === 'Deposit' ? 638 : 615, call, signer));
  if (mode === 'error_620') return ok(errorOf(620, call, signer));
  const outcome = await work();
  if (mode === 'accept_unanswered') return 'never';
  return mode === 'accept_500' ? { status: 500, body: { error: 'internal' } } : replied(call, outcome, signer);
}

function replied(call: CheckedCall, outcome: Outcome, signer: Signer): Reply {
  return ok('error' in outcome ? errorOf(outcome.error, call, signer) : resultOf(call, outcome.data, signer));
}

async function deposit({ trustly, publicUrl }: ServedParts, call: CheckedCall): Promise<Outcome> {
  const request = readDeposit(call.data);
  if (typeof request === 'number') return { error: request };
  return outcomeOf(call, await trustly.deposit(request, call), publicUrl());
}

async function refund({ trustly, publicUrl }: ServedParts, call: CheckedCall): Promise<Outcome> {
  const request = readRefund(call.data);
  if (typeof request === 'number') return { error: request };
  return outcomeOf(call, await trustly.refund(request, call), publicUrl());
}

function outcomeOf(call: CheckedCall, done: BookEntry | ErrorCode, publicUrl: string): Outcome {
  return typeof done === 'number' ? { error: done } : { data: dataOf(call, done, publicUrl) };
}

function dataOf({ method }: CheckedCall, { orderId, sessionId }: BookEntry, publicUrl: string): object {
  const address = new URLSearchParams({ OrderID: orderId, SessionID: sessionId });
  return method === 'Deposit'
    ? { orderid: orderId, url: `${publicUrl}/checkout?${address}` }
    : { orderid: orderId, result: '1' };
}

function listLedger({ book }: ServedParts, call: CheckedCall): Outcome {
  const request = readLedger(call.data);
  return typeof request === 'number' ? { error: request } : { data: ledgerRows(book, request) };
}

/** A settlement is created each day for the day before. */
function reportSettlement({ book, now }: ServedParts, call: CheckedCall): Outcome {
  const date = readSettlement(call.data);
  if (typeof date === 'number') return { error: date };
  if (date > new Date(now()).toISOString().slice(0, 10)) return { error: 620 };
  return { data: { view_automatic_settlement_details: settlementReport(book, date) } };
}
