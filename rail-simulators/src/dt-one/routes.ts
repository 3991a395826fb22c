/** DT One's endpoints for clients, as a table, with the response of each. */
import { DAY_MS } from '../clock.ts';
import { ok } from '../kernel/book-page.ts';
import { basic, isSame } from '../kernel/credentials.ts';
import { asFields, parseJson } from '../kernel/fields.ts';
import type { ProviderRequest, Reply, Route } from '../kernel/http-server.ts';
import { failed } from './errors.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import type { Account, DtOne, DtOneWorks } from './processing.ts';
import { formerOperatorOf, OPERATORS, operatorOf } from './products.ts';
import { isMobileNumber, readRequest } from './requests.ts';
import { operatorView, transactionView } from './views.ts';

interface ServedParts extends Pick<DtOneWorks, 'book' | 'faults' | 'clock'> {
  readonly dtOne: DtOne;
  readonly account: Account;
}

type Work = (parts: ServedParts, request: ProviderRequest) => Reply | Promise<Reply>;

export function apiRoutes(parts: ServedParts): readonly Route[] {
  const client = basic(parts.account.apiKey, parts.account.apiSecret);
  const route = (verb: Route['verb'], path: string, work: Work): Route => ({
    verb,
    path: `/v1/${path}`,
    answer: (request) => (isSame(request.headers.authorization, client) ? work(parts, request) : failed(1000401)),
  });
  return [
    route('POST', 'lookup/mobile-number', lookUp),
    route('POST', 'async/transactions', make),
    route('GET', 'transactions', list),
    route('GET', 'balances', balances),
  ];
}

const lookUp: Work = ({ faults }, { body }) => {
  const number = asFields(parseJson(body))['mobile_number'];
  if (!isMobileNumber(number)) return failed(1005003);
  const operator = operatorOf(number);
  switch (faults.look_ups) {
    case 'throttle':
      return failed(1000429);
    case 'answer_500':
      return failed(1009001);
    case 'unidentified':
      return ok(OPERATORS.map((each) => operatorView(each, false)));
    case 'stale':
      return ok(operator === undefined ? [] : [operatorView(formerOperatorOf(operator), true)]);
    default:
      return ok(operator === undefined || faults.look_ups === 'none' ? [] : [operatorView(operator, true)]);
  }
};

/** The response of each mode that creates no transaction. */
const INSTEAD_OF_ACCEPTING: Readonly<Partial<Record<Faults['calls'], Reply>>> = {
  lose: 'never',
  lose_503: failed(1009503),
  throttle: failed(1000429),
};

/** The response of each mode after a transaction was created. */
const INSTEAD_OF_ANSWERING: Readonly<Partial<Record<Faults['calls'], Reply>>> = {
  accept_unanswered: 'never',
  accept_500: failed(1009001),
};

const make: Work = async ({ dtOne, book, faults }, { body }) => {
  const request = readRequest(parseJson(body));
  const { calls } = faultsOf(faults, typeof request === 'number' ? '' : request.tiyn);
  const instead = INSTEAD_OF_ACCEPTING[calls];
  if (instead !== undefined) return instead;
  if (typeof request === 'number') return failed(request);
  const known = book.ofExternalId(request.externalId);
  if (known !== undefined) {
    await dtOne.repeat(known);
    return failed(1007001);
  }
  if (faults.float === 'refused') return failed(1006001);
  const made = await dtOne.accept(request, calls === 'completed_before_reply');
  return INSTEAD_OF_ANSWERING[calls] ?? { status: 201, body: transactionView(made) };
};

/** The response of each mode instead of a list. */
const INSTEAD_OF_LISTING: Readonly<Partial<Record<Faults['queries'], Reply>>> = {
  not_yet: ok([]),
  not_yet_404: failed(1008004),
  throttle: failed(1000429),
  answer_500: failed(1009001),
};

const list: Work = ({ book, faults, clock }, { query }) => {
  const instead = INSTEAD_OF_LISTING[faults.queries];
  if (instead !== undefined) return instead;
  const externalId = query.get('external_id');
  const [page, perPage] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 50)];
  const to = Date.parse(query.get('to_date') ?? new Date(clock.now()).toISOString());
  const from = Date.parse(query.get('from_date') ?? new Date(to - DAY_MS).toISOString());
  const isSpan = to - from >= 0 && to - from <= DAY_MS;
  if (!isSpan || !(page >= 1) || !(perPage >= 1 && perPage <= 100)) return failed(1000400);
  const fitting = book.all().filter((transaction) => {
    const at = Date.parse(transaction.acceptedAt);
    return externalId === null ? at >= from && at <= to : transaction.externalId === externalId;
  });
  return ok(fitting.slice((page - 1) * perPage, page * perPage).map(transactionView));
};

const balances: Work = ({ book, faults }) => {
  const { available, holding } = book.balance();
  const free = faults.float === 'enough' ? available : 0;
  return ok([
    { id: 1, unit_type: 'CURRENCY', unit: 'USD', available: free / 100, holding: holding / 100, credit_limit: 0 },
  ]);
};
