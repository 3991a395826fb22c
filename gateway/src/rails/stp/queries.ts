/**
 * Writes STP's queries about sent and received transfers, and reads the responses: the list of an operation date
 * (conciliación), and the query for one transfer. Pure: no network, no clock.
 *
 * Confirmed by recorded exchanges of public clients with STP's demo: both URLs, the fields in both directions, `estado` 0 with
 * data, HTTP 400 with `estado` 6 without data, pages counted from 0, numbers such as `1.20`, and TLQ or TCL instead of LQ for
 * transfers of another client of STP. Confirmed by one client's code: 1,000 rows a page; a query for the current operation
 * date omits the date; the payment types of returned orders. Confirmed by one recorded list: a returned order of type 0 under
 * its own claveRastreo. Confirmed by public models of SPEI's messages: returns of the types 16 to 18 name the original's key.
 *
 * Not confirmed: whether STP passes that key on, and in which field (the code also reads claveRastreoDevolucion). Not
 * confirmed: whether a late return adds interest to the order's amount; the response to a wrong signature; how soon after its
 * settlement STP lists a transfer. A transfer that is missing on its own day therefore proves nothing.
 */
import type { KeyObject } from 'node:crypto';
import { ok, type Result } from '../../foundation/result.ts';
import { asFields, type Fields, readObject } from '../kit/provider-json.ts';
import {
  ACCOUNT,
  ID,
  INSTITUTION,
  readTransferFields,
  TRACKING_KEY,
  type TransferFields,
  textOf,
} from './read-fields.ts';
import { isAboutSignature } from './refusals.ts';
import { type Direction, reconciliationText, signText, transferQueryText } from './signature.ts';
import { type SpeiState, stateOf } from './vocabulary.ts';

/** POST, at the address of the queries (in STP's demo, another host than for the orders). */
export const RECONCILIATION_PATH = '/efws/API/V2/conciliacion';
/** The path of the query, which is sent by POST to the host of the queries. */
export const TRANSFER_QUERY_PATH = '/efws/API/consultaOrden';

export interface ReconciliationQuery {
  readonly empresa: string;
  readonly direction: Direction;
  /** The date as `YYYYMMDD`. Null queries the current operation date. */
  readonly fechaOperacion: string | null;
  /** Counts from 0. */
  readonly page: number;
}

export function writeReconciliationQuery(query: ReconciliationQuery, privateKey: KeyObject): string {
  const { empresa, direction, page } = query;
  const fechaOperacion = query.fechaOperacion ?? '';
  const firma = signText(reconciliationText(empresa, direction, fechaOperacion), privateKey);
  return JSON.stringify({ empresa, page, tipoOrden: direction, fechaOperacion, firma });
}

export interface TransferQuery {
  readonly empresa: string;
  readonly claveRastreo: string;
  readonly direction: Direction;
  /** The date as `YYYYMMDD`. Null queries the current operation date. */
  readonly fechaOperacion: string | null;
}

export function writeTransferQuery(query: TransferQuery, privateKey: KeyObject): string {
  const { empresa, claveRastreo, direction, fechaOperacion } = query;
  const firma = signText(transferQueryText(empresa, claveRastreo, direction, fechaOperacion ?? ''), privateKey);
  const date = fechaOperacion === null ? {} : { fechaOperacion };
  return JSON.stringify({ empresa, claveRastreo, tipoOrden: direction, ...date, firma });
}

/** A sent or received transfer as STP lists it. A text that STP omits is empty. */
export interface ListedTransfer extends TransferFields {
  /** The `id` of the abono, or of the taken order. */
  readonly idEF: string;
  readonly estado: string;
  readonly state: SpeiState;
  /** The counterparty's bank. For a received transfer it is the payer's bank. */
  readonly institucionContraparte: string;
  readonly causaDevolucion: string;
}

const ROW_PATTERNS: Readonly<Record<string, RegExp>> = {
  idEF: ID,
  claveRastreo: TRACKING_KEY,
  estado: /^[A-Z]{1,4}$/,
  institucionContraparte: INSTITUTION,
  cuentaBeneficiario: ACCOUNT,
};

function readListedTransfer(fields: Fields): Result<ListedTransfer, string> {
  const shared = readTransferFields(fields, ROW_PATTERNS);
  if (!shared.ok) return shared;
  const estado = textOf(fields, 'estado');
  return ok({
    ...shared.value,
    idEF: textOf(fields, 'idEF'),
    estado,
    state: stateOf(estado),
    institucionContraparte: textOf(fields, 'institucionContraparte'),
    causaDevolucion: textOf(fields, 'causaDevolucion'),
  });
}

export type ReconciliationPage =
  | {
      readonly kind: 'page';
      readonly transfers: readonly ListedTransfer[];
      /** The claveRastreo and the invalid field of each unreadable row. The operator must check these rows. */
      readonly unreadable: readonly string[];
      /** The number of rows on all pages. */
      readonly total: number;
    }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly reason: string };

const FOUND = '0';
const NOTHING_FOUND = '6';

export function readReconciliation(status: number, body: Buffer): ReconciliationPage {
  const fields = readObject(body);
  if (!fields) return { kind: 'unknown', reason: `HTTP ${status}` };
  const estado = textOf(fields, 'estado');
  if (estado === NOTHING_FOUND) return { kind: 'none' };
  const rows = fields['datos'];
  const total = textOf(fields, 'total');
  if (status !== 200 || estado !== FOUND || !Array.isArray(rows) || !/^\d{1,9}$/.test(total))
    return unknown(status, fields);
  const listed = rows.filter((row) => row !== null).map((row) => asFields(row) ?? {});
  const read = listed.map((row) => ({ row, reading: readListedTransfer(row) }));
  return {
    kind: 'page',
    transfers: read.flatMap(({ reading }) => (reading.ok ? [reading.value] : [])),
    unreadable: read.flatMap(({ row, reading }) =>
      reading.ok ? [] : [`${textOf(row, 'claveRastreo')}: ${reading.error}`],
    ),
    total: Number(total),
  };
}

export type TransferAnswer =
  | { readonly kind: 'found'; readonly transfer: ListedTransfer }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'unknown'; readonly reason: string };

export function readTransferAnswer(status: number, body: Buffer): TransferAnswer {
  const fields = readObject(body);
  if (!fields) return { kind: 'unknown', reason: `HTTP ${status}` };
  if (textOf(fields, 'estado') === NOTHING_FOUND) return { kind: 'not_found' };
  const row = asFields(fields['respuesta']);
  if (status !== 200 || textOf(fields, 'estado') !== FOUND || !row) return unknown(status, fields);
  const reading = readListedTransfer(row);
  return reading.ok
    ? { kind: 'found', transfer: reading.value }
    : { kind: 'unknown', reason: `the field ${reading.error} cannot be read` };
}

/** Returns true if STP refused our key and not the query. The code assumes the same texts as for a rejected order. */
export function isQueryKeyRefused(body: Buffer): boolean {
  const fields = readObject(body);
  return textOf(fields ?? {}, 'estado') !== FOUND && isAboutSignature(textOf(fields ?? {}, 'mensaje'));
}

function unknown(status: number, fields: Fields): { readonly kind: 'unknown'; readonly reason: string } {
  return { kind: 'unknown', reason: `HTTP ${status} ${textOf(fields, 'mensaje')}`.trim() };
}
