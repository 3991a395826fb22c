/** `npm run simulators` as a person meets it: a process, its one line, its end, and its sentences when it can't start. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { readAllSettings, readSettingsOf } from './environment.ts';
import { eventually } from './provider-server/inbox-under-test.ts';
import { payout } from './stand-in-bank/bank-under-test.ts';
import { StartupFault } from './startup-fault.ts';

interface Simulators {
  readonly printed: () => string;
  readonly stop: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<{ code: number | null; output: string; complaint: string }>;
}

function startSimulators(t: TestContext, settings: Record<string, string>): Simulators {
  const folder = mkdtempSync(join(tmpdir(), 'simulators-'));
  const env = {
    STAND_IN_BANK_PORT: '0',
    STAND_IN_BANK_BOOK: join(folder, 'book.jsonl'),
    STP_PORT: '0',
    STP_BOOK: join(folder, 'stp.jsonl'),
    TRUSTLY_PORT: '0',
    TRUSTLY_BOOK: join(folder, 'trustly.jsonl'),
    TRUSTLY_OWN_KEY: join(folder, 'trustly-own.pem'),
    TRUSTLY_PUBLIC_KEY: join(folder, 'trustly-public.pem'),
    PIX_PORT: '0',
    PIX_PAGES_PORT: '0',
    PIX_BOOK: join(folder, 'pix.jsonl'),
    PIX_CERTIFICATES: join(folder, 'pix'),
    ADYEN_PORT: '0',
    ADYEN_BOOK: join(folder, 'adyen.jsonl'),
    ADYEN_TRANSFERS_PORT: '0',
    ADYEN_TRANSFERS_BOOK: join(folder, 'adyen-transfers.jsonl'),
    TOKEN_IO_PORT: '0',
    TOKEN_IO_BOOK: join(folder, 'token-io.jsonl'),
    VOPAY_PORT: '0',
    VOPAY_BOOK: join(folder, 'vopay.jsonl'),
    MASTERCARD_SEND_PORT: '0',
    MASTERCARD_SEND_BOOK: join(folder, 'mastercard-send.jsonl'),
    VISA_DIRECT_PORT: '0',
    VISA_DIRECT_CONTROL_PORT: '0',
    VISA_DIRECT_BOOK: join(folder, 'visa-direct.jsonl'),
    VISA_DIRECT_CERTIFICATES: join(folder, 'visa-direct'),
    ...settings,
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], { env });
  t.after(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const ended = Promise.all([once(child, 'close'), text(child.stderr)]).then(([[code], complaint]) => {
    return { code, output: printed, complaint };
  });
  return { printed: () => printed, stop: (signal) => child.kill(signal), ended };
}

/** Where the bank listens, then STP, then Trustly. */
async function urlsOf(simulators: Simulators): Promise<readonly [bank: string, stp: string, trustly: string]> {
  await eventually('the lines', () => simulators.printed().split('\n').length === 11);
  const listening = simulators.printed().match(/(?<=listens on )http:\/\/127\.0\.0\.1:\d+/g) ?? [];
  const [bank = '', stp = '', trustly = ''] = listening;
  return [bank, stp, trustly];
}

async function urlOf(simulators: Simulators): Promise<string> {
  return (await urlsOf(simulators))[0];
}

describe('the simulators’ process', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`says in a line each what they are, works, and ends cleanly on ${signal}`, async (t) => {
      const secrets = { STAND_IN_BANK_SECRET: 's', STP_CONTROL_SECRET: 's', TRUSTLY_CONTROL_SECRET: 's' };
      const simulators = startSimulators(t, secrets);
      const [url, stpUrl, trustlyUrl] = await urlsOf(simulators);
      const answer = await fetch(`${url}/stand-in/v1/payouts`, {
        method: 'POST',
        headers: { authorization: 'Bearer s' },
        body: JSON.stringify(payout({})),
      });
      assert.equal(answer.status, 200);
      for (const other of [stpUrl, trustlyUrl]) {
        const summary = await fetch(`${other}/control/summary`, { headers: { authorization: 'Bearer s' } });
        assert.equal(((await summary.json()) as { balance: string }).balance, '0.00');
      }
      simulators.stop(signal);
      const { code, output, complaint } = await simulators.ended;
      assert.deepEqual([code, complaint], [0, '']);
      const address = 'http://127.0.0.1:8080/rail-notifications';
      assert.match(output, new RegExp(`^stand-in bank .*no money moves.*${address}/stand-in-bank;.*\n`));
      assert.match(output, new RegExp(`\nSTP simulator .*no money moves.*GATEWAY.*${address}/stp;.*\n`));
      assert.match(output, /\nTrustly simulator .*no money moves.*trustly-public\.pem;.*\n/);
      assert.match(output, new RegExp(`\nPix simulator .*no money moves.*https:.*${address}/pix;.*\n`));
      assert.match(output, new RegExp(`\nAdyen simulator .*no money moves.*GatewayECOM.*${address}/adyen;.*\n`));
      assert.match(output, new RegExp(`\nToken\\.io simulator .*no money moves.*${address}/token-io;.*\n`));
      assert.match(output, new RegExp(`\nVoPay simulator .*no money moves.*/inbox;.*${address}/vopay;.*\n`));
      assert.match(output, new RegExp(`\nAdyen Transfers simulator .*no money moves.*${address}/adyen-transfers;.*\n`));
      assert.match(output, /\nVisa Direct simulator .*no money moves.*https:.*\/visa-direct;.*\n/);
      assert.match(output, /\nMastercard Send simulator .*no money moves.*\/mastercard-send\/public-key\.pem;.*\n$/);
    });
  }

  it('keeps what it answered for when it is killed', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'simulators-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const book = join(folder, 'book.jsonl');
    const simulators = startSimulators(t, { STAND_IN_BANK_SECRET: 's', STAND_IN_BANK_BOOK: book });
    const url = `${await urlOf(simulators)}/stand-in/v1/payouts`;
    const send = (reference: string) =>
      fetch(url, {
        method: 'POST',
        headers: { authorization: 'Bearer s' },
        body: JSON.stringify(payout({ reference })),
      }).then(
        (answer) => (answer.ok ? reference : undefined),
        () => undefined,
      );
    const sent = Array.from({ length: 500 }, (_, number) => send(`p-${number}`));
    await Promise.all(sent.slice(0, 50));
    simulators.stop('SIGKILL');
    const answered = (await Promise.all(sent)).filter((reference) => reference !== undefined);
    const kept = readFileSync(book, 'utf8');
    assert.ok(answered.length >= 50);
    for (const reference of answered) assert.ok(kept.includes(`"reference":"${reference}"`), reference);
  });

  it('says in one sentence that its port is in use', async (t) => {
    const first = startSimulators(t, {});
    const port = new URL(await urlOf(first)).port;
    const { code, output, complaint } = await startSimulators(t, { STAND_IN_BANK_PORT: port }).ended;
    assert.deepEqual([code, output], [1, '']);
    assert.match(
      complaint,
      new RegExp(`^The stand-in bank can't listen on 127.0.0.1:${port}: the port is in use.*\n$`),
    );
  });

  it('says in one sentence that the second port is in use, and ends the first simulator', async (t) => {
    const port = new URL((await urlsOf(startSimulators(t, {})))[1]).port;
    const { code, output, complaint } = await startSimulators(t, { STP_PORT: port }).ended;
    assert.deepEqual([code, output], [1, '']);
    assert.match(complaint, /^STP's simulator can't listen on .*: the port is in use; .* set STP_PORT\.\n$/);
  });

  it('says in one sentence that its book can’t be opened, and ends', async (t) => {
    const { code, output, complaint } = await startSimulators(t, { STAND_IN_BANK_BOOK: '/dev/null/book' }).ended;
    assert.deepEqual([code, output], [1, '']);
    assert.match(complaint, /^The stand-in bank's book \/dev\/null\/book can't be opened: .*\n$/);
  });
});

describe('the settings', () => {
  it('have a default each, with the book below the project’s root', () => {
    assert.deepEqual(readSettingsOf('bank', {}, '/project'), {
      port: 4010,
      secret: 'stand-in-bank-secret',
      notifyUrl: 'http://127.0.0.1:8080/rail-notifications/stand-in-bank',
      bookPath: '/project/data/stand-in-bank.jsonl',
      control: true,
    });
  });

  it('of STP have a default each, one address for both kinds of message', () => {
    const settings = readSettingsOf('stp', { STP_ABONO_URL: 'https://gateway.example/x' }, '/project');
    assert.deepEqual(settings, {
      port: 4020,
      secret: 'stp-control-secret',
      empresa: 'GATEWAY',
      clabePrefix: '6461804990',
      publicKeyPath: '/project/data/stp-public-key.pem',
      notify: { abonoUrl: 'https://gateway.example/x', stateUrl: 'https://gateway.example/x' },
      bookPath: '/project/data/stp.jsonl',
      control: true,
    });
  });

  it('of Trustly have a default each, with the keys where the gateway looks for them', () => {
    assert.deepEqual(readAllSettings({}, '/project').trustly, {
      port: 4070,
      secret: 'trustly-control-secret',
      username: 'gateway',
      password: 'trustly-password',
      clientKeyPath: '/project/data/trustly/public-key.pem',
      ownKeyPath: '/project/data/trustly/trustly-own-key.pem',
      publicKeyPath: '/project/data/trustly/trustly-public-key.pem',
      bookPath: '/project/data/trustly.jsonl',
      control: true,
    });
  });

  it('of Pix have a default each', () => {
    assert.deepEqual(readAllSettings({}, '/project').pix, {
      port: 4050,
      pagesPort: 4051,
      secret: 'pix-control-secret',
      clientId: 'gateway',
      clientSecret: 'pix-client-secret',
      chave: 'gateway@example.com',
      receiver: { name: 'Gateway', city: 'Sao Paulo' },
      certificateFolder: '/project/data/pix',
      webhookUrl: 'http://127.0.0.1:8080/rail-notifications',
      bookPath: '/project/data/pix.jsonl',
      control: true,
    });
  });

  it('of Adyen have a default each', () => {
    assert.deepEqual(readAllSettings({}, '/project').adyen, {
      port: 4030,
      secret: 'adyen-control-secret',
      merchantAccount: 'GatewayECOM',
      apiKey: 'adyen-api-key',
      hmacKey: '0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF',
      webhookUrl: 'http://127.0.0.1:8080/rail-notifications/adyen',
      bookPath: '/project/data/adyen.jsonl',
      control: true,
    });
  });

  it('of Adyen’s transfers have a default each', () => {
    assert.deepEqual(readAllSettings({}, '/project').adyenTransfers, {
      port: 4140,
      secret: 'adyen-transfers-control-secret',
      apiKey: 'adyen-transfers-api-key',
      balanceAccount: 'BA00000000000000000000001',
      hmacKey: 'FEDCBA9876543210FEDCBA9876543210FEDCBA9876543210FEDCBA9876543210',
      webhookUrl: 'http://127.0.0.1:8080/rail-notifications/adyen-transfers',
      bookPath: '/project/data/adyen-transfers.jsonl',
      control: true,
    });
  });

  it('of Visa Direct have a default each', () => {
    assert.deepEqual(readAllSettings({}, '/project').visaDirect, {
      port: 4150,
      controlPort: 4151,
      secret: 'visa-direct-control-secret',
      userId: 'gateway',
      password: 'visa-direct-password',
      acquiringBin: '408999',
      certificateFolder: '/project/data/visa-direct',
      encryption: true,
      bookPath: '/project/data/visa-direct.jsonl',
      control: true,
    });
  });

  it('of Mastercard Send have a default each, with the client’s key where the gateway leaves it', () => {
    assert.deepEqual(readAllSettings({}, '/project').mastercardSend, {
      port: 4160,
      secret: 'mastercard-send-control-secret',
      partnerId: 'ptnr_gateway',
      consumerKey: 'gateway!mastercard-send',
      clientKeyPath: '/project/data/mastercard-send/public-key.pem',
      bookPath: '/project/data/mastercard-send.jsonl',
      control: true,
    });
  });

  it('of Token.io have a default each, with the client’s key where the gateway leaves it', () => {
    assert.deepEqual(readAllSettings({}, '/project').tokenIo, {
      port: 4040,
      secret: 'token-io-control-secret',
      memberId: 'm:gateway:5zKtXEAq',
      keyId: 'gateway-key',
      clientKeyPath: '/project/data/token-io/public-key.pem',
      webhookKeySeed: '74'.repeat(32),
      webhookUrl: 'http://127.0.0.1:8080/rail-notifications/token-io',
      account: { id: 'pa:gateway:2gFUX1NEGTG', iban: 'NL91ABNA0417164300', name: 'Payment Gateway' },
      bookPath: '/project/data/token-io.jsonl',
      control: true,
    });
  });

  it('of VoPay have a default each', () => {
    assert.deepEqual(readAllSettings({}, '/project').vopay, {
      port: 4060,
      secret: 'vopay-control-secret',
      accountId: 'gateway',
      key: 'vopay-key',
      sharedSecret: 'vopay-shared-secret',
      webhookUrl: 'http://127.0.0.1:8080/rail-notifications/vopay',
      bookPath: '/project/data/vopay.jsonl',
      control: true,
    });
  });

  it('that are wrong are all named in one message', () => {
    const wrong = {
      STAND_IN_BANK_PORT: '70000',
      STAND_IN_BANK_SECRET: '',
      STAND_IN_BANK_NOTIFY_URL: 'ftp://x',
      STAND_IN_BANK_BOOK: '',
      STAND_IN_BANK_CONTROL: 'perhaps',
      STP_PORT: 'x',
      STP_CONTROL_SECRET: '',
      STP_EMPRESA: 'A|B',
      STP_CLABE_PREFIX: '012180',
      STP_PUBLIC_KEY: '',
      STP_ABONO_URL: 'x',
      STP_STATE_URL: 'ftp://x',
      STP_BOOK: '',
      STP_CONTROL: '',
      TRUSTLY_PORT: '-1',
      TRUSTLY_CONTROL_SECRET: '',
      TRUSTLY_USERNAME: '',
      TRUSTLY_PASSWORD: '',
      TRUSTLY_CLIENT_PUBLIC_KEY: '',
      TRUSTLY_OWN_KEY: '',
      TRUSTLY_PUBLIC_KEY: '',
      TRUSTLY_BOOK: '',
      TRUSTLY_CONTROL: 'x',
      PIX_PORT: '-1',
      PIX_PAGES_PORT: 'x',
      PIX_CONTROL_SECRET: '',
      PIX_CLIENT_ID: 'a:b',
      PIX_CLIENT_SECRET: '',
      PIX_CHAVE: '',
      PIX_RECEIVER: 'São Paulo',
      PIX_CITY: 'x'.repeat(16),
      PIX_CERTIFICATES: '',
      PIX_WEBHOOK_URL: 'ftp://x',
      PIX_BOOK: '',
      PIX_CONTROL: 'perhaps',
      ADYEN_PORT: '-1',
      ADYEN_CONTROL_SECRET: '',
      ADYEN_MERCHANT_ACCOUNT: 'a b',
      ADYEN_API_KEY: '',
      ADYEN_HMAC_KEY: 'xyz',
      ADYEN_WEBHOOK_URL: 'ftp://x',
      ADYEN_BOOK: '',
      ADYEN_CONTROL: 'x',
      ADYEN_TRANSFERS_PORT: '-1',
      ADYEN_TRANSFERS_CONTROL_SECRET: '',
      ADYEN_TRANSFERS_API_KEY: '',
      ADYEN_TRANSFERS_BALANCE_ACCOUNT: '1',
      ADYEN_TRANSFERS_HMAC_KEY: 'xyz',
      ADYEN_TRANSFERS_WEBHOOK_URL: 'ftp://x',
      ADYEN_TRANSFERS_BOOK: '',
      ADYEN_TRANSFERS_CONTROL: 'x',
      TOKEN_IO_PORT: '-1',
      TOKEN_IO_CONTROL_SECRET: '',
      TOKEN_IO_MEMBER_ID: 'gateway',
      TOKEN_IO_KEY_ID: '',
      TOKEN_IO_CLIENT_PUBLIC_KEY: '',
      TOKEN_IO_WEBHOOK_KEY_SEED: 'xyz',
      TOKEN_IO_WEBHOOK_URL: 'ftp://x',
      TOKEN_IO_SETTLEMENT_ACCOUNT: 'gateway',
      TOKEN_IO_CREDITOR_IBAN: 'NL91 ABNA',
      TOKEN_IO_CREDITOR_NAME: '',
      TOKEN_IO_BOOK: '',
      TOKEN_IO_CONTROL: 'x',
      MASTERCARD_SEND_PORT: '-1',
      MASTERCARD_SEND_CONTROL_SECRET: '',
      MASTERCARD_SEND_PARTNER_ID: 'gateway',
      MASTERCARD_SEND_CONSUMER_KEY: '',
      MASTERCARD_SEND_CLIENT_PUBLIC_KEY: '',
      MASTERCARD_SEND_BOOK: '',
      MASTERCARD_SEND_CONTROL: 'x',
      VISA_DIRECT_PORT: '-1',
      VISA_DIRECT_CONTROL_PORT: '-1',
      VISA_DIRECT_CONTROL_SECRET: '',
      VISA_DIRECT_USER_ID: 'a:b',
      VISA_DIRECT_PASSWORD: '',
      VISA_DIRECT_ACQUIRING_BIN: '1',
      VISA_DIRECT_CERTIFICATES: '',
      VISA_DIRECT_ENCRYPTION: 'x',
      VISA_DIRECT_BOOK: '',
      VISA_DIRECT_CONTROL: 'x',
      VOPAY_PORT: '-1',
      VOPAY_CONTROL_SECRET: '',
      VOPAY_ACCOUNT_ID: 'a b',
      VOPAY_KEY: '',
      VOPAY_SHARED_SECRET: '',
      VOPAY_WEBHOOK_URL: 'ftp://x',
      VOPAY_BOOK: '',
      VOPAY_CONTROL: 'x',
    };
    assert.throws(
      () => readAllSettings(wrong, '/project'),
      (error: Error) =>
        error instanceof StartupFault && Object.keys(wrong).every((name) => error.message.includes(name)),
    );
  });
});
