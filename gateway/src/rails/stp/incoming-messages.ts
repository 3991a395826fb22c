/**
 * What STP tells on its own account, and what it may be answered: the abono (money has arrived for one of our CLABEs) and
 * the change of state of an order that we sent. Both are POSTed as JSON. Pure: no network, no clock.
 *
 * Confirmed by several public clients: the fields of the abono, `confirmar` with 200, `devolver` with the number of a
 * reason, which most send with 400; the fields of the state change and its answer `recibido`. Some give money back with a
 * 400 and a number alone, so a fault of ours must never be answered 400: 500 and 503 are safe. The number of a state
 * change's `id` can equal that of an abono: they count apart. Two transfers of one bank can share a claveRastreo on
 * different days. Not confirmed: how often and how long STP repeats what is not answered, and what it does in the end. No
 * signature over the body was seen in code (one page mentions one): who sends must be known by address or certificate.
 */
import type { Instant } from '../../foundation/clock.ts';
import type { Money } from '../../foundation/money.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { type Fields, readObject } from '../kit/provider-json.ts';
import { isDate } from './operation-date.ts';
import {
  ACCOUNT,
  ACCOUNT_OR_NONE,
  firstFault,
  ID,
  INSTITUTION,
  instantOf,
  moneyOf,
  TRACKING_KEY,
  textOf,
} from './read-fields.ts';
import { isReturnType, type SpeiState, stateOf } from './vocabulary.ts';

/** Texts are empty where STP leaves them out. */
export interface Abono {
  readonly id: string;
  /** `YYYYMMDD`, the operation date. */
  readonly fechaOperacion: string;
  readonly institucionOrdenante: string;
  readonly claveRastreo: string;
  readonly money: Money;
  readonly nombreOrdenante: string;
  readonly cuentaOrdenante: string;
  readonly rfcCurpOrdenante: string;
  readonly nombreBeneficiario: string;
  readonly cuentaBeneficiario: string;
  readonly conceptoPago: string;
  readonly referenciaNumerica: string;
  readonly empresa: string;
  /** True: an order of ours that came back. It pays no deposit. */
  readonly isReturnedOrder: boolean;
  readonly claveRastreoDevolucion: string;
  readonly settledAt: Instant | null;
}

export interface StateChange {
  readonly id: string;
  readonly empresa: string;
  /** Our reference, if the order had one. */
  readonly folioOrigen: string;
  readonly claveRastreo: string;
  /** STP's own word. */
  readonly estado: string;
  readonly state: SpeiState;
  readonly causaDevolucion: string;
  readonly settledAt: Instant | null;
}

/** The bytes of an answer and its status. */
export interface IncomingAnswer {
  readonly status: number;
  readonly contentType: 'application/json';
  readonly body: string;
}

const COMPANY = /^.{1,50}$/u;

const ABONO_PATTERNS: Readonly<Record<string, RegExp>> = {
  id: ID,
  institucionOrdenante: INSTITUTION,
  claveRastreo: TRACKING_KEY,
  cuentaBeneficiario: ACCOUNT,
  empresa: COMPANY,
};

/** What comes back to us need not say to which account. */
const RETURNED_PATTERNS = { ...ABONO_PATTERNS, cuentaBeneficiario: ACCOUNT_OR_NONE };

const STATE_PATTERNS: Readonly<Record<string, RegExp>> = { id: ID, empresa: COMPANY, estado: /^[A-Za-z]{1,20}$/ };

/** Whether the message is a change of state; both kinds may come to one address. */
function isStateChange(fields: Fields): boolean {
  return fields['estado'] !== undefined && fields['monto'] === undefined;
}

/** Either message; the error names the first field at fault. */
export function readIncoming(
  body: Buffer,
): Result<
  { readonly kind: 'abono'; readonly abono: Abono } | { readonly kind: 'state'; readonly change: StateChange },
  string
> {
  const fields = readObject(body);
  if (!fields) return fail('the body is not a JSON object');
  if (isStateChange(fields)) {
    const change = readStateChange(fields);
    return change.ok ? ok({ kind: 'state', change: change.value }) : change;
  }
  const abono = readAbono(fields);
  return abono.ok ? ok({ kind: 'abono', abono: abono.value }) : abono;
}

function readAbono(fields: Fields): Result<Abono, string> {
  const isReturnedOrder = isReturnType(textOf(fields, 'tipoPago'));
  const fault = firstFault(fields, isReturnedOrder ? RETURNED_PATTERNS : ABONO_PATTERNS);
  if (fault) return fail(fault);
  if (!isDate(textOf(fields, 'fechaOperacion'))) return fail('fechaOperacion');
  const money = moneyOf(fields, 'monto');
  if (!money) return fail('monto');
  return ok({
    id: textOf(fields, 'id'),
    fechaOperacion: textOf(fields, 'fechaOperacion'),
    institucionOrdenante: textOf(fields, 'institucionOrdenante'),
    claveRastreo: textOf(fields, 'claveRastreo'),
    money,
    nombreOrdenante: textOf(fields, 'nombreOrdenante'),
    cuentaOrdenante: textOf(fields, 'cuentaOrdenante'),
    rfcCurpOrdenante: textOf(fields, 'rfcCurpOrdenante'),
    nombreBeneficiario: textOf(fields, 'nombreBeneficiario'),
    cuentaBeneficiario: textOf(fields, 'cuentaBeneficiario'),
    conceptoPago: textOf(fields, 'conceptoPago'),
    referenciaNumerica: textOf(fields, 'referenciaNumerica'),
    empresa: textOf(fields, 'empresa'),
    isReturnedOrder,
    claveRastreoDevolucion: textOf(fields, 'claveRastreoDevolucion'),
    settledAt: instantOf(fields, 'tsLiquidacion'),
  });
}

function readStateChange(fields: Fields): Result<StateChange, string> {
  const fault = firstFault(fields, STATE_PATTERNS);
  if (fault) return fail(fault);
  const estado = textOf(fields, 'estado');
  return ok({
    id: textOf(fields, 'id'),
    empresa: textOf(fields, 'empresa'),
    folioOrigen: textOf(fields, 'folioOrigen'),
    claveRastreo: textOf(fields, 'claveRastreo'),
    estado,
    state: stateOf(estado),
    causaDevolucion: textOf(fields, 'causaDevolucion'),
    settledAt: instantOf(fields, 'tsLiquidacion'),
  });
}

const answer = (status: number, body: object): IncomingAnswer => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify(body),
});

/** The money is ours and safely recorded. */
export const ABONO_CONFIRMED = answer(200, { mensaje: 'confirmar' });

/** STP gives the money back, for the reason of that number. */
export function abonoReturned(reason: number): IncomingAnswer {
  return answer(400, { mensaje: 'devolver', id: reason });
}

export const STATE_RECEIVED = answer(200, { mensaje: 'recibido' });
