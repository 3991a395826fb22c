/** What tests and demonstrations ask of DT One, beside its protocol. */
import { invalid, ok } from '../kernel/book-page.ts';
import { controlSurface } from '../kernel/control-surface.ts';
import { parseJson, type Reply, type Route } from '../kernel/http-server.ts';
import type { Book } from './book.ts';
import { acts, isAct } from './conducts.ts';
import type { DtOne } from './dt-one.ts';
import { type Faults, noFaults, parseDtOneFaults } from './faults.ts';
import { fieldsOf } from './requests.ts';

export interface ControlParts {
  readonly dtOne: DtOne;
  readonly book: Book;
  readonly faults: Faults;
  /** A book on disk is never emptied from outside. */
  readonly isInMemory: boolean;
}

export function controlRoutes(parts: ControlParts): readonly Route[] {
  return [
    { verb: 'POST', path: '/control/act', answer: ({ body }) => act(parts, parseJson(body)) },
    ...controlSurface({ ...parts, noFaults, parseFaults: parseDtOneFaults, stop: () => parts.dtOne.stop() }),
  ];
}

async function act({ dtOne, book }: ControlParts, body: unknown): Promise<Reply> {
  const { external_id: externalId, behaviour } = fieldsOf(body);
  const transaction = book.ofExternalId(String(externalId));
  if (transaction === undefined) return invalid('external_id');
  if (!isAct(behaviour)) return invalid('behaviour', Object.keys(acts).join(', '));
  const done = await dtOne.act(transaction.id, behaviour);
  return done === undefined ? { status: 409, body: { error: 'it_stands_elsewhere' } } : ok(done);
}
