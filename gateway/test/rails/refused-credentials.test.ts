/**
 * Credentials that providers refuse, through a complete gateway: the payout is not accepted or declined, waits, and raises an
 * alert. Each rail's own tests cover its credential. This file covers the alert, a deposit's provider, and a certificate that
 * the provider refuses within TLS. For that it uses a server that sends a TLS alert as real servers do, because Node's server
 * only closes the connection.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '../../../rail-simulators/src/clock.ts';
import { gatewayVariables as pixVariables } from '../../../rail-simulators/src/pix/gateway-variables.ts';
import { readSettingsOf, type SimulatorName, startSimulator } from '../../../rail-simulators/src/simulators.ts';
import { gatewayVariables as visaDirectVariables } from '../../../rail-simulators/src/visa-direct/gateway-variables.ts';
import { gatewayVariables as wayforpayVariables } from '../../../rail-simulators/src/wayforpay/gateway-variables.ts';
import type { EnvironmentVariables } from '../../src/main/config/config.ts';
import { freePort, type RunningGateway, startGateway } from '../support/gateway/running-gateway.ts';
import { EXAMPLE_PAYOUTS } from '../support/payouts/payout-request.ts';
import { type RefusingTlsServer, startRefusingTlsServer } from '../support/servers/refusing-tls-server.ts';
import { until } from '../support/tools/until.ts';

/** Every provider responds, so no call times out, however slow the machine is. */
const PACE = { rail: { timeoutMs: 120_000, askAfterMs: [100, 200, 500] } } as const;

let folder = '';
const closing: (() => unknown)[] = [];
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refused-credentials-'));
});
after(async () => {
  for (const close of closing.reverse()) await close();
  await rm(folder, { recursive: true });
});

async function start(simulator: SimulatorName, environment: EnvironmentVariables): Promise<void> {
  const here = { host: '127.0.0.1', clock: systemClock, log: () => {} };
  const { close } = await startSimulator(simulator, here, readSettingsOf(simulator, environment, folder));
  closing.push(close);
}

/** Returns the values of `key` in the log lines of that event. */
function logged(gateway: RunningGateway, event: string, key: string): unknown[] {
  const lines = gateway.log.map((line) => JSON.parse(line) as Record<string, unknown>);
  return lines.filter((line) => line['event'] === event).map((line) => line[key]);
}

async function isLogged(gateway: RunningGateway, rail: string): Promise<void> {
  await until(`the log names ${rail}`, () => logged(gateway, 'rail_credential_refused', 'rail').includes(rail));
}

/** Asserts that the payout was attempted and neither accepted nor declined: its money is reserved, and no callback was sent. */
async function assertWaits(gateway: RunningGateway, method: number, rail: string): Promise<void> {
  const currency = EXAMPLE_PAYOUTS[method]?.['currency'] ?? '';
  const merchant = await gateway.merchant({ funds: { [currency]: '100.00' } });
  await merchant.pay(method, 'waits');
  const outcome = await until(`an attempt by ${rail}`, async () => {
    const found = await gateway.operations.payouts.find({ merchantId: merchant.id, payoutId: 'waits' });
    return found?.attempts.find((attempt) => attempt.rail === rail)?.outcome ?? undefined;
  });
  assert.equal(outcome, 'not_accepted');
  await isLogged(gateway, rail);
  assert.equal((await merchant.status('waits'))['status'], 'Pending');
  const left = await merchant.balance(currency);
  assert.deepEqual([left['balance'], left['reserved']], ['90.00', '10.00']);
  assert.deepEqual(gateway.receiver.about(merchant.id, 'waits'), []);
}

/** The certificate files that the simulators create in their folder. */
function certificatesIn(prefix: string, place: string): EnvironmentVariables {
  return {
    [`${prefix}_CERTIFICATE_FILE`]: join(place, 'client-certificate.pem'),
    [`${prefix}_PRIVATE_KEY_FILE`]: join(place, 'client-key.pem'),
    [`${prefix}_CA_FILE`]: join(place, 'ca.pem'),
  };
}

/** Starts a receiver for alerts, which it collects in `alerts`. Returns its URL. */
async function receiveAlerts(alerts: Record<string, unknown>[]): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    alerts.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a credential that a provider refuses', () => {
  let gateway: RunningGateway;
  const alerts: Record<string, unknown>[] = [];

  before(async () => {
    const [wayforpayPort, pixPort, pagesPort] = [await freePort(), await freePort(), await freePort()];
    await start('wayforpay', { WAYFORPAY_PORT: String(wayforpayPort) });
    await start('pix', { PIX_PORT: String(pixPort), PIX_PAGES_PORT: String(pagesPort) });
    const variables = {
      ALERT_URL: await receiveAlerts(alerts),
      ...wayforpayVariables(`http://127.0.0.1:${wayforpayPort}`),
      WAYFORPAY_SECRET_KEY: 'wrong',
      ...certificatesIn('PIX', join(folder, 'data/pix')),
      ...pixVariables(`https://127.0.0.1:${pixPort}`),
      PIX_CLIENT_SECRET: 'wrong',
    };
    gateway = await startGateway({ withoutBank: true, variables, pace: PACE });
    closing.push(() => gateway.verifyAndStop());
  });

  it('a payout waits while its provider refuses our credential', () => assertWaits(gateway, 1, 'wayforpay'));

  it('the gateway logs a refused OAuth credential of Pix at startup', () => isLogged(gateway, 'pix'));

  it('a refused credential posts an alert and counts each occurrence', async () => {
    const alert = await until('the alert', () => alerts.find(({ kind }) => kind === 'credential_refused'));
    assert.match(String(alert['text']), /^A provider refuses our credential/);
    const metrics = await (await fetch(`${gateway.opsUrl}/metrics`)).text();
    const [, count] = /alerts_total\{alert="credential_refused"\} (\d+)/.exec(metrics) ?? [];
    assert.ok(Number(count) >= 2, `${count} alerts`);
  });
});

describe('a certificate that a provider refuses in TLS', () => {
  let gateway: RunningGateway;
  let server: RefusingTlsServer;

  before(async () => {
    server = await startRefusingTlsServer({ version: 'TLSv1.3', alert: 'certificate_revoked', when: 'in_handshake' });
    closing.push(() => server.close());
    const place = join(folder, 'revoked');
    mkdirSync(place);
    writeFileSync(join(place, 'client-certificate.pem'), server.identity.cert);
    writeFileSync(join(place, 'client-key.pem'), server.identity.key);
    writeFileSync(join(place, 'ca.pem'), server.identity.ca);
    const urls = { ...visaDirectVariables(server.url), ...pixVariables(server.url) };
    const variables = { ...certificatesIn('VISA_DIRECT', place), ...certificatesIn('PIX', place), ...urls };
    gateway = await startGateway({ withoutBank: true, variables, pace: PACE });
    closing.push(() => gateway.verifyAndStop());
  });

  it('a payout waits while Visa refuses our certificate', async () => {
    await assertWaits(gateway, 22, 'visa-direct');
    assert.deepEqual(server.read, []);
  });

  it('a certificate that the bank of Pix refuses is logged', () => isLogged(gateway, 'pix'));
});
