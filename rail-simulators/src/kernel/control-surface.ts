/**
 * The endpoints that every simulator offers to tests and demos, in addition to its provider's protocol: the book, its summary,
 * the faults and a reset. Each simulator adds its payers' actions.
 */
import { invalid, ok, type PagedBook, pageOf } from './book-page.ts';
import type { ParsedFaults } from './fault-table.ts';
import { asFields, type Fields, parseJson } from './fields.ts';
import type { Reply, Route } from './http-server.ts';

interface Controlled<Faults extends object> {
  readonly book: PagedBook & { summary(): object; clear(): void };
  /** The current faults, which are changed in place. */
  readonly faults: Faults;
  readonly noFaults: Readonly<Faults>;
  readonly parseFaults: (value: unknown) => ParsedFaults<Faults>;
  /** If false, the reset is refused, because it would empty a book on disk. */
  readonly isInMemory: boolean;
  /** Cancels all pending events, before the book is emptied. */
  stop(): void;
  /** Shown in addition to the book's own summary. */
  readonly moreSummary?: (() => object) | undefined;
}

export function controlSurface<Faults extends object>(parts: Controlled<Faults>): readonly Route[] {
  const { book } = parts;
  return [
    { verb: 'GET', path: '/control/book', answer: ({ query }) => pageOf(book, query) },
    { verb: 'GET', path: '/control/summary', answer: () => ok({ ...book.summary(), ...parts.moreSummary?.() }) },
    { verb: 'POST', path: '/control/faults', answer: ({ body }) => changeFaults(parts, parseJson(body)) },
    { verb: 'POST', path: '/control/reset', answer: () => reset(parts) },
  ];
}

function changeFaults<Faults extends object>({ faults, parseFaults }: Controlled<Faults>, wanted: unknown): Reply {
  const parsed = parseFaults(wanted);
  return 'invalidField' in parsed ? invalid(parsed.invalidField) : ok(Object.assign(faults, parsed.faults));
}

function reset<Faults extends object>(parts: Controlled<Faults>): Reply {
  if (!parts.isInMemory) return { status: 409, body: { error: 'book_is_on_disk' } };
  parts.stop();
  parts.book.clear();
  Object.assign(parts.faults, parts.noFaults);
  return ok({});
}

/** An action for tests: `POST /control/<name>` with a JSON object. */
export function controlPost(name: string, answer: (fields: Fields) => Reply | Promise<Reply>): Route {
  return { verb: 'POST', path: `/control/${name}`, answer: ({ body }) => answer(asFields(parseJson(body))) };
}

/** `error` is the reason if the action was not possible. */
export function doneOr(error: string, done: object | undefined): Reply {
  return done === undefined ? { status: 409, body: { error } } : ok(done);
}
