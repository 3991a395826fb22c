/** What tests and demonstrations ask of VoPay, beside its protocol. */
import { invalid, ok } from '../kernel/book-page.ts';
import { controlSurface } from '../kernel/control-surface.ts';
import { parseJson, type Reply, type Route } from '../kernel/http-server.ts';
import { type Account, validationKeyOf } from './authentication.ts';
import type { Book, BookEntry } from './book.ts';
import { behaviours, isBehaviour } from './conducts.ts';
import { type Faults, noFaults, parseVoPayFaults } from './faults.ts';
import type { VoPay } from './vopay.ts';
import type { Webhooks } from './webhooks.ts';

export interface ControlParts {
  readonly vopay: VoPay;
  readonly book: Book;
  readonly faults: Faults;
  readonly account: Account;
  readonly webhooks: Webhooks;
  /** A book on disk is never emptied from outside. */
  readonly isInMemory: boolean;
}

export function controlRoutes(parts: ControlParts): readonly Route[] {
  return [
    { verb: 'POST', path: '/control/act', answer: ({ body }) => act(parts, fieldsOf(parseJson(body))) },
    { verb: 'POST', path: '/control/deposit', answer: ({ body }) => deposit(parts, fieldsOf(parseJson(body))) },
    { verb: 'POST', path: '/control/made-up-webhook', answer: ({ body }) => makeUp(parts, fieldsOf(parseJson(body))) },
    ...controlSurface({ ...parts, noFaults, parseFaults: parseVoPayFaults, stop: () => parts.vopay.stop() }),
  ];
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

async function act({ vopay, book }: ControlParts, { id, reference, behaviour }: Fields): Promise<Reply> {
  const found = typeof id === 'number' ? book.latest(id) : book.moneyRequestOf(String(reference));
  if (found === undefined) return invalid('reference');
  if (!isBehaviour(behaviour)) return invalid('behaviour', behaviours.join(', '));
  return done(await vopay.act(found.id, behaviour));
}

/** The recipient of a payout or a refund: with the right answer where none is given, with `expire` never. */
async function deposit(
  { vopay, book }: ControlParts,
  { id, reference, answer, expire, decline }: Fields,
): Promise<Reply> {
  const found = typeof id === 'number' ? book.latest(id) : book.payoutOf(String(reference));
  if (found?.type !== 'Interac Bulk Payout') return invalid('id');
  if (expire === true) return done(await vopay.expire(found.id));
  if (decline === true) return done(await vopay.decline(found.id));
  return done(await vopay.deposit(found.id, typeof answer === 'string' ? answer : found.answer));
}

function done(entry: BookEntry | undefined): Reply {
  return entry === undefined ? { status: 409, body: { error: 'nothing_waits' } } : ok(entry);
}

/** What somebody sends who has seen one webhook: its number and its key, with anything else. */
async function makeUp({ webhooks, account }: ControlParts, { id, ...said }: Fields): Promise<Reply> {
  if (typeof id !== 'number') return invalid('id');
  await webhooks.tellMadeUp({ ID: id, TransactionID: id, ValidationKey: validationKeyOf(id, account), ...said });
  return ok({});
}
