/**
 * The SDKs of three languages against a whole gateway, by one list of calls, over a network with faults. A language that is not
 * installed is reported as skipped.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { generatedTypes } from '../../../sdk/write-types.ts';
import { EXAMPLE_PAYOUTS } from '../support/payout-request.ts';
import { type SpeiStage, startSpeiStage } from '../support/spei-stage.ts';
import type { TestMerchant } from '../support/test-merchant.ts';
import { until } from '../support/until.ts';
import { type FaultyNetwork, startFaultyNetwork } from './faulty-network.ts';

const SDK = join(import.meta.dirname, '../../../sdk');
const FORM_KEY = 'FormKey0123';

const LANGUAGES: Readonly<Record<string, { readonly program: string; readonly file: string }>> = {
  TypeScript: { program: process.execPath, file: 'typescript/conformance/run.ts' },
  Python: { program: 'python3', file: 'python/conformance/run.py' },
  PHP: { program: 'php', file: 'php/conformance/run.php' },
};

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

/** A payout to a card, by the sandbox and by a bank. */
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

    test(`the SDK for ${language} sends payouts, and finds them by their status and in the list`, async () => {
      for (const payout of Object.values(payouts(prefix))) {
        const reply = (await sdk.result('sendPayout', payout)) as Answer;
        assert.ok(['Pending', 'Success'].includes(String(reply['status'])), JSON.stringify(reply));
        assert.deepEqual(Object.keys(reply).sort(), ['code', 'description', 'payout_id', 'status']);
        await merchant.final(payout.payout_id);
        const status = (await sdk.result('payoutStatus', payout)) as Answer;
        assert.equal(status['status'], 'Success', payout.payout_id);
      }
      const query = { type: 'withdrawal', currency: 'TST', start_date: '2000-01-01', finish_date: '2100-01-01' };
      // The list by pages shows a payment only 30 seconds after its acceptance.
      assert.ok(Array.isArray(await sdk.result('payments', query)));
    });

    test(`the SDK for ${language} signs the covered fields of each method`, async () => {
      for (const [number, fields] of Object.entries(EXAMPLE_PAYOUTS)) {
        const payout = { method: Number(number), payout_id: `${prefix}-m${number}`, amount: '0.00', ...fields };
        // The signature is verified before the amount.
        assert.deepEqual(await sdk.call('sendPayout', payout), { error: 'RequestRejected', message: 'Invalid amount' });
      }
    });

    test(`the SDK for ${language} repeats a payout after a fault of the network, and pays once`, async () => {
      const before = await balanceOf('UAH');
      for (const fault of ['/cut', '/page', '/busy']) {
        const payout = { ...payouts(`${prefix}${fault.slice(1)}`).card, amount: '1.00' };
        const reply = (await sdk.result('sendPayout', payout, fault)) as Answer;
        assert.equal(reply['payout_id'], payout.payout_id, fault);
        assert.equal((await merchant.final(String(payout.payout_id)))['status'], 'Success');
      }
      assert.equal(Math.round((before - (await balanceOf('UAH'))) * 100), 300);
    });

    test(`the SDK for ${language} reports an unknown outcome, never a rejection, when an attempt had no answer`, async () => {
      for (const fault of ['/silent', '/rejecting', '/forged', '/elsewhere', '/failing', '/blocking']) {
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

    test(`the SDK for ${language} reads the balance, and believes no forged one`, async () => {
      const balance = (await sdk.result('balance', { currency: 'EUR' })) as Answer;
      assert.deepEqual(Object.keys(balance).sort(), ['balance', 'currency', 'reserved']);
      assert.equal((await sdk.call('balance', { currency: 'EUR' }, '/forged'))['error'], 'OutcomeUnknown');
    });

    test(`the SDK for ${language} creates a deposit and believes no forged CLABE`, async () => {
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
      const order = { order: `${prefix}-F1`, amount: '25.00', currency: 'EUR' };
      const link = await sdk.result('formLink', { ...order, item_name: 'Tea & cake + ö', country: 'DE' });
      const problemOf = async (url: string) => {
        const page = await fetch(url.replace(network.url, stage.gateway.url), { redirect: 'manual' });
        return /Problem<\/dt><dd>(.*?)<\/dd>/.exec(await page.text())?.[1];
      };
      // This gateway takes no payments in EUR, and says so once the signature is proven.
      assert.equal(await problemOf(String(link)), 'its value is not supported for this payment');
      assert.notEqual(await problemOf(String(link).replace('25.00', '0.01')), await problemOf(String(link)));
    });

    test(`the SDK for ${language} verifies a callback, and rejects an altered, foreign, repeated-later or unsigned one`, async () => {
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
