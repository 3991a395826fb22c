/**
 * Paying out through Epoint, in manats: the payout to a registered card (`refund-request`), the question what became of it
 * (`get-status`), and what is said of one, in answers and callbacks alike. Pure: no network, no clock. What both are wrapped in
 * is in envelope.ts, words and codes in vocabulary.ts.
 *
 * Confirmed by Epoint's description of its interface (version 1.0.3, and its newer pages): the addresses, the fields of both
 * requests and of their answers; that failures come with HTTP 200; that a payout goes to a `card_id` and to nothing else, which
 * `card-registration` in payout mode gives out once the payee has typed the card on Epoint's own page. **There is no document
 * by which a card number could be paid**, and no `/payout`; hence registered-cards.ts. By the published example of a signature:
 * an amount is a text. By a client's recordings: `order_id` in the answer about a status, and that a signature which does not
 * fit is answered `server_error` with the text below; what is refused for it was not taken.
 *
 * Not confirmed, and **to be asked of Epoint before the first real payout**: that `get-status` finds a payout by `order_id` (its
 * table has `transaction` alone, which nobody has after a time-out; its example of a signature has `order_id`); what a second
 * request under one order_id does; what an unknown one is answered; what an empty float is answered; that payouts are ever told
 * of by callback. So: only an answer that names our order_id is believed, nothing that is asked proves that a payout never
 * arrived, and **one that was not answered is never sent again**, but waits until Epoint or the operator knows. `error` in
 * the answer to a payout is a fault of the request, of which nobody says that nothing was taken: unknown.
 *
 * Neither name nor expiry date is asked for; method 17's stays with us. `description` is optional, by a client's code: of at most
 * 1,000 characters, shown in Epoint's cabinet, which has no other word of ours for a payout.
 */
import type { PayoutOrder, RailStatus } from '../../domain/payouts/payout-rail.ts';
import { invariant } from '../../foundation/invariant.ts';
import { formatAmount, type Money } from '../../foundation/money.ts';
import { unknown } from '../kit/payout-answers.ts';
import { amountOf, fieldOf, type JsonObject, readObject, textOf } from '../kit/provider-json.ts';
import type { EpointAccount } from './configuration.ts';
import { sealed, writeForm } from './envelope.ts';
import { meaningOf } from './vocabulary.ts';

export const EPOINT_METHODS: ReadonlySet<number> = new Set([11, 17]);

export const PAYOUT_PATH = '/refund-request';
export const STATUS_PATH = '/get-status';
export const HEADERS = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };

/** Of Epoint's messages, which nobody of ours reads. */
const LANGUAGE = 'en';

export function writePayout(
  { reference, remittance, money }: PayoutOrder,
  cardId: string,
  account: EpointAccount,
): string {
  invariant(money.currency === 'AZN' && money.minor > 0n, 'Epoint pays out manats');
  const fields = {
    public_key: account.publicKey,
    language: LANGUAGE,
    card_id: cardId,
    order_id: reference,
    amount: formatAmount(money),
    currency: money.currency,
    description: remittance,
  };
  return writeForm(sealed(fields, account.privateKey));
}

export function writeStatusQuery(orderId: string, { publicKey, privateKey }: EpointAccount): string {
  return writeForm(sealed({ public_key: publicKey, order_id: orderId }, privateKey));
}

/** What Epoint says of one payment. */
export interface Statement {
  readonly status: string;
  /** Epoint's own name of the payment; empty where it names none. */
  readonly transaction: string;
  /** Empty in the direct answer to a payout. */
  readonly orderId: string;
  /** Empty, or three letters and digits. */
  readonly code: string;
  /** Null where none is named. */
  readonly money: Money | null;
  readonly cardMask: string;
}

export type Said =
  | { readonly kind: 'statement'; readonly statement: Statement }
  | { readonly kind: 'signature_refused' }
  | { readonly kind: 'nothing'; readonly reason: string };

const SIGNATURE_REFUSED = 'Signature did not match';

export function readAnswer(status: number, body: Buffer): Said {
  if (status !== 200) return { kind: 'nothing', reason: `HTTP ${status}` };
  const fields = readObject(body);
  if (textOf(fields, 'status') === 'server_error' && textOf(fields, 'message') === SIGNATURE_REFUSED) {
    return { kind: 'signature_refused' };
  }
  const statement = fields && readStatement(fields);
  return statement ? { kind: 'statement', statement } : { kind: 'nothing', reason: 'the answer is none of Epoint’s' };
}

/** Undefined: not so that it can be read. */
export function readStatement(fields: JsonObject): Statement | undefined {
  const [status, transaction, orderId, code] = ['status', 'transaction', 'order_id', 'code'].map((name) =>
    textOf(fields, name),
  );
  const amount = fieldOf(fields, 'amount') ?? null;
  const money = amount === null ? null : amountOf(textOf(fields, 'amount'), 'AZN');
  if (!status || money === undefined || !/^(?:[0-9A-Z]{3})?$/.test(code ?? '')) return undefined;
  const cardMask = textOf(fields, 'card_mask');
  return { status, transaction: transaction ?? '', orderId: orderId ?? '', code: code ?? '', money, cardMask };
}

/** What the direct answer to a payout proves of it. It names no order_id, but it names the payment that came to be. */
export function answerTo(
  order: PayoutOrder,
  card: string,
  statement: Statement,
): Exclude<RailStatus, { kind: 'not_found' }> {
  if (statement.status === 'error') return unknown('Epoint finds the request at fault');
  const isAboutOther = statement.orderId !== '' && statement.orderId !== order.reference;
  if (statement.transaction === '' || isAboutOther) {
    return unknown('Epoint names no payment of ours');
  }
  return proved(order, card, statement);
}

/** What the answer to a question proves of the payout that it must name. */
export function answerAbout(
  order: PayoutOrder,
  card: string,
  statement: Statement,
): Exclude<RailStatus, { kind: 'not_found' }> {
  if (statement.transaction === '' || statement.orderId !== order.reference) {
    return unknown('Epoint does not know it by our order_id, or does not say so');
  }
  return proved(order, card, statement);
}

/** Nothing is executed by an answer that names no amount, which Epoint's description has in both answers. */
function proved(order: PayoutOrder, card: string, statement: Statement): Exclude<RailStatus, { kind: 'not_found' }> {
  const meaning = fits(order, card, statement) ?? meaningOf(statement.status, statement.code);
  return meaning.kind === 'executed' && statement.money === null ? unknown('Epoint names no amount') : meaning;
}

/** Undefined: nothing that is named contradicts the order. `card`: empty where nobody knows it any more. */
function fits({ money }: PayoutOrder, card: string, statement: Statement) {
  const [, first = '', last = ''] = /^(\d{4,6})\*+(\d{4})$/.exec(statement.cardMask) ?? [];
  const isOurCard = card === '' || (card.startsWith(first) && card.endsWith(last));
  const isOurAmount = statement.money === null || statement.money.minor === money.minor;
  return isOurCard && isOurAmount ? undefined : unknown(`Epoint names another ${isOurCard ? 'amount' : 'card'}`);
}
