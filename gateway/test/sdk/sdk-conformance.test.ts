/**
 * The SDKs of three languages against a complete gateway: the same calls, over a network with faults. If a language is not
 * installed, its tests are reported as skipped.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { generatedTypes } from '../../../sdk/write-types.ts';
import { type SpeiStage, startSpeiStage } from '../support/deposits/spei-stage.ts';
import { freePort } from '../support/gateway/running-gateway.ts';
import type { TestMerchant } from '../support/merchants/test-merchant.ts';
import { rightSign, type SignedCase, WRONG_SIGNS } from '../support/merchants/wrong-signers.ts';
import { EXAMPLE_PAYOUTS } from '../support/payouts/payout-request.ts';
import { until } from '../support/tools/until.ts';
import { type FaultyNetwork, startFaultyNetwork } from './faulty-network.ts';
import {
  explainByReadme,
  FRAMEWORK_NAMES,
  payByReadme,
  receiveByFramework,
  receiveByReadme,
} from './readme-examples.ts';
import { startNextShop, startProgram } from './recipes.ts';

const SDK = join(import.meta.dirname, '../../../sdk');
const FORM_KEY = 'FormKey0123';

const LANGUAGES: Readonly<Record<string, { readonly program: string; readonly file: string }>> = {
  TypeScript: { program: process.execPath, file: 'typescript/conformance/run.ts' },
  Python: { program: 'python3', file: 'python/conformance/run.py' },
  PHP: { program: 'php', file: 'php/conformance/run.php' },
};

/** The mistakes that each SDK recognises by itself. The gateway's signature doctor recognises more. */
const KNOWN_MISTAKES = [
  ...['all_fields', 'as_sent', 'sorted_by_value', 'sorted_backwards', 'names_with_values', 'names_not_values'],
  ...['other_separator', 'all_lower_case', 'percent_encoded_values', 'escaped_slashes', 'missing_field'],
  ...['no_key', 'no_colon_before_key', 'trailing_colon', 'leading_colon', 'double_colon', 'key_first'],
  ...['key_on_both_sides', 'key_with_line_end', 'hex_not_base64', 'upper_hex', 'base64_of_hex', 'base64_twice'],
  ...['base64_url', 'no_padding', 'sha1', 'sha256', 'double_md5'],
];

type Answer = Readonly<Record<string, unknown>>;

/** A program that calls one SDK. */
class Caller {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #reader: Interface;

  constructor({ program, file }: { readonly program: string; readonly file: string }) {
    this.#child = spawn(program, [join(SDK, file)], { stdio: ['pipe', 'pipe', 'inherit'] });
    assert.ok(this.#child.stdout);
    this.#reader = createInterface({ input: this.#child.stdout });
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  async call(call: string, args: unknown, fault = '', apiKey = merchant.key): Promise<Answer> {
    const account = { baseUrl: `${network.url}${fault}`, merchant: merchant.id, apiKey, formKey: FORM_KEY };
    this.#child.stdin?.write(`${JSON.stringify({ ...account, call, args })}\n`);
    const { value, done } = await this.#lines.next();
    assert.ok(!done, 'the program ended');
    return JSON.parse(value);
  }

  async result(call: string, args: unknown, fault = ''): Promise<unknown> {
    const answer = await this.call(call, args, fault);
    assert.ok('result' in answer, JSON.stringify(answer));
    return answer['result'];
  }

  close(): void {
    this.#reader.close();
    this.#child.kill();
  }
}

let stage: SpeiStage;
let merchant: TestMerchant;
let network: FaultyNetwork;
before(async () => {
  stage = await startSpeiStage();
  merchant = await stage.gateway.merchant({ formKey: FORM_KEY });
  network = await startFaultyNetwork(stage.gateway.url);
});
after(async () => {
  await network?.close();
  await stage?.verifyAndStop();
});

/** Payouts to a card through the sandbox and a bank. */
function payouts(prefix: string) {
  const account = '4111111111111111';
  return {
    sandbox: { method: 70, payout_id: `${prefix}-70`, account, amount: '1.00', currency: 'TST' },
    card: { method: 1, payout_id: `${prefix}-1`, account, amount: '7.50', currency: 'UAH', full_name: 'Зоя Ünal' },
  };
}

async function balanceOf(currency: string): Promise<number> {
  const { balance, reserved } = await merchant.balance(currency);
  return Number(balance) + Number(reserved);
}

test('the payout types of the SDKs are current: npx node sdk/write-types.ts writes them', () => {
  for (const [path, text] of Object.entries(generatedTypes()))
    assert.equal(readFileSync(join(SDK, path), 'utf8'), text, path);
});

for (const [language, program] of Object.entries(LANGUAGES)) {
  const isMissing = spawnSync(program.program, ['--version']).status !== 0;

  describe(`the SDK for ${language}`, { skip: isMissing && `${program.program} is not installed` }, () => {
    const prefix = language.toLowerCase();
    let sdk: Caller;
    before(() => {
      sdk = new Caller(program);
    });
    after(() => sdk?.close());

    test(`the SDK for ${language} identifies the mistake in an invalid signature and does not report a mistake in a valid signature`, async () => {
      const fields = { ...payouts(`${prefix}/Wrong`).card, method: '1', full_name: 'Ann Lee', note: 'Tea 7' };
      const covered = ['account', 'amount', 'currency', 'merchant', 'method', 'payout_id'];
      const otherKeys = { form: FORM_KEY, old_api: 'old', documentation: 'documented' };
      const body = { merchant: merchant.id, ...fields };
      const request: SignedCase = { key: merchant.key, otherKeys, fields: body, covered, raw: JSON.stringify(body) };
      const explained = async (sign: string | undefined) => {
        const result = (await sdk.result('explainSign', { ...body, sign })) as { mistakes: string[]; expected: string };
        assert.ok(!JSON.stringify(result).includes(merchant.key));
        return result;
      };
      assert.deepEqual((await explained(rightSign(request))).mistakes, []);
      if (language === 'TypeScript') {
        const said = (await explainByReadme(
          { ...body, sign: WRONG_SIGNS['no_key']?.(request) },
          merchant.key,
        )) as Answer;
        assert.match(String(said['mistakes']), /^no_key/);
      }
      assert.equal((await explained('nonsense')).mistakes, null);
      for (const mistake of KNOWN_MISTAKES) {
        const sign = WRONG_SIGNS[mistake]?.(request);
        const { mistakes, expected } = await explained(sign);
        // If the signature contains neither + nor /, base64url equals base64 without padding.
        const alike = KNOWN_MISTAKES.filter((each) => WRONG_SIGNS[each]?.(request) === sign);
        assert.equal(mistakes?.length, 1, mistake);
        assert.ok(alike.includes(mistakes[0]?.split(':')[0] ?? ''), `${mistake}: ${mistakes}`);
        assert.equal(
          expected,
          `${[body.account, body.amount, body.currency, body.merchant, '1', body.payout_id].join(':')}:[key]`,
        );
      }
      const hexed = createHash('md5').update(`${covered.map((name) => Object(body)[name]).join(':')}:${merchant.key}:`);
      const pair = await explained(hexed.digest('hex'));
      assert.deepEqual(
        pair.mistakes.map((each) => each.split(':')[0]),
        ['trailing_colon', 'hex_not_base64'],
      );
    });

    test(`the SDK for ${language} sends payouts and finds them by their status and in the list`, async () => {
      for (const payout of Object.values(payouts(prefix))) {
        const reply = (await sdk.result('sendPayout', payout)) as Answer;
        assert.ok(['Pending', 'Success'].includes(String(reply['status'])), JSON.stringify(reply));
        assert.deepEqual(Object.keys(reply).sort(), ['code', 'description', 'payout_id', 'status']);
        await merchant.final(payout.payout_id);
        const status = (await sdk.result('payoutStatus', payout)) as Answer;
        assert.equal(status['status'], 'Success', payout.payout_id);
      }
      const query = { type: 'withdrawal', currency: 'TST', start_date: '2000-01-01', finish_date: '2100-01-01' };
      // A paginated list shows a payment only 30 seconds after its acceptance.
      assert.ok(Array.isArray(await sdk.result('payments', query)));
    });

    test(`the program of the README in ${language} sends a payout, creates a CLABE and links to the form`, async () => {
      const account = { url: stage.gateway.url, merchant: merchant.id, apiKey: merchant.key, formKey: FORM_KEY };
      const done = (await payByReadme(language, { ...account, payoutId: `${prefix}-readme` })) as Answer;
      const { status, payout_id } = done['reply'] as Answer;
      assert.deepEqual([status, payout_id], ['Success', `${prefix}-readme`]);
      assert.match(String(done['clabe']), /^\d{18}$/);
      assert.match(String(done['link']), /payment\/form\?.*sign=/);
    });

    test(`the SDK for ${language} signs the covered fields of each method`, async () => {
      for (const [number, fields] of Object.entries(EXAMPLE_PAYOUTS)) {
        const payout = { method: Number(number), payout_id: `${prefix}-m${number}`, amount: '0.00', ...fields };
        // The signature is verified before the amount.
        assert.deepEqual(await sdk.call('sendPayout', payout), { error: 'RequestRejected', message: 'Invalid amount' });
      }
    });

    test(`the SDK for ${language} repeats a payout after a network error, and pays once`, async () => {
      const before = await balanceOf('UAH');
      for (const fault of ['/cut', '/page', '/busy']) {
        const payout = { ...payouts(`${prefix}${fault.slice(1)}`).card, amount: '1.00' };
        const reply = (await sdk.result('sendPayout', payout, fault)) as Answer;
        assert.equal(reply['payout_id'], payout.payout_id, fault);
        assert.equal((await merchant.final(String(payout.payout_id)))['status'], 'Success');
      }
      assert.equal(Math.round((before - (await balanceOf('UAH'))) * 100), 300);
    });

    test(`the SDK for ${language} reports an unknown outcome when an attempt had no response`, async () => {
      for (const fault of ['/silent', '/rejecting', '/forged', '/elsewhere', '/failing', '/blocking', '/endless']) {
        const payout = payouts(`${prefix}${fault.slice(1)}`).sandbox;
        const answer = await sdk.call('sendPayout', payout, fault);
        assert.equal(answer['error'], 'OutcomeUnknown', `${fault}: ${JSON.stringify(answer)}`);
      }
    });

    test(`the SDK for ${language} reports a rejection with the gateway’s reason`, async () => {
      const { card } = payouts(`${prefix}-rejected`);
      const answer = await sdk.call('sendPayout', { ...card, amount: '999999999.00' });
      assert.deepEqual(answer, { error: 'RequestRejected', message: 'Insufficient funds' });
      const invalid = await sdk.call('sendPayout', { ...card, amount: '1,00' });
      assert.deepEqual(invalid, { error: 'RequestRejected', message: 'Invalid amount' });
      assert.equal(await sdk.result('payoutStatus', { payout_id: `${prefix}-never` }), null);
    });

    test(`the SDK for ${language} reads the balance and rejects a forged response`, async () => {
      const balance = (await sdk.result('balance', { currency: 'EUR' })) as Answer;
      assert.deepEqual(Object.keys(balance).sort(), ['balance', 'currency', 'reserved']);
      assert.equal((await sdk.call('balance', { currency: 'EUR' }, '/forged'))['error'], 'OutcomeUnknown');
    });

    test(`the SDK for ${language} creates a deposit and rejects a forged CLABE`, async () => {
      const names = { user_id: 'u1', first_name: 'Añna', last_name: 'Example' };
      const deposit = (await sdk.result('createDeposit', {
        order: `${prefix}-N1`,
        amount: '100.00',
        ...names,
      })) as Answer;
      assert.match(String(deposit['clabe']), /^\d{18}$/);
      const forged = await sdk.call('createDeposit', { order: `${prefix}-N2`, amount: '100.00', ...names }, '/forged');
      assert.equal(forged['error'], 'OutcomeUnknown');
      const again = await sdk.call('createDeposit', { order: `${prefix}-N1`, amount: '100.00', ...names });
      assert.deepEqual(again, { error: 'RequestRejected', message: 'Order already exists' });
    });

    test(`the SDK for ${language} signs a link to the form`, async () => {
      const order = { order: `${prefix}-F1`, amount: '25.00', currency: 'EUR', lang: 'en' };
      const link = await sdk.result('formLink', { ...order, item_name: 'Tea & cake + ö', country: 'DE' });
      const problemOf = async (url: string) => {
        const page = await fetch(url.replace(network.url, stage.gateway.url), { redirect: 'manual' });
        return /Problem<\/dt><dd>(.*?)<\/dd>/.exec(await page.text())?.[1];
      };
      // This gateway has no payment type in EUR, and reports that only after it has verified the signature.
      assert.equal(await problemOf(String(link)), 'its value is not supported for this payment');
      assert.notEqual(await problemOf(String(link).replace('25.00', '0.01')), await problemOf(String(link)));
    });

    test(`the SDK for ${language} accepts only an authentic callback`, async () => {
      const { receiver } = stage.gateway;
      const [arrival] = await until('the callback has arrived', () => {
        const about = receiver.about(merchant.id, `${prefix}-1`);
        return about.length > 0 && about;
      });
      assert.ok(arrival);
      const { body, headers } = arrival;
      const now = Math.floor(arrival.arrivedAtMs / 1_000);
      const callback = (await sdk.result('verifyCallback', { body, headers, now })) as Answer;
      const fields = callback['fields'] as Answer;
      assert.deepEqual([callback['kind'], callback['id']], ['payout', headers['webhook-id']]);
      assert.deepEqual([fields['payout_id'], fields['status'], fields['amount']], [`${prefix}-1`, 'Success', '7.50']);
      const forged = createHmac('sha256', '').update(`x.${now}.${body}`).digest('base64');
      const empty = { 'webhook-id': 'x', 'webhook-timestamp': String(now), 'webhook-signature': `v1,${forged}` };
      const keyless = await sdk.call('verifyCallback', { body, headers: empty, now }, '', '');
      assert.match(String(keyless['message']), /needs the API key/);
      if (language === 'TypeScript')
        for (const framework of FRAMEWORK_NAMES) {
          const answer = await receiveByFramework(framework, { body, headers }, merchant.key);
          assert.deepEqual(answer, { status: 200, text: 'OK' }, framework);
        }
      const forgery = { body: body.replace('7.50', '9.50'), headers };
      const answers = await receiveByReadme(language, [{ body, headers }, forgery], merchant.key);
      assert.deepEqual(answers, ['200 OK', '400']);
      const { 'webhook-signature': _signature, ...unsigned } = headers;
      const wrong = [
        { body: body.replace('7.50', '9.50'), headers, now },
        { body, headers: { ...headers, 'webhook-id': 'payout_1_x' }, now },
        { body, headers, now: now + 600 },
        { body, headers, now: now - 600 },
        { body, headers: unsigned, now },
      ];
      for (const each of wrong)
        assert.equal((await sdk.call('verifyCallback', each))['error'], 'InvalidSignature', JSON.stringify(each));
    });
  });
}

describe('the recipes of the SDKs', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recipes-'));
  });
  after(() => rm(folder, { recursive: true }));

  const shopOf = async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const owner = await stage.gateway.merchant({ profile: { processUrl: `${url}/callback` } });
    return { port, url, owner, options: { baseUrl: stage.gateway.url, merchant: owner.id, apiKey: owner.key } };
  };
  const variablesOf = ({ options }: Awaited<ReturnType<typeof shopOf>>) => ({
    GATEWAY_URL: options.baseUrl,
    MERCHANT: options.merchant,
    API_KEY: options.apiKey,
    ORDERS: folder,
  });

  /**
   * Buys tea, pays for it and waits until the shop delivers it. The shop must reject a forged callback and count a duplicate
   * once.
   */
  async function buyTea({ url, owner }: Awaited<ReturnType<typeof shopOf>>, product: string, type: string) {
    const placed = await fetch(`${url}/orders`, { method: 'POST', body: product, headers: { 'content-type': type } });
    assert.equal(placed.status, 201, await placed.clone().text());
    const { order, clabe, amount } = (await placed.json()) as Readonly<Record<string, string>>;
    const state = async () => (await (await fetch(`${url}/orders/${order}`)).json()) as Answer;
    assert.equal((await state())['state'], 'open');
    const forged = await fetch(`${url}/callback`, { method: 'POST', body: `co_order_no=${order}&co_inv_st=success` });
    assert.deepEqual([forged.status, (await state())['state']], [400, 'open']);
    await stage.stp.pay(String(clabe), { amount });
    await until('the shop delivers', async () => (await state())['state'] === 'paid');
    const { lists, callbacks } = stage.gateway.operations;
    const sent = async () => {
      const query = { merchantId: owner.id, filters: {}, from: null, to: null, after: null, limit: 1 };
      return (await lists.callbacks(query)).items[0];
    };
    const delivered = await until('the callback is acknowledged', async () => {
      const found = await sent();
      return found?.state === 'delivered' && found;
    });
    assert.ok((await callbacks.resend(delivered)).ok);
    await until('the callback is acknowledged again', async () => {
      const found = await sent();
      return found?.state === 'delivered' && found.attempts > delivered.attempts;
    });
    assert.equal((await state())['delivered'], 1);
  }

  const php = spawnSync('php', ['--version']).status !== 0 && 'php is not installed';
  test('the recipe of a PHP shop delivers an order once, after its payment', { skip: php }, async () => {
    const shop = await shopOf();
    const recipe = await startProgram(
      'php',
      ['-S', `127.0.0.1:${shop.port}`, 'php-shop.php'],
      shop.port,
      variablesOf(shop),
    );
    await buyTea(shop, 'product=tea', 'application/x-www-form-urlencoded').finally(() => recipe.close());
  });

  test('the recipe of a Next.js shop delivers an order once, after its payment', async () => {
    const shop = await shopOf();
    const recipe = await startNextShop(shop.port, shop.options);
    await buyTea(shop, JSON.stringify({ product: 'tea' }), 'application/json').finally(() => recipe.close());
  });

  const python = spawnSync('python3', ['--version']).status !== 0 && 'python3 is not installed';
  test('the recipe of a Python back office pays a list once, even when it starts again', { skip: python }, async () => {
    const office = await shopOf();
    const list = join(folder, 'payouts.csv');
    await writeFile(
      list,
      'payout_id,method,account,amount,currency,full_name\nB1,70,4111111111111111,1.00,TST,\nB2,70,4000000000000002,2.00,TST,\nB3,1,4111111111111111,7.50,UAH,Anna Example\n',
    );
    const words = ['back_office.py', list, join(folder, 'book.sqlite')];
    const final = [
      'payout B1 is Success: 1.00 TST',
      'payout B2 is Blocked: 2.00 TST',
      'payout B3 is Success: 7.50 UAH',
    ];
    const first = await startProgram('python3', words, office.port, variablesOf(office));
    try {
      await until('every payout is final', () => final.every((line) => first.printed().includes(line)));
    } finally {
      first.close();
    }
    const again = await startProgram('python3', words, office.port, variablesOf(office));
    try {
      await until('the list was read again', () => again.printed().includes('all sent'));
      assert.doesNotMatch(again.printed(), / is (?:Success|Blocked)/);
    } finally {
      again.close();
    }
  });
});
