/** What tests and demonstrations ask of RazorpayX, beside its protocol. */
import { invalid, ok } from '../kernel/book-page.ts';
import { controlSurface } from '../kernel/control-surface.ts';
import { parseJson, type Reply, type Route } from '../kernel/http-server.ts';
import type { Book } from './book.ts';
import { acts, isAct } from './conducts.ts';
import { type Faults, noFaults, parseRazorpayXFaults } from './faults.ts';
import type { RazorpayX } from './razorpayx.ts';

export interface ControlParts {
  readonly razorpayx: RazorpayX;
  readonly book: Book;
  readonly faults: Faults;
  /** A book on disk is never emptied from outside. */
  readonly isInMemory: boolean;
}

export function controlRoutes(parts: ControlParts): readonly Route[] {
  return [
    { verb: 'POST', path: '/control/act', answer: ({ body }) => act(parts, parseJson(body)) },
    ...controlSurface({ ...parts, noFaults, parseFaults: parseRazorpayXFaults, stop: () => parts.razorpayx.stop() }),
  ];
}

async function act({ razorpayx, book }: ControlParts, body: unknown): Promise<Reply> {
  const { reference, behaviour } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const payout = book.all().find((each) => each.reference === reference);
  if (payout === undefined) return invalid('reference');
  if (!isAct(behaviour)) return invalid('behaviour', Object.keys(acts).join(', '));
  const done = await razorpayx.act(payout.id, behaviour);
  return done === undefined ? { status: 409, body: { error: 'it_stands_elsewhere' } } : ok(done);
}
