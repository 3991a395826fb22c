/**
 * The rails of the hosted form and their simulators, all with the defaults of development. They connect in any order of start,
 * and the gateway accepts the providers' notifications.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gatewayVariables as adyenVariables } from '../../../rail-simulators/src/adyen/gateway-variables.ts';
import { startAdyen } from '../../../rail-simulators/src/adyen/server.ts';
import { systemClock } from '../../../rail-simulators/src/clock.ts';
import { publicKeyFile } from '../../../rail-simulators/src/kernel/credentials.ts';
import { gatewayVariables as pixVariables } from '../../../rail-simulators/src/pix/gateway-variables.ts';
import { startPix } from '../../../rail-simulators/src/pix/server.ts';
import { readSettingsOf } from '../../../rail-simulators/src/simulators.ts';
import { gatewayVariables as trustlyVariables } from '../../../rail-simulators/src/trustly/gateway-variables.ts';
import { ownPrivateKey } from '../../../rail-simulators/src/trustly/key-files.ts';
import { startTrustly } from '../../../rail-simulators/src/trustly/server.ts';
import type { PaymentCard, PaymentOrder } from '../../src/domain/payments/payment-rail.ts';
import { systemClock as clock, MINUTE_MS } from '../../src/foundation/clock.ts';
import { withDeadline } from '../../src/foundation/deadline.ts';
import { systemRandom } from '../../src/foundation/random.ts';
import { Secret } from '../../src/foundation/secret.ts';
import { adyenOrder } from '../../src/rails/adyen/rail-under-test.ts';
import { createRails, type Rails } from '../../src/rails/registry.ts';
import { configOf, freePort, type RunningGateway, startGateway } from '../support/gateway/running-gateway.ts';
import { simulatorAt } from '../support/rails/simulator-control.ts';
import { until } from '../support/tools/until.ts';

const CARD: PaymentCard = {
  number: new Secret('4111111111111111'),
  cvv: new Secret('737'),
  expiry: new Secret('03/30'),
  holder: 'Olena Shevchenko',
};

describe('the rails of the hosted form with default configuration', () => {
  let folder = '';
  let gateway: RunningGateway;
  let rails: Rails;
  const closing: (() => Promise<unknown>)[] = [];
  const controls: Record<string, string> = {};

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'form-rails-'));
    const ports = {
      gateway: await freePort(),
      adyen: await freePort(),
      pix: await freePort(),
      trustly: await freePort(),
    };
    const variables = {
      PORT: String(ports.gateway),
      ...adyenVariables(`http://127.0.0.1:${ports.adyen}`),
      ...pixVariables(`https://127.0.0.1:${ports.pix}`),
      PIX_CERTIFICATE_FILE: join(folder, 'pix/client-certificate.pem'),
      PIX_PRIVATE_KEY_FILE: join(folder, 'pix/client-key.pem'),
      PIX_CA_FILE: join(folder, 'pix/ca.pem'),
      ...trustlyVariables(`http://127.0.0.1:${ports.trustly}`),
      TRUSTLY_PRIVATE_KEY_FILE: join(folder, 'trustly/private-key.pem'),
      TRUSTLY_PUBLIC_KEY_FILE: join(folder, 'trustly/trustly-public-key.pem'),
    };
    await startSimulators(ports);
    gateway = await startGateway({ variables });
    // No provider listens here, because these two rails are only described, not called.
    const unplayed = { VOPAY_URL: 'http://127.0.0.1:9', TOKEN_IO_URL: 'http://127.0.0.1:9' };
    rails = createRails(configOf({ ...variables, ...unplayed }).rails, {
      hooks: { onCredentialRefused: assert.fail },
      clock,
      random: systemRandom,
    });
    closing.push(
      () => rails.close(),
      () => gateway.stop(),
    );
  });
  after(async () => {
    for (const close of closing.reverse()) await close();
    await rm(folder, { recursive: true });
  });

  async function startSimulators(ports: Readonly<Record<'gateway' | 'adyen' | 'pix' | 'trustly', number>>) {
    const here = { host: '127.0.0.1', clock: systemClock, log: () => {} };
    const webhooks = `http://127.0.0.1:${ports.gateway}/rail-notifications`;
    const environment = {
      ADYEN_PORT: String(ports.adyen),
      ADYEN_WEBHOOK_URL: `${webhooks}/adyen`,
      ADYEN_BOOK: join(folder, 'adyen.jsonl'),
      PIX_PORT: String(ports.pix),
      PIX_PAGES_PORT: '0',
      PIX_CERTIFICATES: join(folder, 'pix'),
      // Nothing listens here, so the gateway must register its own URL.
      PIX_WEBHOOK_URL: 'http://127.0.0.1:1',
      PIX_BOOK: join(folder, 'pix.jsonl'),
      TRUSTLY_PORT: String(ports.trustly),
      TRUSTLY_CLIENT_PUBLIC_KEY: join(folder, 'trustly/public-key.pem'),
      TRUSTLY_OWN_KEY: join(folder, 'trustly/trustly-own-key.pem'),
      TRUSTLY_PUBLIC_KEY: join(folder, 'trustly/trustly-public-key.pem'),
      TRUSTLY_BOOK: join(folder, 'trustly.jsonl'),
    };
    const adyen = await startAdyen({ ...here, ...readSettingsOf('adyen', environment, folder) });
    const pix = await startPix({ ...here, ...readSettingsOf('pix', environment, folder) });
    const own = readSettingsOf('trustly', environment, folder);
    const trustly = await startTrustly({
      ...here,
      ...own,
      privateKey: ownPrivateKey(own.ownKeyPath, own.publicKeyPath),
      findPublicKey: publicKeyFile(own.clientKeyPath),
    });
    Object.assign(controls, { pix: pix.pagesUrl, trustly: trustly.url });
    closing.push(
      () => adyen.close(),
      () => pix.close(),
      () => trustly.close(),
    );
  }

  function control(rail: string, what: string, body: object): Promise<unknown> {
    return simulatorAt({ url: String(controls[rail]), secret: `${rail}-control-secret` })(what, body);
  }

  const start = (name: string, order: PaymentOrder) => {
    const rail = rails.paymentRails.find((each) => each.name === name);
    assert.ok(rail?.simulated);
    return withDeadline(clock, MINUTE_MS, (deadline) => rail.start(order, name === 'adyen' ? CARD : null, deadline));
  };
  const now = clock.now();
  const orderIn = (currency: 'EUR' | 'BRL') =>
    adyenOrder(
      { money: { currency, minor: 1_050n }, startedAt: now, expiresAt: now + 10 * MINUTE_MS },
      { cpf: '52998224725', country: 'FI' },
    );

  /**
   * The gateway does not have this payment. It logs the reference only after it has authenticated and parsed the notification.
   */
  async function isNotifiedOf(rail: string, { reference }: PaymentOrder): Promise<void> {
    const lines = () => gateway.log.map((line) => JSON.parse(line)).filter((line) => line.rail === rail);
    await until(`a notification of ${rail} about ${reference}`, () =>
      lines().some((line) => line.reference === reference),
    );
    for (const { reason = '' } of lines()) assert.ok(!/unauthentic|malformed/.test(reason), reason);
  }

  it('each form rail identifies the contact of its provider’s message, so attempt limits apply per contact', () => {
    // VoPay and Trustly write to the payer's mailbox. A Pix code shows the name of the CPF's owner.
    const contacted = { adyen: null, pix: 'cpf', 'token-io': null, trustly: 'email', vopay: 'email' };
    const targets = rails.paymentRails.map(({ name, target }) => [name, target] as const);
    assert.deepEqual(Object.fromEntries(targets), contacted);
  });

  it('a card is charged through Adyen’s defaults and its notification is accepted', async () => {
    const order = orderIn('EUR');
    assert.equal((await start('adyen', order)).kind, 'paid');
    await isNotifiedOf('adyen', order);
  });

  it('a Pix code is paid and the callback arrives at the URL that the gateway registered', async () => {
    const order = orderIn('BRL');
    const answer = await start('pix', order);
    assert.ok(answer.kind === 'step', JSON.stringify(answer));
    await control('pix', 'pay', { txid: answer.providerReference });
    await isNotifiedOf('pix', order);
  });

  it('a Trustly page opens and the notification of its result is accepted', async () => {
    const order = orderIn('EUR');
    const answer = await start('trustly', order);
    assert.ok(answer.kind === 'step', JSON.stringify(answer));
    await control('trustly', 'act', { orderid: answer.providerReference, behaviour: 'pay' });
    await isNotifiedOf('trustly', order);
  });
});
