/**
 * For tests only: the bank on free ports, with a client's inbox and a clock that the test controls. It has one function per
 * request of a client, a payer or an operator.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as requestTls } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Answer, type Inbox, openInbox } from '../kernel/inbox-under-test.ts';
import { type Control, closesWith, controlAt } from '../kernel/simulator-under-test.ts';
import { ManualClock } from '../manual-clock.ts';
import { type PixOptions, type PixServer, startPix } from './server.ts';

const SECRET = 'a secret of the test';
export const CHAVE = 'loja@example.com';
export const TXID = 'GWxxxxxxxxxxxx1001AbCd1234';

export interface PixUnderTest {
  readonly server: PixServer;
  readonly clock: ManualClock;
  readonly inbox: Inbox;
  readonly log: string[];
  close(): Promise<void>;
  /** Sends over mutual TLS, with a new token each time. `headers` replace the header with the token. */
  api(method: string, path: string, body?: object, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  token(form?: string, authorization?: string): Promise<Answer>;
  /** Requests a charge of 100.50. The argument overrides fields. */
  charge(fields?: object, id?: string): Promise<Answer>;
  readonly control: Control;
  summary(): Promise<Readonly<Record<string, unknown>>>;
  /** Returns the text of a page, and its status. */
  page(path: string, form?: Readonly<Record<string, string>>): Promise<{ status: number; text: string }>;
}

export type TestOptions = Partial<Omit<PixOptions, 'clock'>> & { readonly clock?: ManualClock; readonly inbox?: Inbox };

/** Starts the bank in memory with its control surface. It closes with the test. */
export async function startPixUnderTest(t: TestContext, options: TestOptions = {}): Promise<PixUnderTest> {
  const { clock = new ManualClock(), inbox = await openInbox(t), ...rest } = options;
  const folder = rest.certificateFolder ?? temporaryFolder(t);
  const log: string[] = [];
  const server = await startPix({
    host: '127.0.0.1',
    port: 0,
    pagesPort: 0,
    secret: SECRET,
    clientId: 'loja',
    clientSecret: 'a client secret',
    chave: CHAVE,
    receiver: { name: 'Loja', city: 'Recife' },
    certificateFolder: folder,
    webhookUrl: inbox.url,
    control: true,
    clock,
    log: (line) => void log.push(line),
    ...rest,
  });
  const close = closesWith(t, server);
  const [cert, key, ca] = ['client-certificate.pem', 'client-key.pem', 'ca.pem'].map((name) =>
    readFileSync(join(folder, name)),
  );
  const send = (method: string, path: string, headers: Readonly<Record<string, string>>, body = ''): Promise<Answer> =>
    new Promise((resolve, reject) => {
      requestTls(server.url + path, { method, headers, cert, key, ca, agent: false, timeout: 5_000 })
        .on('response', async (response) => {
          let text = '';
          for await (const chunk of response) text += chunk;
          resolve({ status: response.statusCode ?? 0, body: text === '' ? {} : JSON.parse(text) });
        })
        .on('timeout', () => reject(new Error('no response in time')))
        .on('error', reject)
        .end(body);
    });
  const token = (form = 'grant_type=client_credentials', authorization = basic('loja', 'a client secret')) =>
    send('POST', '/oauth/token', { authorization }, form);
  const api: PixUnderTest['api'] = async (method, path, body, headers) => {
    const { access_token } = headers === undefined ? (await token()).body : {};
    const text = body === undefined ? '' : JSON.stringify(body);
    return send(method, `/api/v2${path}`, headers ?? { authorization: `Bearer ${access_token}` }, text);
  };
  const control = controlAt(server.pagesUrl, SECRET);
  return {
    server,
    clock,
    inbox,
    log,
    close,
    api,
    token,
    control,
    charge: (fields = {}, id = TXID) => api('PUT', `/cob/${id}`, { ...TERMS, ...fields }),
    summary: async () => (await control('summary')).body,
    async page(path, form) {
      const call = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) };
      const response = await fetch(server.pagesUrl + path, { ...call, redirect: 'manual' });
      return { status: response.status, text: await response.text() };
    },
  };
}

export const basic = (id: string, password: string) => `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`;

const TERMS = { calendario: { expiracao: 3_600 }, valor: { original: '100.50' }, chave: CHAVE };

export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'pix-simulator-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
