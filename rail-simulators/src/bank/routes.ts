/**
 * Every address the bank answers, as a table, and the reply to each. Works on parsed requests and plain replies, so it
 * knows neither sockets nor authorization; http-server.ts has those.
 */
import type { Bank, Submission } from './bank.ts';
import type { Book, BookEntry } from './book.ts';
import { type Faults, noFaults, parseFaults } from './faults.ts';
import { parsePayoutInstruction } from './payout-instruction.ts';

export interface BankRequest {
  /** What follows the route's path, for a route that ends in `/`. */
  readonly rest: string;
  readonly query: URLSearchParams;
  /** The parsed JSON of a POST; undefined where it isn't JSON. */
  readonly body: unknown;
}

/** `never`: the connection is held and not answered. */
export type Reply = { readonly status: number; readonly body: object } | 'never';

export interface Route {
  readonly verb: 'GET' | 'POST';
  /** A path that ends in `/` stands for one more segment. */
  readonly path: string;
  readonly answer: (request: BankRequest) => Reply | Promise<Reply>;
}

export interface ControlledParts {
  readonly bank: Bank;
  readonly book: Book;
  readonly faults: Faults;
  /** A book on disk is never emptied from outside. */
  readonly isInMemory: boolean;
}

const mostEntriesPerPage = 1_000;

const ok = (body: object): Reply => ({ status: 200, body });
const invalid = (field: string): Reply => ({ status: 400, body: { error: 'invalid', field } });

export function payoutRoutes(bank: Bank): readonly Route[] {
  return [
    { verb: 'POST', path: '/stand-in/v1/payouts', answer: ({ body }) => submit(bank, body) },
    { verb: 'GET', path: '/stand-in/v1/payouts/', answer: ({ rest }) => find(bank, rest) },
  ];
}

export function controlRoutes(parts: ControlledParts): readonly Route[] {
  return [
    { verb: 'GET', path: '/control/book', answer: ({ query }) => page(parts.book, query) },
    { verb: 'GET', path: '/control/summary', answer: () => ok(parts.book.summary()) },
    { verb: 'POST', path: '/control/faults', answer: ({ body }) => changeFaults(parts.faults, body) },
    { verb: 'POST', path: '/control/reset', answer: () => reset(parts) },
  ];
}

async function submit(bank: Bank, body: unknown): Promise<Reply> {
  const parsed = parsePayoutInstruction(body);
  if ('invalidField' in parsed) return invalid(parsed.invalidField);
  return replyTo(await bank.submit(parsed.instruction));
}

function replyTo(submission: Submission): Reply {
  switch (submission.reply) {
    case 'status':
      return ok(statusOf(submission.entry));
    case 'error_500':
      return { status: 500, body: { error: 'internal' } };
    case 'conflict':
      return { status: 409, body: { error: 'reference_reused' } };
    case 'never':
      return 'never';
  }
}

function find(bank: Bank, reference: string): Reply {
  const entry = bank.find(reference);
  return entry === undefined ? { status: 404, body: { error: 'not_found' } } : ok(statusOf(entry));
}

/** What the gateway sees of a payout. A reversal is told beside the status it undid. */
function statusOf({ reference, status, reason }: BookEntry): object {
  if (status === 'reversed') return { reference, status: 'executed', reason, reversed: true };
  return { reference, status, reason };
}

function page(book: Book, query: URLSearchParams): Reply {
  const after = Number(query.get('after') ?? 0);
  const limit = Number(query.get('limit') ?? mostEntriesPerPage);
  if (!Number.isSafeInteger(after) || after < 0) return invalid('after');
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > mostEntriesPerPage) return invalid('limit');
  return ok({ entries: book.entriesAfter(after, limit) });
}

function changeFaults(faults: Faults, body: unknown): Reply {
  const parsed = parseFaults(body);
  if ('invalidField' in parsed) return invalid(parsed.invalidField);
  return ok(Object.assign(faults, parsed.faults));
}

function reset({ bank, book, faults, isInMemory }: ControlledParts): Reply {
  if (!isInMemory) return { status: 409, body: { error: 'book_is_on_disk' } };
  bank.stop();
  book.clear();
  Object.assign(faults, noFaults);
  return ok({});
}
