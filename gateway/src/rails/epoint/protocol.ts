/**
 * Writes the payout to a registered card (`refund-request`) in manats and the query about its outcome
 * (`get-status`). Reads Epoint's statements about a payout in responses and callbacks. Pure: no network, no clock.
 * envelope.ts wraps both, vocabulary.ts has the statuses and codes. Confirmed: see README.md. Only a response with our order_id
 * counts, no response proves that a payout never arrived, and **the rail never sends an unanswered payout again**.
 */
import type { PayoutOrder, RailStatus } from '../../domain/payouts/payout-rail.ts';
import { invariant } from '../../foundation/invariant.ts';
import { formatAmount, type Money } from '../../foundation/money.ts';
import { amountOf, fieldOf, type JsonObject, readObject, textOf } from '../kit/provider-json.ts';
import { unknown } from '../kit/rail-answers.ts';
import type { EpointAccount } from './configuration.ts';
import { sealed, writeForm } from './envelope.ts';
import { meaningOf } from './vocabulary.ts';

export const PAYOUT_PATH = '/refund-request';
export const STATUS_PATH = '/get-status';
export const HEADERS = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };

/** The language of Epoint's messages, which we do not use. */
const LANGUAGE = 'en';

export function writePayout(
  { reference, remittance, money }: PayoutOrder,
  cardId: string,
  account: EpointAccount,
): string {
  invariant(money.currency === 'AZN' && money.minor > 0n, 'amount is not a positive AZN amount');
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

/** Epoint's statement about one payment. */
export interface Statement {
  readonly status: string;
  /** Epoint's own id of the payment. Empty if it is missing. */
  readonly transaction: string;
  /** Empty in the direct response to a payout. */
  readonly orderId: string;
  /** Empty, or three letters or digits. */
  readonly code: string;
  /** Null if there is no amount. */
  readonly money: Money | null;
  readonly cardMask: string;
}

export type EpointAnswer =
  | { readonly kind: 'statement'; readonly statement: Statement }
  | { readonly kind: 'signature_refused' }
  | { readonly kind: 'nothing'; readonly reason: string };

const SIGNATURE_REFUSED = 'Signature did not match';

export function readAnswer(status: number, body: Buffer): EpointAnswer {
  if (status !== 200) return { kind: 'nothing', reason: `HTTP ${status}` };
  const fields = readObject(body);
  if (textOf(fields, 'status') === 'server_error' && textOf(fields, 'message') === SIGNATURE_REFUSED) {
    return { kind: 'signature_refused' };
  }
  const statement = fields && readStatement(fields);
  return statement
    ? { kind: 'statement', statement }
    : { kind: 'nothing', reason: 'the response does not come from Epoint' };
}

/** Returns undefined if the statement is unreadable. */
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

/** Returns the proof in the direct response to a payout. It has no order_id, but it has the id of the created payment. */
export function answerTo(
  order: PayoutOrder,
  card: string,
  statement: Statement,
): Exclude<RailStatus, { kind: 'not_found' }> {
  if (statement.status === 'error') return unknown('Epoint rejects the request as invalid');
  const isAboutOther = statement.orderId !== '' && statement.orderId !== order.reference;
  if (statement.transaction === '' || isAboutOther) {
    return unknown('Epoint’s response is about another payment');
  }
  return proved(order, card, statement);
}

/** Returns the proof in the response to a query, which must name the payout. */
export function answerAbout(
  order: PayoutOrder,
  card: string,
  statement: Statement,
): Exclude<RailStatus, { kind: 'not_found' }> {
  if (statement.transaction === '' || statement.orderId !== order.reference) {
    return unknown('Epoint returned no payment with our order_id');
  }
  return proved(order, card, statement);
}

/** A response without an amount proves no execution. Epoint's description has the amount in both responses. */
function proved(order: PayoutOrder, card: string, statement: Statement): Exclude<RailStatus, { kind: 'not_found' }> {
  const meaning = fits(order, card, statement) ?? meaningOf(statement.status, statement.code);
  return meaning.kind === 'executed' && statement.money === null ? unknown('Epoint sent no amount') : meaning;
}

/** Returns undefined if nothing contradicts the order. `card` is empty if the gateway no longer knows it. */
function fits({ money }: PayoutOrder, card: string, statement: Statement) {
  const [, first = '', last = ''] = /^(\d{4,6})\*+(\d{4})$/.exec(statement.cardMask) ?? [];
  const isOurCard = card === '' || (card.startsWith(first) && card.endsWith(last));
  const isOurAmount = statement.money === null || statement.money.minor === money.minor;
  return isOurCard && isOurAmount ? undefined : unknown(`Epoint sent another ${isOurCard ? 'amount' : 'card'}`);
}
