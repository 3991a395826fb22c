/**
 * For tests only: STP on a free port, with a client's inbox and a clock that the test controls. It has one function per
 * request of a client or an operator. The signatures follow STP's documentation and share no code with the verification.
 */
import { createSign, generateKeyPairSync } from 'node:crypto';
import type { TestContext } from 'node:test';
import { type Answer, answerOf, type Inbox, openInbox, patience } from '../kernel/inbox-under-test.ts';
import { type Control, closesWith, controlAt } from '../kernel/simulator-under-test.ts';
import { ManualClock } from '../manual-clock.ts';
import { type StpOptions, startStp } from './server.ts';

const SECRET = 'a secret of the test';
export const EMPRESA = 'TIENDA';
export const CLABE_PREFIX = '6461804990';
/** The client's account number 1, and an account at another bank. */
export const CLABE = '646180499000000018';
export const PAYER_CLABE = '012180015000000000';

const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const { publicKey } = KEYS;

export function sign(text: string): string {
  return createSign('RSA-SHA256').update(text, 'utf8').sign(KEYS.privateKey, 'base64');
}

export const confirming = () => ({ status: 200, body: '{"mensaje":"confirmar"}' });
export const givingBack = () => ({ status: 400, body: '{"mensaje":"devolver","id":1}' });
export const receiving = () => ({ status: 200, body: '{"mensaje":"recibido"}' });

export interface StpUnderTest {
  readonly url: string;
  readonly clock: ManualClock;
  readonly abonos: Inbox;
  readonly states: Inbox;
  readonly log: string[];
  close(): Promise<void>;
  readonly control: Control;
  /** Makes a payer pay 100.00 into the client's account number 1. The argument overrides fields. */
  pay(fields?: Record<string, unknown>): Promise<Answer>;
  /** Registers an order of 1.20. The argument overrides fields, including the signature. */
  register(fields?: Record<string, unknown>): Promise<Answer>;
  /** Returns the list of a date, or of the current date. */
  reconcile(direction: 'E' | 'R', fechaOperacion?: string, page?: number): Promise<Answer>;
  find(direction: 'E' | 'R', claveRastreo: string, fechaOperacion?: string): Promise<Answer>;
  summary(): Promise<Readonly<Record<string, unknown>>>;
}

export interface TestOptions extends Partial<Omit<StpOptions, 'clock'>> {
  readonly clock?: ManualClock;
  readonly abonos?: Inbox;
  readonly states?: Inbox;
}

/** Starts STP in memory with its control surface and a client that confirms everything. It closes with the test. */
export async function startStpUnderTest(t: TestContext, options: TestOptions = {}): Promise<StpUnderTest> {
  const {
    clock = new ManualClock(),
    abonos = await confirmingInbox(t),
    states = await receivingInbox(t),
    ...rest
  } = options;
  const log: string[] = [];
  const own = {
    host: '127.0.0.1',
    port: 0,
    secret: SECRET,
    empresa: EMPRESA,
    clabePrefix: CLABE_PREFIX,
    findPublicKey: () => publicKey,
    control: true,
  };
  const notify = { abonoUrl: abonos.url, stateUrl: states.url };
  const stp = await startStp({ ...own, notify, clock, log: (line) => void log.push(line), ...rest });
  const close = closesWith(t, stp);
  const send = (method: string, path: string, body: unknown) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return answerOf(fetch(stp.url + path, { method, body: text, signal: patience() }));
  };
  const control = controlAt(stp.url, SECRET);
  return {
    url: stp.url,
    clock,
    abonos,
    states,
    log,
    close,
    control,
    pay: (fields = {}) => control('pay', { clabe: CLABE, amount: '100.00', ...fields }),
    register: (fields = {}) => send('PUT', '/speiws/rest/ordenPago/registra', order(fields)),
    reconcile: (direction, fechaOperacion = '', page = 0) => {
      const firma = sign(`||${EMPRESA}|${direction}|${fechaOperacion}||`);
      return send('POST', '/efws/API/V2/conciliacion', {
        empresa: EMPRESA,
        page,
        tipoOrden: direction,
        fechaOperacion,
        firma,
      });
    },
    find: (direction, claveRastreo, fechaOperacion = '') => {
      const firma = sign(`||${EMPRESA}|${claveRastreo}|${direction}|${fechaOperacion}||`);
      const date = fechaOperacion === '' ? {} : { fechaOperacion };
      return send('POST', '/efws/API/consultaOrden', {
        empresa: EMPRESA,
        claveRastreo,
        tipoOrden: direction,
        ...date,
        firma,
      });
    },
    summary: async () => (await control('summary')).body,
  };
}

export async function confirmingInbox(t: TestContext): Promise<Inbox> {
  const inbox = await openInbox(t);
  inbox.answer = confirming;
  return inbox;
}

async function receivingInbox(t: TestContext): Promise<Inbox> {
  const inbox = await openInbox(t);
  inbox.answer = receiving;
  return inbox;
}

/** Returns a signed order. The signed string contains the fields in STP's order. */
export function order(change: Record<string, unknown> = {}): Record<string, unknown> {
  const fields: Record<string, unknown> = {
    institucionContraparte: '40012',
    empresa: EMPRESA,
    folioOrigen: 'return-1',
    claveRastreo: 'GW0001',
    institucionOperante: '90646',
    monto: '1.20',
    tipoPago: '1',
    tipoCuentaOrdenante: '40',
    nombreOrdenante: 'TIENDA SA',
    cuentaOrdenante: CLABE,
    rfcCurpOrdenante: 'ND',
    tipoCuentaBeneficiario: '40',
    nombreBeneficiario: 'ANA PAGADORA',
    cuentaBeneficiario: PAYER_CLABE,
    rfcCurpBeneficiario: 'ND',
    conceptoPago: 'DEVOLUCION',
    referenciaNumerica: '17',
    ...change,
  };
  const f = (name: string) => String(fields[name] ?? '');
  const monto = /^\d+(\.\d{1,2})?$/.test(f('monto')) ? Number(f('monto')).toFixed(2) : f('monto');
  const text =
    `||${f('institucionContraparte')}|${f('empresa')}||${f('folioOrigen')}|${f('claveRastreo')}` +
    `|${f('institucionOperante')}|${monto}|${f('tipoPago')}|${f('tipoCuentaOrdenante')}|${f('nombreOrdenante')}` +
    `|${f('cuentaOrdenante')}|${f('rfcCurpOrdenante')}|${f('tipoCuentaBeneficiario')}|${f('nombreBeneficiario')}` +
    `|${f('cuentaBeneficiario')}|${f('rfcCurpBeneficiario')}||||||${f('conceptoPago')}||||||${f('referenciaNumerica')}` +
    '||||||||';
  return { firma: sign(text), ...fields };
}
