/** STP's endpoints, as a table, with the response of each. */
import { invalid, ok } from '../kernel/book-page.ts';
import { jsonNumber, parseJson, parseKeepingNumbers, textOf } from '../kernel/fields.ts';
import type { Reply, Route } from '../kernel/http-server.ts';
import { STP_INSTITUTION } from './banks.ts';
import type { BookEntry, Direction, Transfer } from './book.ts';
import { accountType } from './notifications.ts';
import { parsePayRequest } from './payers.ts';
import type { Stp } from './processing.ts';
import { type Client, checkOrder } from './requests.ts';
import { isSigned, joined } from './signature.ts';

interface ServedParts {
  readonly stp: Stp;
  readonly client: Client;
  readonly rowsPerPage: number;
}

export function stpRoutes(parts: ServedParts): readonly Route[] {
  return [
    { verb: 'PUT', path: '/speiws/rest/ordenPago/registra', answer: ({ body }) => register(parts, body) },
    { verb: 'POST', path: '/efws/API/V2/conciliacion', answer: ({ body }) => reconcile(parts, body) },
    { verb: 'POST', path: '/efws/API/consultaOrden', answer: ({ body }) => findTransfer(parts, body) },
  ];
}

export function controlRoutes(parts: ServedParts): readonly Route[] {
  return [{ verb: 'POST', path: '/control/pay', answer: ({ body }) => pay(parts, parseJson(body)) }];
}

async function register({ stp, client }: ServedParts, body: Buffer): Promise<Reply> {
  const fields = parseKeepingNumbers(body);
  if (fields === undefined) return { status: 400, body: { error: 'invalid', field: 'body' } };
  const checked = checkOrder(fields, client);
  if ('refusal' in checked) return ok({ resultado: checked.refusal });
  const registered = await stp.register(checked.fields);
  switch (registered.kind) {
    case 'accepted':
      return ok({ resultado: { id: registered.id } });
    case 'refused':
      return ok({ resultado: registered.refusal });
    case 'unanswered':
      return 'never';
    case 'error_500':
      return { status: 500, body: { error: 'internal' } };
  }
}

interface Query {
  readonly direction: Direction;
  readonly fechaOperacion: string;
  readonly claveRastreo: string;
  readonly page: number;
}

const FOUND = { estado: 0, mensaje: 'Datos consultados correctamente' };
const NOTHING_FOUND: Reply = {
  status: 400,
  body: { estado: 6, mensaje: 'No se encontraron datos relacionados', total: 0 },
};
const refused = (mensaje: string): Reply => ({ status: 400, body: { estado: 1, mensaje } });

/** Returns the checked query, or its rejection. The signature covers the fields in `signed`. */
function readQuery({ client }: ServedParts, body: Buffer, signed: readonly string[]): Query | Reply {
  const fields = parseKeepingNumbers(body);
  if (fields === undefined) return refused('El cuerpo no es JSON');
  const text = (name: string) => textOf(fields, name);
  const key = client.findPublicKey();
  const isRight = key !== undefined && isSigned(joined(signed.map(text)), text('firma'), key);
  if (text('empresa') !== client.empresa || !isRight) return refused('Firma invalida');
  const direction = text('tipoOrden');
  const page = text('page') || '0';
  if (direction !== 'E' && direction !== 'R') return refused('El campo tipoOrden es invalido');
  if (!/^(?:\d{8})?$/.test(text('fechaOperacion'))) return refused('El campo fechaOperacion es invalido');
  if (!/^\d{1,6}$/.test(page)) return refused('El campo page es invalido');
  const [fechaOperacion, claveRastreo] = [text('fechaOperacion'), text('claveRastreo')];
  return { direction, fechaOperacion, claveRastreo, page: Number(page) };
}

const isReply = (value: Query | Reply): value is Reply => typeof value === 'string' || 'status' in value;

function reconcile(parts: ServedParts, body: Buffer): Reply {
  const query = readQuery(parts, body, ['empresa', 'tipoOrden', 'fechaOperacion']);
  if (isReply(query)) return query;
  const listed = parts.stp.list(query.direction, query.fechaOperacion);
  const start = query.page * parts.rowsPerPage;
  const rows = listed.slice(start, start + parts.rowsPerPage);
  if (rows.length === 0) return NOTHING_FOUND;
  return ok({ ...FOUND, datos: rows.map((row) => rowOf(row, parts.client)), total: listed.length });
}

function findTransfer(parts: ServedParts, body: Buffer): Reply {
  const query = readQuery(parts, body, ['empresa', 'claveRastreo', 'tipoOrden', 'fechaOperacion']);
  if (isReply(query)) return query;
  const listed = parts.stp.list(query.direction, query.fechaOperacion);
  const row = listed.find(({ claveRastreo }) => claveRastreo === query.claveRastreo);
  return row === undefined ? NOTHING_FOUND : ok({ ...FOUND, respuesta: rowOf(row, parts.client) });
}

const orNull = (text: string): string | null => (text === '' ? null : text);

function rowOf(entry: BookEntry, { empresa }: Client): object {
  const isPayment = entry.tipoPago === 1;
  return {
    idEF: entry.id,
    claveRastreo: entry.claveRastreo,
    claveRastreoDevolucion: isPayment ? null : entry.claveRastreo,
    conceptoPago: orNull(entry.conceptoPago),
    cuentaBeneficiario: entry.cuentaBeneficiario,
    cuentaOrdenante: orNull(entry.cuentaOrdenante),
    empresa,
    estado: entry.estado,
    fechaOperacion: Number(entry.fechaOperacion),
    institucionContraparte: Number(entry.institucionContraparte),
    institucionOperante: Number(STP_INSTITUTION),
    medioEntrega: entry.direction === 'R' ? 1 : 3,
    monto: jsonNumber(entry.monto),
    nombreBeneficiario: orNull(entry.nombreBeneficiario),
    nombreOrdenante: orNull(entry.nombreOrdenante),
    nombreCep: null,
    rfcCep: null,
    sello: null,
    rfcCurpBeneficiario: isPayment ? 'ND' : null,
    referenciaNumerica: Number(entry.referenciaNumerica),
    rfcCurpOrdenante: orNull(entry.rfcCurpOrdenante),
    tipoCuentaBeneficiario: accountType(entry.cuentaBeneficiario),
    tipoCuentaOrdenante: entry.cuentaOrdenante === '' ? null : accountType(entry.cuentaOrdenante),
    tipoPago: entry.tipoPago,
    tsCaptura: entry.tsCaptura,
    tsLiquidacion: entry.tsLiquidacion,
    causaDevolucion: entry.causaDevolucion,
    urlCEP: null,
  };
}

async function pay({ stp, client }: ServedParts, body: unknown): Promise<Reply> {
  const parsed = parsePayRequest(body, client.clabePrefix);
  if ('invalidField' in parsed) return invalid(parsed.invalidField, parsed.accepts);
  const paid = await stp.pay(parsed.request);
  switch (paid.kind) {
    case 'paid':
      return ok({ transfers: paid.transfers.map(shown) });
    case 'due':
      return ok({ transfers: [], due_at: new Date(paid.at).toISOString() });
    case 'tracking_key_used':
      return { status: 409, body: { error: 'tracking_key_used' } };
  }
}

function shown({
  id,
  claveRastreo,
  fechaOperacion,
  institucionContraparte,
  monto,
  cuentaBeneficiario,
}: Transfer): object {
  return { id, claveRastreo, fechaOperacion, institucionOrdenante: institucionContraparte, monto, cuentaBeneficiario };
}
