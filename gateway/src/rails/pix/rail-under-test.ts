/**
 * The test setup of the rail: the bank's simulator, a listener that the bank calls with its certificate, both on a clock that
 * the test controls, and invented orders.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { openCertificateFolder } from '../../../../rail-simulators/src/kernel/certificate-folder.ts';
import { type Authority, issue } from '../../../../rail-simulators/src/kernel/certificates.ts';
import { ManualClock } from '../../../../rail-simulators/src/manual-clock.ts';
import { gatewayVariables } from '../../../../rail-simulators/src/pix/gateway-variables.ts';
import { type PixServer, startPix } from '../../../../rail-simulators/src/pix/server.ts';
import { testPayer } from '../../../test/support/form/test-payer.ts';
import { simulatorAt } from '../../../test/support/rails/simulator-control.ts';
import type { RawNotification } from '../../domain/notifications/rail-notification.ts';
import type { PaymentOrder, PaymentPayer, PaymentRail, RefundOrder } from '../../domain/payments/payment-rail.ts';
import { HOUR_MS } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import { createPixApi, type PixApi } from './api.ts';
import type { PixConfiguration } from './configuration.ts';
import { createPixPaymentRail } from './payment-rail.ts';

const CONTROL_SECRET = 'control';
export const CHAVE = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906';
export const PAYER_CPF = '52998224725';

interface PixConnection {
  readonly rail: PaymentRail;
  readonly bank: PixApi;
  /** The rails that reported refused credentials. */
  readonly refusedCredentials: readonly string[];
}

export interface PixUnderTest {
  readonly clock: ManualClock;
  readonly bank: PixServer;
  readonly configuration: PixConfiguration;
  /** The bank's callbacks. */
  readonly callbacks: RawNotification[];
  /** The listener's HTTP status, which a test may change. */
  callbackStatus: number;
  connect(change?: Partial<PixConfiguration>): PixConnection;
  /** Returns a new order on each call: R$ 100.50 of Ana Souza, payable for an hour. */
  order(change?: Partial<PaymentOrder>, payer?: Partial<PaymentPayer>): PaymentOrder;
  refundOf(payment: PaymentOrder, minor?: bigint): RefundOrder;
  control(what: string, body?: object): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

export async function openPixUnderTest(): Promise<PixUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-pix-rail-'));
  const clock = new ManualClock(Date.UTC(2026, 10, 20, 18));
  const callbacks: RawNotification[] = [];
  const authority = openCertificateFolder(folder, 'Pix simulator', 'gateway');
  const listener = await openListener(authority, (notification) => {
    callbacks.push(notification);
    return bench.callbackStatus;
  });
  const bank = await startPix({
    host: '127.0.0.1',
    port: 0,
    pagesPort: 0,
    secret: CONTROL_SECRET,
    clientId: 'gateway',
    clientSecret: 'client secret',
    chave: CHAVE,
    receiver: { name: 'Loja do Brasil', city: 'Sao Paulo' },
    certificateFolder: folder,
    webhookUrl: listener.url,
    control: true,
    clock,
    log: () => {},
  });
  const configuration: PixConfiguration = {
    url: gatewayVariables(bank.url).PIX_URL,
    tokenUrl: `${bank.url}/oauth/token`,
    clientId: 'gateway',
    clientSecret: new Secret('client secret'),
    chave: CHAVE,
    city: 'Sao Paulo',
    certificateFile: join(folder, 'client-certificate.pem'),
    privateKeyFile: join(folder, 'client-key.pem'),
    caFile: join(folder, 'ca.pem'),
    webhookUrl: listener.url,
    webhook: { certificateFingerprints: [], allowList: ['127.0.0.0/8'] },
    simulated: true,
  };
  const connections: PixApi[] = [];
  let references = 0;
  const reference = () => `${++references}-AbCd1234`;
  const bench: PixUnderTest = {
    clock,
    bank,
    configuration,
    callbacks,
    callbackStatus: 200,
    connect(change = {}) {
      const changed = { ...configuration, ...change };
      const refusedCredentials: string[] = [];
      const ownClock = { now: () => clock.now(), sleep: async () => {} };
      const hooks = { onCredentialRefused: (rail: string) => void refusedCredentials.push(rail) };
      const connection = createPixApi(changed, hooks, ownClock);
      connections.push(connection);
      return { rail: createPixPaymentRail(changed, connection, ownClock), bank: connection, refusedCredentials };
    },
    order: (change = {}, payer = {}) => ({
      ...anOrder(reference(), clock.now()),
      payer: { ...ANA, ...payer },
      ...change,
    }),
    refundOf(payment, minor = payment.money.minor) {
      return { payment, reference: reference(), money: { currency: 'BRL', minor }, startedAt: clock.now() };
    },
    control: simulatorAt({ url: bank.pagesUrl, secret: CONTROL_SECRET }),
    async close() {
      await bank.close();
      await Promise.all(connections.map((connection) => connection.close()));
      await listener.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return bench;
}

function anOrder(reference: string, now: number): Omit<PaymentOrder, 'payer'> {
  return {
    reference,
    providerReference: '',
    kept: '',
    money: { currency: 'BRL', minor: 10_050n },
    merchantName: 'Loja do Brasil',
    signedOrder: 'N17',
    returnUrl: 'https://gateway.example/return',
    expiresAt: now + HOUR_MS,
    startedAt: now,
  };
}

const ANA = testPayer({
  userId: 'u1',
  firstName: 'Ana',
  lastName: 'Souza',
  email: 'ana@example.com',
  phone: '+5511999999999',
  country: 'BR',
  cpf: PAYER_CPF,
  ip: '127.0.0.1',
});

interface Listener {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts an HTTPS server that accepts only clients with a certificate of the bank's authority. */
async function openListener(authority: Authority, take: (notification: RawNotification) => number): Promise<Listener> {
  const { certificate, privateKey } = issue(authority, 'gateway', 'server', ['127.0.0.1']);
  const tls = { cert: certificate, key: privateKey, ca: authority.certificate };
  const server = createServer({ ...tls, requestCert: true, rejectUnauthorized: true }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { raw } = (request.socket as TLSSocket).getPeerCertificate();
    // The header that a TLS proxy in front of a gateway sets.
    const headers = { 'client-cert': `:${raw.toString('base64')}:` };
    const status =
      request.url === '/rail-notifications/pix'
        ? take({ body: Buffer.concat(chunks), headers, clientAddress: '127.0.0.1' })
        : 404;
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/rail-notifications`,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
