/** Actions of payers, the bank and third parties that tests and demos can trigger. */
import { invalid, ok } from '../kernel/book-page.ts';
import { controlPost } from '../kernel/control-surface.ts';
import { isObject, parseJson } from '../kernel/fields.ts';
import type { Reply, Route } from '../kernel/http-server.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { Book, Natureza } from './book.ts';
import type { Callbacks } from './notifications.ts';
import { parsePay } from './payers.ts';
import type { PixBank } from './processing.ts';
import { isValor } from './requests.ts';

export interface ControlParts {
  readonly bank: PixBank;
  readonly book: Book;
  readonly tokens: AccessTokens;
  readonly callbacks: Callbacks;
  readonly lateMs: number;
}

const NATUREZAS: readonly Natureza[] = ['ORIGINAL', 'MED_OPERACIONAL', 'MED_FRAUDE'];

export function controlRoutes({ bank, book, tokens, callbacks, lateMs }: ControlParts): readonly Route[] {
  return [
    controlPost('pay', (fields) => pay(bank, parsePay(fields, book.latest(String(fields['txid']))), lateMs)),
    controlPost('reverse', async ({ endToEndId, valor, natureza = 'MED_FRAUDE' }) => {
      const kind = NATUREZAS.find((known) => known === natureza);
      if (kind === undefined) return invalid('natureza');
      if (valor !== undefined && !(typeof valor === 'string' && isValor(valor))) return invalid('valor');
      const refund = await bank.reverse(String(endToEndId), valor, kind);
      return refund === undefined ? invalid('endToEndId') : ok(refund);
    }),
    {
      verb: 'POST',
      path: '/control/made-up-callback',
      answer({ body }) {
        const pix = parseJson(body);
        if (!isObject(pix)) return invalid('body');
        callbacks.notifyMadeUp(pix);
        return ok({});
      },
    },
    controlPost('revoke-tokens', () => {
      tokens.revokeAll();
      return ok({});
    }),
  ];
}

async function pay(bank: PixBank, parsed: ReturnType<typeof parsePay>, lateMs: number): Promise<Reply> {
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
