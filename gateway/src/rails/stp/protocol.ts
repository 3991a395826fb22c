/**
 * Writes the order that we register with STP, and decides what the response proves. Pure: no network, no clock.
 * notification-messages.ts reads STP's notifications, and queries.ts holds the queries. Confirmed by recorded exchanges of
 * public clients with STP's demo: the URL and method, the fields, `resultado.id` of an accepted order, `descripcionError` with
 * an id of zero or below for a rejected one. Confirmed by clients' tests: the messages and numbers of the rejections.
 * Confirmed by two recent clients only: `latitud` and `longitud`, which no signature covers and which the rail does not send.
 * Not confirmed: the order of STP's checks, its time limits, and its response to an order without sufficient funds.
 */
import type { KeyObject } from 'node:crypto';
import { invariant } from '../../foundation/invariant.ts';
import { formatAmount, type Money } from '../../foundation/money.ts';
import { asciiText } from '../kit/latin-text.ts';
import { asFields, readObject } from '../kit/provider-json.ts';
import { unknown } from '../kit/rail-answers.ts';
import { textOf } from './read-fields.ts';
import { isRefused, KEY_USED, type Refusal } from './refusals.ts';
import { type OrderFields, orderText, signText } from './signature.ts';

/** PUT, at the address of the orders (in production `https://prod.stpmex.com`). */
export const REGISTER_ORDER_PATH = '/speiws/rest/ordenPago/registra';

export const STP_INSTITUTION = '90646';

export interface PaymentOrder {
  readonly empresa: string;
  /** A key of 1 to 30 letters and digits that is unique among our orders of a day. */
  readonly claveRastreo: string;
  /** Our own reference, which the state change repeats. */
  readonly folioOrigen: string;
  readonly money: Money;
  /** The bank's code of five digits. */
  readonly institucionContraparte: string;
  readonly cuentaOrdenante: string;
  readonly nombreOrdenante: string;
  readonly cuentaBeneficiario: string;
  readonly nombreBeneficiario: string;
  readonly conceptoPago: string;
  /** A number of 1 to 7 digits. */
  readonly referenciaNumerica: string;
}

const MOST_TEXT = 39;
const THIRD_PARTY_PAYMENT = '1';
const NOT_GIVEN = 'ND';
const ACCOUNT_TYPES: Readonly<Record<number, string>> = { 10: '10', 15: '3', 16: '3', 18: '40' };

/** Returns a text as SPEI carries it: ASCII letters, digits and a few signs, at most 39 characters. Accents are removed. */
export function speiText(text: string): string {
  return asciiText(text, /[^A-Za-z0-9 .,-]+/g, MOST_TEXT);
}

/** Returns the signed JSON of an order, with all values as strings. */
export function writeOrder(order: PaymentOrder, privateKey: KeyObject): string {
  const fields = orderFields(order);
  return JSON.stringify({ ...fields, firma: signText(orderText(fields), privateKey) });
}

function orderFields(order: PaymentOrder): OrderFields {
  invariant(/^[A-Za-z0-9]{1,30}$/.test(order.claveRastreo), 'claveRastreo is not 1 to 30 letters and digits');
  invariant(/^\d{1,7}$/.test(order.referenciaNumerica), 'referenciaNumerica is not 1 to 7 digits');
  invariant(order.money.currency === 'MXN' && order.money.minor > 0n, 'amount is not a positive MXN amount');
  return {
    institucionContraparte: order.institucionContraparte,
    empresa: order.empresa,
    folioOrigen: order.folioOrigen,
    claveRastreo: order.claveRastreo,
    institucionOperante: STP_INSTITUTION,
    monto: formatAmount(order.money),
    tipoPago: THIRD_PARTY_PAYMENT,
    tipoCuentaOrdenante: accountType(order.cuentaOrdenante),
    nombreOrdenante: speiText(order.nombreOrdenante),
    cuentaOrdenante: order.cuentaOrdenante,
    rfcCurpOrdenante: NOT_GIVEN,
    tipoCuentaBeneficiario: accountType(order.cuentaBeneficiario),
    nombreBeneficiario: speiText(order.nombreBeneficiario) || NOT_GIVEN,
    cuentaBeneficiario: order.cuentaBeneficiario,
    rfcCurpBeneficiario: NOT_GIVEN,
    conceptoPago: speiText(order.conceptoPago),
    referenciaNumerica: order.referenciaNumerica,
  };
}

function accountType(account: string): string {
  const type = ACCOUNT_TYPES[account.length];
  invariant(type && /^\d+$/.test(account), 'account is not a CLABE, a card or a mobile number');
  return type;
}

export type Registration =
  | { readonly kind: 'accepted'; readonly id: string }
  /** STP says that this order does not exist and never will. */
  | ({ readonly kind: 'refused' } & Refusal)
  /** An order with this claveRastreo exists. The rail must query its outcome. */
  | { readonly kind: 'key_used' }
  | { readonly kind: 'unknown'; readonly reason: string };

export function readRegistration(status: number, body: Buffer): Registration {
  const result = asFields(readObject(body)?.['resultado']);
  if (status !== 200 || !result) return unknown(`HTTP ${status}`);
  const id = textOf(result, 'id');
  const reason = textOf(result, 'descripcionError');
  if (reason === '' && /^[1-9]\d{3,17}$/.test(id)) return { kind: 'accepted', id };
  if (id === KEY_USED) return { kind: 'key_used' };
  if (isRefused({ id, reason })) return { kind: 'refused', id, reason };
  return unknown(`STP reports ${id} ${reason}`);
}
