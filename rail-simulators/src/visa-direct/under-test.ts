/**
 * For tests only: Visa Direct on free ports, with a clock that the test controls. It has one function per request of a client
 * or an operator.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as requestTls } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Control, closesWith, controlAt } from '../kernel/simulator-under-test.ts';
import { ManualClock } from '../manual-clock.ts';
import { startVisaDirect, type VisaDirectOptions, type VisaDirectServer } from './server.ts';

const SECRET = 'a secret of the test';
const USER_ID = 'client';
const PASSWORD = 'a password';

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  readonly location: string | undefined;
  /** The parsed text, or an empty object if it is not JSON. */
  readonly json: Record<string, unknown>;
}

interface VisaDirectUnderTest {
  readonly server: VisaDirectServer;
  readonly clock: ManualClock;
  readonly folder: string;
  close(): Promise<void>;
  /** Sends over mutual TLS. `headers` override the valid ones. */
  api(method: string, path: string, body?: string, headers?: Readonly<Record<string, string>>): Promise<RawAnswer>;
  /** Pushes 10.00 EUR. The argument overrides fields. */
  push(fields?: Readonly<Record<string, unknown>>): Promise<RawAnswer>;
  /** Returns the records that match the numbers in `push`. */
  query(): Promise<readonly Record<string, unknown>[]>;
  readonly control: Control;
  summary(): Promise<Readonly<Record<string, unknown>>>;
}

export type TestOptions = Partial<Omit<VisaDirectOptions, 'clock'>> & { readonly clock?: ManualClock };

export const PUSH_PATH = '/visadirect/fundstransfer/v1/pushfundstransactions';

/** Starts it in memory with its control surface. It closes with the test. */
export async function startVisaDirectUnderTest(
  t: TestContext,
  options: TestOptions = {},
): Promise<VisaDirectUnderTest> {
  const { clock = new ManualClock(), certificateFolder: folder = temporaryFolder(t), ...rest } = options;
  const account = { userId: USER_ID, password: PASSWORD, acquiringBin: '408999', certificateFolder: folder };
  const place = { host: '127.0.0.1', port: 0, controlPort: 0, secret: SECRET, control: true };
  const server = await startVisaDirect({ ...place, ...account, clock, log: () => {}, ...rest });
  const close = closesWith(t, server);
  const [cert, key, ca] = ['client-certificate.pem', 'client-key.pem', 'ca.pem'].map((name) =>
    readFileSync(join(folder, name)),
  );
  const usual = { authorization: basic(USER_ID, PASSWORD), 'content-type': 'application/json' };
  const api: VisaDirectUnderTest['api'] = (method, path, body = '', headers = {}) =>
    new Promise((resolve, reject) => {
      const all = { ...usual, ...headers };
      requestTls(server.url + path, { method, headers: all, cert, key, ca, agent: false, timeout: 2_000 })
        .on('response', async (response) => {
          let text = '';
          for await (const chunk of response) text += chunk;
          const json = text.startsWith('{') ? JSON.parse(text) : {};
          resolve({ status: response.statusCode ?? 0, text, location: response.headers.location, json });
        })
        .on('timeout', () => reject(new Error('no response in time')))
        .on('error', reject)
        .end(body);
    });
  const control = controlAt(server.controlUrl, SECRET);
  return {
    server,
    clock,
    folder,
    close,
    api,
    control,
    push: (fields = {}) => api('POST', PUSH_PATH, JSON.stringify({ ...PUSH_FIELDS, ...fields })),
    query: async () => JSON.parse((await api('GET', QUERY_PATH)).text),
    summary: async () => (await control('summary')).body,
  };
}

export const basic = (id: string, word: string) => `Basic ${Buffer.from(`${id}:${word}`).toString('base64')}`;

export const PUSH_FIELDS = {
  systemsTraceAuditNumber: 451018,
  retrievalReferenceNumber: '412770452025',
  acquiringBin: 408999,
  acquirerCountryCode: 840,
  amount: 10.25,
  transactionCurrencyCode: 'EUR',
  businessApplicationId: 'FD',
  localTransactionDateTime: '2026-01-01T12:00:00',
  sourceOfFundsCode: '05',
  senderReference: '1001',
  senderName: 'Gateway',
  senderAddress: 'Main Street 1',
  senderCity: 'Amsterdam',
  senderCountryCode: '528',
  recipientPrimaryAccountNumber: '4060320000000127',
  recipientName: 'Greta Weiss',
  cardAcceptor: {
    name: 'Gateway',
    idCode: 'GATEWAY',
    terminalId: 'GW1',
    address: { country: 'NLD', city: 'Amsterdam' },
  },
};

export const QUERY_PATH = '/visadirect/v1/transactionquery?acquiringBIN=408999&stan=451018&rrn=412770452025';

export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'visa-direct-simulator-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
