/**
 * The environment of the programs that know only openapi/manage.json: a gateway with its banks, users with passkeys, shops and
 * payers.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gatewayVariables } from '../../../../rail-simulators/src/adyen/gateway-variables.ts';
import { startAdyen } from '../../../../rail-simulators/src/adyen/server.ts';
import { systemClock } from '../../../../rail-simulators/src/clock.ts';
import { readSettingsOf } from '../../../../rail-simulators/src/simulators.ts';
import { createFormPayer } from '../form/form-payer.ts';
import { formLink } from '../form/form-stage.ts';
import { freePort, ORIGIN, startGateway } from '../gateway/running-gateway.ts';
import { createTestMerchant, type TestMerchant } from '../merchants/test-merchant.ts';
import { startStpUnderControl } from '../rails/stp-under-control.ts';
import { CLIENT, startOpenIdProvider } from '../servers/openid-provider.ts';
import { until } from '../tools/until.ts';
import { type OutsideProgram, outsideProgram, type Values } from './outside-program.ts';
import { createSoftwarePasskey } from './software-passkey.ts';

const CARD = {
  card_number: '4111 1111 1111 1111',
  card_expiry: '03 / 30',
  card_cvv: '737',
  card_holder: 'OLENA S',
};
/** The bank of this card requests a code from the payer, so the attempt stays in flight. */
export const ASKING = { ...CARD, card_number: '5454 5454 5454 5454' };
/** The headers of a request from the gateway's pages. */
export const PAGE = { 'x-gateway-client': 'outside', origin: ORIGIN, 'sec-fetch-site': 'same-origin' };
export const reason = 'a letter of today';

export interface Person extends OutsideProgram {
  readonly personId: string;
}

async function startSurroundings() {
  const folder = await mkdtemp(join(tmpdir(), 'outside-'));
  const [port, adyenPort] = [await freePort(), await freePort()];
  const stp = await startStpUnderControl(`http://127.0.0.1:${port}/rail-notifications/stp`);
  const variables = {
    ADYEN_PORT: String(adyenPort),
    ADYEN_WEBHOOK_URL: `http://127.0.0.1:${port}/rail-notifications/adyen`,
    ADYEN_BOOK: join(folder, 'adyen.jsonl'),
  };
  const delays = { notifyMs: 20, decideMs: 30, lateMs: 200, holdMs: 1_000 };
  const settings = readSettingsOf('adyen', variables, folder);
  const adyen = await startAdyen({ host: '127.0.0.1', clock: systemClock, log: () => {}, ...settings, delays });
  const provider = await startOpenIdProvider();
  const gateway = await startGateway({
    variables: {
      ...stp.variables,
      PORT: String(port),
      ...gatewayVariables(`http://127.0.0.1:${adyenPort}`),
      OPENID_ISSUER: provider.issuer,
      OPENID_CLIENT_ID: CLIENT.id,
      OPENID_CLIENT_SECRET: CLIENT.secret,
    },
  });
  return { gateway, stp, adyen, provider, folder };
}

export async function checkedBatch(program: OutsideProgram, merchantId: string): Promise<string> {
  const text = 'method,account,amount,currency\n1,4111111111111111,1.00,UAH\n';
  const file = Buffer.from(text).toString('base64');
  const { batchId } = await program.do('batches.upload', { merchantId, name: 'wages', file });
  const isReady = async () => (await program.do('batches.show', { merchantId, batchId })).state === 'ready';
  await until('the batch is checked', isReady);
  return batchId;
}

export type OutsideWorld = Awaited<ReturnType<typeof openOutsideWorld>>;

/** Returns the number of the payment that a payer made or began with the card. */
async function payOnForm(
  url: string,
  operator: OutsideProgram,
  { merchantId, orderId, card }: { merchantId: string; orderId: string; card: typeof CARD },
): Promise<number> {
  const payer = createFormPayer(url, {});
  const page = await payer.open(formLink({ merchant: merchantId, order: orderId, payment_type: 'card' }));
  await payer.press(page, 'pay', { ...card, email: 'olena@example.com' });
  return (await operator.do('deposits.show', { merchantId, orderId })).transactionId;
}

export async function openOutsideWorld() {
  const { gateway, stp, adyen, provider, folder } = await startSurroundings();
  const programs: OutsideProgram[] = [];

  function program(credential: Parameters<typeof outsideProgram>[1]): OutsideProgram {
    const made = outsideProgram(gateway.manageUrl, credential);
    programs.push(made);
    return made;
  }

  /** Opens a link as a browser does: creates a passkey and a session. */
  async function accept(link: string, email: string): Promise<Person> {
    const secret = link.slice(link.indexOf('#') + 1);
    const visitor = program({ headers: PAGE });
    const passkey = createSoftwarePasskey(ORIGIN);
    await visitor.do('links.show', { secret });
    const { challengeId, publicKey } = await visitor.do('links.challenge', { secret });
    const attestation = passkey.create(publicKey);
    const given = { secret, challengeId, attestation, name: email, email, passkeyName: 'a device' };
    const { personId } = await visitor.do('links.accept', given);
    const { challengeId: again, publicKey: toSign } = await visitor.do('signIn.challenge');
    await visitor.do('signIn.passkey', { challengeId: again, assertion: passkey.get(toSign) });
    const headers = { ...PAGE, cookie: visitor.cookie };
    const person = program({ headers, confirm: (options) => passkey.get(options) });
    return Object.assign(person, { personId });
  }

  /** Creates a merchant with its own server, which makes and receives payments over the merchants' API. */
  async function newMerchant(operator: OutsideProgram, merchantId: string): Promise<TestMerchant> {
    const processUrl = gateway.receiver.url(merchantId);
    const { key } = await operator.do('merchants.create', { merchantId, name: 'A shop', processUrl });
    await operator.do('merchants.activate', { merchantId });
    for (const currency of ['UAH', 'EUR', 'MXN']) {
      const reference = `${merchantId}-${currency}`;
      await operator.do('funds.credit', { merchantId, currency, amount: '1000.00', reference, reason });
    }
    return createTestMerchant(() => gateway.url, merchantId, key);
  }

  async function heldTransfer(operator: OutsideProgram, shop: TestMerchant, order: string) {
    const { clabe } = await shop.deposit(order);
    await stp.pay(clabe, { amount: '40.00' });
    return until('the money is held', async () => {
      const { items } = await operator.do('transfers.held', { limit: 100 });
      return items.find(({ payTo }: Values) => payTo === clabe);
    });
  }

  const payByCard = (operator: OutsideProgram, merchantId: string, orderId: string, card = CARD) =>
    payOnForm(gateway.url, operator, { merchantId, orderId, card });

  async function firstAdministrator(email: string): Promise<Person> {
    const invited = await gateway.operations.people.invite({ email, merchantId: null, role: 'administrator' });
    assert.ok(invited.ok);
    return accept(invited.value.link.reveal(), email);
  }

  return {
    gateway,
    provider,
    programs,
    program,
    accept,
    newMerchant,
    heldTransfer,
    payByCard,
    firstAdministrator,
    bearer: (token: string) => program({ headers: { authorization: `Bearer ${token}` } }),
    async close() {
      await stp.close();
      await adyen.close();
      await gateway.verifyAndStop();
      await provider.close();
      await rm(folder, { recursive: true });
    },
  };
}
