/**
 * Credentials that providers refuse, through a whole gateway and every provider's simulator: nothing is taken, nobody is told of
 * a decline, the payout waits, and a person is called. One credential of each rail is wrong, all else is as development has it.
 * A certificate that is refused within TLS is apart: by a server that says so as real ones do, since node's own hangs up.
 */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '../../../rail-simulators/src/clock.ts';
import { readSettingsOf } from '../../../rail-simulators/src/environment.ts';
import { type SimulatorName, startSimulator } from '../../../rail-simulators/src/simulators.ts';
import { Secret } from '../../src/foundation/secret.ts';
import type { EnvironmentVariables } from '../../src/main/config.ts';
import { cardHash } from '../../src/rails/epoint/registered-cards.ts';
import { VISA_CARD } from '../support/payout-request.ts';
import { beginPayout, type PayoutTrial, SHORT_PATIENCE } from '../support/payout-trial.ts';
import { type RefusingTlsServer, startRefusingTlsServer } from '../support/refusing-tls-server.ts';
import { freePort, type RunningGateway, startGateway } from '../support/running-gateway.ts';
import { askSimulator } from '../support/simulator-control.ts';
import { until } from '../support/until.ts';

/** `wrong`: the variable, behind the rail's name, of the credential that the simulator does not know; `path` follows its port. */
type Row = readonly [rail: string, by: string, method: number, simulator: SimulatorName, path: string, wrong: string];

const ROWS: readonly Row[] = [
  ['adyen-transfers', 'an API key', 8, 'adyenTransfers', '/btl/v4', 'API_KEY'],
  ['visa-direct', 'a password, beside its certificate', 22, 'visaDirect', '', 'PASSWORD'],
  ['mastercard-send', 'OAuth 1.0a with RSA', 23, 'mastercardSend', '/send', 'PRIVATE_KEY_FILE'],
  ['wayforpay', 'HMAC with MD5', 1, 'wayforpay', '', 'SECRET_KEY'],
  ['freedom-pay', 'MD5', 12, 'freedomPay', '', 'PAYOUT_SECRET'],
  ['epoint', 'SHA-1', 11, 'epoint', '/api/1', 'PRIVATE_KEY'],
  ['razorpayx', 'HTTP Basic', 26, 'razorpayx', '/v1', 'KEY_SECRET'],
  ['dt-one', 'HTTP Basic', 24, 'dtOne', '/v1', 'API_SECRET'],
  ['vopay', 'SHA-1 with the day', 92, 'vopay', '/api/v2', 'SHARED_SECRET'],
];
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

/** What a log line has under `key`, of the lines about that event. */
function logged(gateway: RunningGateway, event: string, key: string): unknown[] {
  const lines = gateway.log.map((line) => JSON.parse(line) as Record<string, unknown>);
  return lines.filter((line) => line['event'] === event).map((line) => line[key]);
}

async function isTold(gateway: RunningGateway, rail: string): Promise<void> {
  await until(`${rail} is told of`, () => logged(gateway, 'rail_credential_refused', 'rail').includes(rail));
}

/** Tried, not taken, and not declined: the merchant's money is reserved for it and nobody has called back. */
async function assertWaits(gateway: RunningGateway, trial: PayoutTrial, rail: string): Promise<void> {
  const { merchant, payoutId, currency } = trial;
  const outcome = await until(`an attempt by ${rail}`, async () => {
    const found = await gateway.operations.payouts.find({ merchantId: merchant.id, payoutId });
    return found?.attempts.find((attempt) => attempt.rail === rail)?.outcome ?? undefined;
  });
  assert.equal(outcome, 'not_taken');
  await isTold(gateway, rail);
  assert.equal((await merchant.status(payoutId))['status'], 'Pending');
  const left = await merchant.balance(currency);
  assert.deepEqual([left['balance'], left['reserved']], ['90.00', '10.00']);
  assert.deepEqual(gateway.receiver.about(merchant.id, payoutId), []);
}

const prefixOf = (rail: string) => rail.toUpperCase().replaceAll('-', '_');

/** As the simulators of who asks for a certificate leave them in their folder. */
function certificatesIn(prefix: string, place: string): EnvironmentVariables {
  return {
    [`${prefix}_CERTIFICATE_FILE`]: join(place, 'client-certificate.pem'),
    [`${prefix}_PRIVATE_KEY_FILE`]: join(place, 'client-key.pem'),
    [`${prefix}_CA_FILE`]: join(place, 'ca.pem'),
  };
}

/** Where alerts are to be posted; they end up in `alerts`. */
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
  const controls = new Map<string, string>();

  before(async () => {
    // As the value of a secret, and as the file of a key that nobody knows.
    const wrong = join(folder, 'wrong');
    const variables: Record<string, string> = { ALERT_URL: await receiveAlerts(alerts) };
    for (const [rail, , , simulator, path, variable] of ROWS) {
      const prefix = prefixOf(rail);
      const [port, controlPort] = [await freePort(), await freePort()];
      const [scheme, control] = rail === 'visa-direct' ? ['https', controlPort] : ['http', port];
      await start(simulator, { [`${prefix}_PORT`]: String(port), [`${prefix}_CONTROL_PORT`]: String(controlPort) });
      controls.set(rail, `http://127.0.0.1:${control}`);
      variables[`${prefix}_URL`] = `${scheme}://127.0.0.1:${port}${path}`;
      variables[`${prefix}_${variable}`] = wrong;
    }
    const [pixPort, pagesPort] = [await freePort(), await freePort()];
    await start('pix', { PIX_PORT: String(pixPort), PIX_PAGES_PORT: String(pagesPort) });
    const known = generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey;
    mkdirSync(join(folder, 'data/mastercard-send'), { recursive: true });
    writeFileSync(join(folder, 'data/mastercard-send/public-key.pem'), known.export({ type: 'spki', format: 'pem' }));
    writeFileSync(join(folder, 'cards'), `${cardHash(VISA_CARD, new Secret(wrong))} cexample0001\n`);
    gateway = await startGateway({
      withoutBank: true,
      variables: {
        ...variables,
        ...certificatesIn('VISA_DIRECT', join(folder, 'data/visa-direct')),
        ...certificatesIn('PIX', join(folder, 'data/pix')),
        EPOINT_CARDS_FILE: join(folder, 'cards'),
        PIX_URL: `https://127.0.0.1:${pixPort}/api/v2`,
        PIX_CLIENT_SECRET: wrong,
      },
      pace: SHORT_PATIENCE,
    });
    closing.push(() => gateway.verifyAndStop());
  });

  for (const [rail, by, method] of ROWS)
    it(`of ${rail}, by ${by}, is no decline: the payout waits`, async () => {
      await assertWaits(gateway, await beginPayout(gateway, method), rail);
      const at = { url: controls.get(rail) ?? '', secret: `${rail}-control-secret` };
      assert.deepEqual((await askSimulator(at, 'book'))['entries'], []);
    });

  it('of Pix, by OAuth 2.0, is told from the start', () => isTold(gateway, 'pix'));

  it('calls a person: an alert is posted, and each is counted', async () => {
    const alert = await until('the alert', () => alerts.find(({ kind }) => kind === 'credential_refused'));
    assert.match(String(alert['text']), /^A provider refuses our credential/);
    const metrics = await (await fetch(`${gateway.opsUrl}/metrics`)).text();
    const [, count] = /alerts_total\{alert="credential_refused"\} (\d+)/.exec(metrics) ?? [];
    assert.ok(Number(count) >= ROWS.length + 1, `${count} alerts`);
  });
});

describe('a secret that the stand-in bank refuses', () => {
  it('is no decline: the payout waits, and a person is told', async () => {
    const gateway = await startGateway({ variables: { STAND_IN_BANK_SECRET: 'wrong' }, pace: SHORT_PATIENCE });
    closing.push(() => gateway.verifyAndStop());
    await assertWaits(gateway, await beginPayout(gateway, 16), 'stand-in-bank');
    assert.deepEqual(await gateway.bank.wholeBook(), []);
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
    const urls = { VISA_DIRECT_URL: server.url, PIX_URL: `${server.url}/api/v2` };
    const variables = { ...certificatesIn('VISA_DIRECT', place), ...certificatesIn('PIX', place), ...urls };
    gateway = await startGateway({ withoutBank: true, variables, pace: SHORT_PATIENCE });
    closing.push(() => gateway.verifyAndStop());
  });

  it('is no decline by Visa: the payout waits, and Visa has read nothing of it', async () => {
    await assertWaits(gateway, await beginPayout(gateway, 22), 'visa-direct');
    assert.deepEqual(server.read, []);
  });

  it('by the bank of Pix is told', () => isTold(gateway, 'pix'));
});
