/**
 * Parses STP's notifications and writes the responses. An abono says that money arrived for one of our CLABEs; a state
 * change is about an order that we sent. STP sends both as JSON by POST. Pure: no network, no clock.
 *
 * Confirmed by several public clients: the fields of the abono, `confirmar` with 200, `devolver` with a reason's
 * number, mostly with 400; the fields of the state change and its response `recibido`. Some clients return money with a
 * 400 and a number alone, so the gateway must never return 400 for its own fault: 500 and 503 are safe. A state
 * change's `id` may equal an abono's, because STP numbers them separately. Two transfers of one bank may share a
 * claveRastreo on different days.
 *
 * Not confirmed: how often and how long STP repeats an unanswered message, and what it does at the end. No client's
 * code has a signature over the body, although one page mentions one. The sender's address or certificate must
 * authenticate the message.
 */
import type { Instant } from '../../foundation/clock.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { type Fields, readObject } from '../kit/provider-json.ts';
import {
  ACCOUNT,
  firstFault,
  ID,
  INSTITUTION,
  instantOf,
  readTransferFields,
  TRACKING_KEY,
  type TransferFields,
  textOf,
} from './read-fields.ts';
import { type SpeiState, stateOf } from './vocabulary.ts';

export interface Abono extends TransferFields {
  readonly id: string;
  readonly institucionOrdenante: string;
}

export interface StateChange {
  readonly id: string;
  readonly empresa: string;
  /** Our reference, if the order had one. */
  readonly folioOrigen: string;
  readonly claveRastreo: string;
  /** STP's own name of the state. */
  readonly estado: string;
  readonly state: SpeiState;
  readonly causaDevolucion: string;
  readonly settledAt: Instant | null;
}

/** The bytes of a response and its status. */
interface IncomingAnswer {
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

const STATE_PATTERNS: Readonly<Record<string, RegExp>> = { id: ID, empresa: COMPANY, estado: /^[A-Za-z]{1,20}$/ };

/** Distinguishes a state change from an abono, because both may arrive at one address. */
function isStateChange(fields: Fields): boolean {
  return fields['estado'] !== undefined && fields['monto'] === undefined;
}

/** Parses either message. The error names the first invalid field. */
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
  const shared = readTransferFields(fields, ABONO_PATTERNS);
  if (!shared.ok) return shared;
  const [id, institucionOrdenante] = [textOf(fields, 'id'), textOf(fields, 'institucionOrdenante')];
  return ok({ ...shared.value, id, institucionOrdenante });
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

/** The money is ours, and the gateway has recorded it. */
export const ABONO_CONFIRMED = answer(200, { mensaje: 'confirmar' });

/** Returns the response that makes STP return the money, for the reason with this number. */
export function abonoReturned(reason: number): IncomingAnswer {
  return answer(400, { mensaje: 'devolver', id: reason });
}

export const STATE_RECEIVED = answer(200, { mensaje: 'recibido' });
