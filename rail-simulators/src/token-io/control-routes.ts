/** The control surface: what tests and demonstrations have payers do, the book, the faults. */
import { invalid, ok } from '../kernel/book-page.ts';
import { controlSurface } from '../kernel/control-surface.ts';
import { parseJson, type Reply, type Route } from '../kernel/http-server.ts';
import { callbackOf } from './bank-routes.ts';
import type { Book } from './book.ts';
import { isConduct } from './conducts.ts';
import { type Faults, noFaults, parseTokenIoFaults } from './faults.ts';
import type { TokenIo } from './token-io.ts';

export interface ControlledParts {
  readonly tokenIo: TokenIo;
  readonly book: Book;
  readonly faults: Faults;
  readonly memberId: string;
  /** A book on disk is never emptied from outside. */
  readonly isInMemory: boolean;
}

export function controlRoutes(parts: ControlledParts): readonly Route[] {
  return [
    { verb: 'POST', path: '/control/act', answer: ({ body }) => act(parts, parseJson(body)) },
    ...controlSurface({ ...parts, noFaults, parseFaults: parseTokenIoFaults, stop: () => parts.tokenIo.stop() }),
  ];
}

async function act({ tokenIo, book, memberId }: ControlledParts, body: unknown): Promise<Reply> {
  const { reference, id, behaviour } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const payment =
    typeof id === 'string' ? book.payment(id) : book.payments().find((each) => each.reference === reference);
  if (payment === undefined) return invalid('reference');
  if (!isConduct(behaviour)) return invalid('behaviour');
  const done = await tokenIo.act(payment.id, behaviour);
  if (done === undefined) return { status: 409, body: { error: 'payment_is_over' } };
  return ok({ ...done, callback: callbackOf(done, memberId) });
}
