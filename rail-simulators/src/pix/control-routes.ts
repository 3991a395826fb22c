/** What tests and demonstrations ask of the bank, beside its protocol. */
import { invalid, ok } from '../kernel/book-page.ts';
import { controlSurface } from '../kernel/control-surface.ts';
import { parseJson, type Reply, type Route } from '../kernel/http-server.ts';
import type { AccessTokens } from './access-tokens.ts';
import { toCents } from './amounts.ts';
import type { Book, Natureza } from './book.ts';
import type { Callbacks } from './callbacks.ts';
import { fieldsOf } from './charge-terms.ts';
import { type Faults, noFaults, parsePixFaults } from './faults.ts';
import { parsePay } from './payers.ts';
import type { PixBank } from './pix-bank.ts';

export interface ControlParts {
  readonly bank: PixBank;
  readonly book: Book;
  readonly faults: Faults;
  readonly tokens: AccessTokens;
  readonly callbacks: Callbacks;
  readonly lateMs: number;
  /** A book on disk is never emptied from outside. */
  readonly isInMemory: boolean;
}

export function controlRoutes(parts: ControlParts): readonly Route[] {
  const { bank, book, tokens } = parts;
  const shown = {
    entriesAfter: (after: number, limit: number) => book.entriesAfter(after, limit),
    summary: () => ({ ...book.summary(), tokens: tokens.given }),
    clear: () => book.clear(),
  };
  return [
    { verb: 'POST', path: '/control/pay', answer: ({ body }) => pay(parts, parseJson(body)) },
    { verb: 'POST', path: '/control/take-back', answer: ({ body }) => takeBack(parts, parseJson(body)) },
    { verb: 'POST', path: '/control/made-up-callback', answer: ({ body }) => makeUp(parts, parseJson(body)) },
    { verb: 'POST', path: '/control/revoke-tokens', answer: () => revoke(parts) },
    ...controlSurface({ ...parts, book: shown, noFaults, parseFaults: parsePixFaults, stop: () => bank.stop() }),
  ];
}

async function pay({ bank, book, lateMs }: ControlParts, body: unknown): Promise<Reply> {
  const parsed = parsePay(body, book.charge(String(fieldsOf(body)?.['txid'])));
  if ('invalidField' in parsed) return invalid(parsed.invalidField);
  const { payments, isLate } = parsed.request;
  const pix: object[] = [];
  for (const payment of payments) {
    if (isLate) bank.payLater(payment, lateMs);
    const paid = isLate ? undefined : await bank.pay(payment);
    if (paid?.kind === 'refused') return { status: 409, body: { error: paid.why } };
    if (paid !== undefined) pix.push({ ...paid.pix, txid: payment.txid });
  }
  return ok({ pix });
}

const naturezas: readonly Natureza[] = ['ORIGINAL', 'MED_OPERACIONAL', 'MED_FRAUDE'];

async function takeBack({ bank }: ControlParts, body: unknown): Promise<Reply> {
  const { endToEndId, valor, natureza = 'MED_FRAUDE' } = fieldsOf(body) ?? {};
  const kind = naturezas.find((known) => known === natureza);
  if (kind === undefined) return invalid('natureza');
  if (valor !== undefined && !(typeof valor === 'string' && toCents(valor))) return invalid('valor');
  const refund = await bank.takeBack(String(endToEndId), valor as string | undefined, kind);
  return refund === undefined ? invalid('endToEndId') : ok(refund);
}

function makeUp({ callbacks }: ControlParts, body: unknown): Reply {
  const pix = fieldsOf(body);
  if (pix === undefined) return invalid('body');
  callbacks.tellMadeUp(pix);
  return ok({});
}

function revoke({ tokens }: ControlParts): Reply {
  tokens.revokeAll();
  return ok({});
}
