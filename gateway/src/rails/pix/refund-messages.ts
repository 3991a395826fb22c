/**
 * Writes and reads refunds (devolução). Pure: no network, no clock.
 *
 * Confirmed by the Central Bank's OpenAPI document 2.9.0: the endpoint, the fields, the three states. The id is ours and
 * unique for a Pix. All returns together cannot exceed the Pix, and the limit is 90 days. The natures: the receiver requests
 * ORIGINAL; the special return mechanism creates MED_OPERACIONAL and MED_FRAUDE, whether or not we agree. Not confirmed: the
 * response to a second PUT with the same id, so the rail trusts a rejection only after a GET.
 */
import { invariant } from '../../foundation/invariant.ts';
import { formatAmount, type Money } from '../../foundation/money.ts';
import { asFields, type Fields, readPlainObject } from '../kit/provider-json.ts';
import { listOf, moneyOf, textOf } from './read-fields.ts';
import { readProblem, saysNotFound } from './refusals.ts';

export function refundPath(endToEndId: string, id: string): string {
  invariant(
    /^[a-zA-Z0-9]{32}$/.test(endToEndId) && /^[a-zA-Z0-9]{1,35}$/.test(id),
    'endToEndId or id of a refund is malformed',
  );
  return `/pix/${endToEndId}/devolucao/${id}`;
}

/** Returns the body of a PUT. */
export function writeRefund(money: Money): string {
  invariant(money.currency === 'BRL' && money.minor > 0n, 'amount is not a positive BRL amount');
  return JSON.stringify({ valor: formatAmount(money) });
}

const STATES = ['EM_PROCESSAMENTO', 'DEVOLVIDO', 'NAO_REALIZADO'] as const;

interface Refund {
  readonly state: (typeof STATES)[number];
  readonly money: Money;
  readonly reason: string;
}

export type RefundReading =
  | { readonly kind: 'refund'; readonly refund: Refund }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Returns the response to a PUT or a GET. */
export function readRefund(status: number, body: Buffer, id: string): RefundReading {
  if (status === 404 && saysNotFound(body)) return { kind: 'not_found' };
  if (status === 404) return { kind: 'unknown', reason: 'HTTP 404 from a proxy, not from the bank' };
  if (status >= 400 && status < 500) return { kind: 'refused', status, reason: readProblem(status, body).reason };
  const fields = status === 200 || status === 201 ? readPlainObject(body) : undefined;
  const refund = fields && textOf(fields, 'id') === id ? refundIn(fields) : undefined;
  return refund ? { kind: 'refund', refund } : { kind: 'unknown', reason: `HTTP ${status}` };
}

function refundIn(fields: Fields): Refund | undefined {
  const state = STATES.find((known) => known === textOf(fields, 'status'));
  const money = moneyOf(fields, 'valor');
  return state && money && { state, money, reason: textOf(fields, 'motivo') };
}

/** A part of a Pix, or all of it, whose return is final. */
export interface GivenBack {
  readonly kind: 'refunded' | 'charged_back';
  /** The id of the devolução: ours if we requested it. */
  readonly id: string;
  readonly money: Money;
  readonly detail: string;
}

const TAKEN_BACK = /^MED_/;

/** Returns the parts of a received Pix whose return is final, or undefined if unreadable. Pending returns count as paid. */
export function readGivenBack(pix: Fields): readonly GivenBack[] | undefined {
  const all = listOf(pix, 'devolucoes')
    .map((item) => asFields(item) ?? {})
    .filter((fields) => textOf(fields, 'status') === 'DEVOLVIDO')
    .map(givenBackIn);
  return all.includes(undefined) ? undefined : all.filter((refund) => refund !== undefined);
}

function givenBackIn(fields: Fields): GivenBack | undefined {
  const money = moneyOf(fields, 'valor');
  const id = textOf(fields, 'id');
  const natureza = textOf(fields, 'natureza') || 'ORIGINAL';
  if (!money || id === '') return undefined;
  const detail = [natureza, textOf(fields, 'motivo')].filter((text) => text !== '').join(' ');
  return { kind: TAKEN_BACK.test(natureza) ? 'charged_back' : 'refunded', id, money, detail };
}
