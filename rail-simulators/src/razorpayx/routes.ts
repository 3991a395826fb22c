/** RazorpayX's endpoints for clients, as a table, with the response of each. */
import { basic, isSame } from '../kernel/credentials.ts';
import type { ProviderRequest, Reply, Route } from '../kernel/http-server.ts';
import type { BookEntry } from './book.ts';
import { failed, invalidInput, SERVER_ERROR } from './errors.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import type { Account, RazorpayX, RazorpayXWorks } from './processing.ts';
import { type PayoutRequest, readRequest } from './requests.ts';
import { collection, madeView, payoutView, secondOf } from './views.ts';

interface ServedParts extends Pick<RazorpayXWorks, 'book' | 'faults' | 'clock'> {
  readonly razorpayx: RazorpayX;
  readonly account: Account;
}

type Work = (parts: ServedParts, request: ProviderRequest) => Reply | Promise<Reply>;

export function apiRoutes(parts: ServedParts): readonly Route[] {
  // RazorpayX accepts the scheme's name in one spelling only.
  const client = basic(parts.account.keyId, parts.account.keySecret);
  const route = (verb: Route['verb'], path: string, work: Work): Route => ({
    verb,
    path: `/v1/${path}`,
    answer: (request) =>
      isSame(request.headers.authorization, client) ? work(parts, request) : failed('unknown_client'),
  });
  return [route('POST', 'payouts', make), route('GET', 'payouts', list), route('GET', 'banking_balances', balances)];
}

/** The response of each mode that accepts no payout. */
const INSTEAD_OF_ACCEPTING: Readonly<Partial<Record<Faults['calls'], Reply>>> = {
  lose: 'never',
  lose_500: SERVER_ERROR,
  throttle: failed('throttled'),
  refuse_address: failed('foreign_address'),
};

/** The response of each mode after a payout was accepted. */
const INSTEAD_OF_ANSWERING: Readonly<Partial<Record<Faults['calls'], Reply>>> = {
  accept_unanswered: 'never',
  accept_500: SERVER_ERROR,
};

const make: Work = async (parts, { headers, body }) => {
  const { faults, account } = parts;
  const key = String(headers['x-payout-idempotency'] ?? '');
  const request = readRequest(key, body, account.accountNumber);
  const { calls } = faultsOf(faults, 'invalidField' in request ? '' : request.amount);
  const instead = INSTEAD_OF_ACCEPTING[calls];
  if (instead !== undefined) return instead;
  if (!/^[A-Za-z0-9_ -]{4,36}$/.test(key)) return failed('no_key');
  if ('invalidField' in request) return invalidInput(request.invalidField, request.description);
  const made = await makeOnce(parts, request, calls === 'processed_before_reply');
  if (made === 'other_body' || made === 'no_money') return failed(made);
  return INSTEAD_OF_ANSWERING[calls] ?? { status: 200, body: madeView(made, account.accountNumber) };
};

async function makeOnce(
  { razorpayx, book, faults, clock }: ServedParts,
  request: PayoutRequest,
  untilProcessed: boolean,
): Promise<BookEntry | 'other_body' | 'no_money'> {
  const known = book.ofKey(request.idempotencyKey, clock.now());
  if (known === undefined) return (await razorpayx.accept(request, untilProcessed)) ?? 'no_money';
  if (known.bodyDigest !== request.bodyDigest) return 'other_body';
  const repeated = await razorpayx.repeat(known);
  return faults.repetitions === 'first' ? (book.firstOf(known.id) ?? repeated) : repeated;
}

const MOST_ITEMS = 100;

const list: Work = ({ book, account, faults }, { query }) => {
  if (faults.lists === 'throttle') return failed('throttled');
  if (faults.lists === 'answer_500') return SERVER_ERROR;
  if (query.get('account_number') !== account.accountNumber)
    return invalidInput('account_number', 'The account number field is required');
  const number = (name: string, fallback: number) => Number(query.get(name) ?? fallback);
  const [count, skip] = [number('count', 10), number('skip', 0)];
  if (!(count >= 1 && count <= MOST_ITEMS)) return invalidInput('count', 'The count may not be greater than 100.');
  const reference = query.get('reference_id');
  const [from, to] = [number('from', 0), number('to', Number.MAX_SAFE_INTEGER)];
  const fitting = book.all().filter((payout) => {
    const second = secondOf(payout.acceptedAt);
    return (reference === null || payout.reference === reference) && second >= from && second <= to;
  });
  const shown = faults.lists === 'not_yet' ? [] : fitting.slice(skip, skip + count);
  return { status: 200, body: collection(shown.map((payout) => payoutView(payout, account.accountNumber))) };
};

/** The opening balance: ten crore rupees, in paise. */
const OPENING_BALANCE = 10_000_000_000;

const balances: Work = ({ book, account, faults, clock }) => {
  const amount = faults.float === 'empty' ? 0 : OPENING_BALANCE - book.spent();
  const balance = {
    entity: 'banking_balance',
    currency: 'INR',
    account_number: account.accountNumber,
    account_type: 'razorpayx_lite',
    bank_name: null,
    bank_code: null,
    amount,
    available_amount: amount,
    refreshed_at: Math.floor(clock.now() / 1_000),
  };
  return { status: 200, body: collection([balance]) };
};
