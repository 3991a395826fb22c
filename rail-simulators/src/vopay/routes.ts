/** VoPay's endpoints for clients, as a table, with the response of each. */

import { createHash } from 'node:crypto';
import { MINUTE_MS } from '../clock.ts';
import { toText } from '../kernel/amounts.ts';
import { isSame } from '../kernel/credentials.ts';
import type { ProviderRequest, Reply, Route } from '../kernel/http-server.ts';
import type { BookEntry, TransactionType } from './book.ts';
import { type Failure, failed } from './errors.ts';
import type { Account, VoPay, VoPayWorks } from './processing.ts';
import { readId, readMoneyRequest, readPayout, readRefund } from './requests.ts';
import { acceptedView, balanceView, calledBackView, listedView, moneyRequestView, payoutView } from './views.ts';

interface ServedParts extends Pick<VoPayWorks, 'book' | 'faults' | 'clock'> {
  readonly vopay: VoPay;
  readonly account: Account;
}

const BASE = '/api/v2';

type Work = (parts: ServedParts, fields: URLSearchParams) => Promise<object | Failure> | object | Failure;

export function apiRoutes(parts: ServedParts): readonly Route[] {
  const { faults } = parts;
  const route = (verb: Route['verb'], path: string, mode: () => string, work: Work): Route => ({
    verb,
    path: `${BASE}/${path}`,
    answer: (request) => answer(parts, request, mode, work),
  });
  const get = (path: string, work: Work) => route('GET', path, () => faults.look_ups, work);
  const post = (path: string, fault: FaultOfCall, work: Work) => route('POST', path, () => faults[fault], work);
  return [
    post('interac/money-request', 'money_requests', acceptMoneyRequest),
    get('interac/money-request/transaction', showOf('Interac Money Request')),
    post('interac/money-request/transaction/request-cancellation', 'cancellations', callBack),
    post('interac/bulk-payout', 'payouts', acceptPayout),
    get('interac/bulk-payout/transaction', showOf('Interac Bulk Payout')),
    post('interac/bulk-payout/transaction/request-cancellation', 'cancellations', callBack),
    post('account/transactions/cancel', 'cancellations', cancel),
    post('account/transaction/confirm', 'confirmations', confirm),
    post('account/transactions/refund', 'refunds', refund),
    route('GET', 'account/transactions', () => (faults.look_ups === 'answer_error' ? faults.look_ups : ''), list),
    get('account/balance', showBalance),
  ];
}

type FaultOfCall = 'money_requests' | 'payouts' | 'cancellations' | 'confirmations' | 'refunds';

/** `shiftMinutes` is how many minutes VoPay's day is ahead of UTC. */
function isSignedFor(fields: URLSearchParams, account: Account, now: number, shiftMinutes: number): boolean {
  const day = new Date(now + shiftMinutes * MINUTE_MS).toISOString().slice(0, 10);
  const signature = createHash('sha1')
    .update(account.key + account.sharedSecret + day)
    .digest('hex');
  const given = [fields.get('AccountID'), fields.get('Key'), fields.get('Signature')?.toLowerCase()].join('\n');
  return isSame(given, [account.accountId, account.key, signature].join('\n'));
}

/** The modes that respond without processing the request. All other modes process it first. */
const INSTEAD: Readonly<Record<string, Failure | 'never'>> = {
  lose: 'never',
  answer_error: { error: 9998 },
  not_yet: { error: 2002 },
  refuse: { error: 2001 },
  over_limit: { error: 3001 },
  not_enabled: { error: 3000 },
};

async function answer(
  parts: ServedParts,
  { body, query }: ProviderRequest,
  modeOf: () => string,
  work: Work,
): Promise<Reply> {
  const { faults, account, clock } = parts;
  const fields = new URLSearchParams([...query, ...new URLSearchParams(body.toString())]);
  const no = (failure: Failure) => failed(failure, faults.numbered);
  if (!isSignedFor(fields, account, clock.now(), faults.day_shift_min)) return no({ error: 1000 });
  const mode = modeOf();
  const other = INSTEAD[mode];
  if (other !== undefined) return other === 'never' ? other : no(other);
  const outcome = await work(parts, fields);
  if (mode === 'accept_unanswered') return 'never';
  if (mode === 'accept_500') return { status: 500, body: { error: 'internal' } };
  if (mode === 'accept_and_answer_error') return no({ error: 9998 });
  return isFailure(outcome) ? no(outcome) : { status: 200, body: { Success: true, ErrorMessage: '', ...outcome } };
}

function isFailure(outcome: object): outcome is Failure {
  return 'error' in outcome;
}

/**
 * A repeated request gets its response again or is rejected. It is never processed twice, unless VoPay has discarded its key.
 */
function repeated({ book, faults }: ServedParts, fields: URLSearchParams): BookEntry | Failure | undefined {
  const key = fields.get('IdempotencyKey') ?? '';
  const before = key === '' ? undefined : book.ofKey(key);
  if (before === undefined || faults.repetitions === 'forget') return undefined;
  if (faults.repetitions === 'refuse') return { error: 2003, about: 'IdempotencyKey' };
  return book.firstOf(before.id);
}

const acceptMoneyRequest: Work = async (parts, fields) => {
  const request = readMoneyRequest(fields);
  if (isFailure(request)) return request;
  const accepted = repeated(parts, fields) ?? (await parts.vopay.accept(request));
  return isFailure(accepted) ? accepted : acceptedView(accepted, parts.faults.wording);
};

/** Finds by number or, without a number, by the client's reference. */
function showOf(type: TransactionType): Work {
  return ({ book, faults }, fields) => {
    const reference = fields.get('ClientReferenceNumber') ?? '';
    const id = fields.has('TransactionID') || reference === '' ? readId(fields) : undefined;
    if (typeof id === 'object') return id;
    const isPayout = type === 'Interac Bulk Payout';
    const ofReference = () => (isPayout ? book.payoutOf(reference) : book.moneyRequestOf(reference));
    const found = id === undefined ? ofReference() : book.latest(id);
    if (found?.type !== type) return { error: 2002, about: 'transaction' };
    return isPayout ? payoutView(found, faults.wording) : moneyRequestView(found, faults.wording);
  };
}

const acceptPayout: Work = async (parts, fields) => {
  const request = readPayout(fields);
  if (isFailure(request)) return request;
  const accepted = repeated(parts, fields) ?? (await parts.vopay.acceptPayout(request));
  return isFailure(accepted) ? accepted : acceptedView(accepted, parts.faults.wording);
};

const showBalance: Work = ({ book, faults }) => balanceView(faults.empty ? '0.00' : toText(book.available()));

const callBack: Work = (parts, fields) => endedBy(parts, fields, (id) => parts.vopay.callBack(id));
const cancel: Work = (parts, fields) => endedBy(parts, fields, (id) => parts.vopay.cancel(id));

async function endedBy(
  { faults }: ServedParts,
  fields: URLSearchParams,
  end: (id: number) => Promise<BookEntry | Failure>,
): Promise<object | Failure> {
  const id = readId(fields);
  if (typeof id === 'object') return id;
  const done = await end(id);
  return isFailure(done) ? done : calledBackView(done, faults.wording);
}

const confirm: Work = async ({ vopay }, fields) => {
  const id = readId(fields);
  if (typeof id === 'object') return id;
  const done = await vopay.confirm(id);
  return isFailure(done) ? done : { TransactionID: id, TransactionConfirmed: true };
};

const refund: Work = async (parts, fields) => {
  const request = readRefund(fields);
  if (isFailure(request)) return request;
  const accepted = repeated(parts, fields) ?? (await parts.vopay.refund(request));
  return isFailure(accepted) ? accepted : { TransactionID: accepted.id, InteracQuestionAnswer: accepted.answer };
};

/** With a number, lists that transaction and all that derive from it. */
const list: Work = ({ book, faults }, fields) => {
  const missing = ['StartDateTime', 'EndDateTime'].find((name) => !fields.get(name));
  if (missing !== undefined) return { error: 2000, about: missing };
  const [from, until] = [fields.get('StartDateTime') ?? '', fields.get('EndDateTime') ?? ''];
  const id = fields.has('TransactionID') ? readId(fields) : undefined;
  if (typeof id === 'object') return id;
  const type = fields.get('TransactionType');
  const reference = fields.get('ClientReferenceNumber');
  const found = book.all().filter((entry) => {
    if ((type !== null && entry.type !== type) || (reference !== null && entry.reference !== reference)) return false;
    const at = entry.acceptedAt.slice(0, 19).replace('T', ' ');
    return at >= from && at <= until && (id === undefined || entry.id === id || entry.parentId === id);
  });
  const rows = found.map((entry, place) => [place, listedView(entry, book.refundsOf(entry.id), faults.wording)]);
  return { NumberOfRecords: rows.length, Transactions: Object.fromEntries(rows) };
};
