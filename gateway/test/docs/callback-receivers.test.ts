/**
 * Runs the receivers in docs/merchant/callbacks.md, as a merchant would, against real callbacks of the gateway. They must
 * return OK to an authentic callback, ignore a duplicate and reject a modified callback.
 */

import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { codeBlocks, onlyBlock, readPage } from '../../generators/pages.ts';
import type { Callback } from '../../src/domain/callbacks/callback.ts';
import type { ConformanceRequest } from '../../src/domain/conformance/conformance.ts';
import { keysByPurpose, type MerchantWithKeys } from '../../src/domain/merchants/merchant.ts';
import type { Payout } from '../../src/domain/payouts/payout.ts';
import { MINUTE_MS, systemClock } from '../../src/foundation/clock.ts';
import { systemRandom } from '../../src/foundation/random.ts';
import { Secret } from '../../src/foundation/secret.ts';
import {
  composeAdjustmentEvent,
  composeDepositCallback,
  composePayoutEvent,
} from '../../src/protocol/callbacks/callback-payloads.ts';
import { type CallbackRequest, signCallback } from '../../src/protocol/callbacks/sign-callback.ts';
import { playReceiver } from '../../src/protocol/conformance/play-receiver.ts';
import { testDeposit } from '../support/deposits/test-deposit.ts';
import { testKey } from '../support/merchants/merchant-keys.ts';
import { merchantNamed } from '../support/merchants/merchant-named.ts';
import { dueCallback } from '../support/payouts/due-callback.ts';
import { until } from '../support/tools/until.ts';

const KEY = 'SecRetKey0123';
const RECEIVERS = [
  { language: 'js', file: 'receiver.mjs', program: process.execPath },
  { language: 'python', file: 'receiver.py', program: 'python3' },
] as const;

const page = readPage('docs/merchant/callbacks.md');

type Posted = CallbackRequest & { readonly body: Buffer };

type Sent = Pick<Callback, 'callbackId' | 'subject' | 'subjectId' | 'payload'>;

function callbackOf(payoutId: string, settingTexts: Readonly<Record<string, string>> = {}): Posted {
  const payload = {
    merchant: 'M1',
    payout_id: payoutId,
    status: 'Success',
    code: '0',
    description: 'Completed',
    amount: '10.00',
    currency: 'USD',
  };
  return posted({ callbackId: 'payout_1025', subject: 'payout', subjectId: payoutId, payload }, settingTexts);
}

function depositCallbackOf(orderId: string): Posted {
  const createdAt = Date.UTC(2026, 10, 20, 10);
  const finishedAt = createdAt + 5 * MINUTE_MS;
  const paid = { state: 'success', received: 10_000n, fee: 150n, createdAt, finishedAt } as const;
  const payload = composeDepositCallback(testDeposit({ orderId, ...paid }));
  return posted({ callbackId: 'deposit_1001', subject: 'deposit', subjectId: orderId, payload }, {});
}

function posted(sent: Sent, settingTexts: Readonly<Record<string, string>>): Posted {
  const callback = dueCallback({ ...sent, createdAt: 0 });
  const recipient: MerchantWithKeys = {
    merchant: merchantNamed('M1', { settings: settingTexts }),
    keys: keysByPurpose([testKey(KEY, { firstUsedAt: 0 })]),
  };
  const { request } = signCallback(callback, recipient, new URL('https://shop.example/'), systemClock.now());
  assert.ok(request.body);
  return { ...request, body: request.body };
}

/** Starts the program, waits until it listens, and collects its output. */
async function startReceiver(
  program: string,
  file: string,
  key = KEY,
): Promise<{ url: string; printed: string[]; process: ChildProcess }> {
  const child = spawn(program, [file], {
    env: { ...process.env, MERCHANT_KEY: key, PORT: '0' },
    stdio: ['ignore', 'pipe', key === KEY ? 'inherit' : 'ignore'],
  });
  const printed: string[] = [];
  const port = await new Promise<string>((resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`the receiver ended with ${code}`)));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed.push(...text.trim().split('\n'));
      const listening = /listening on (\d+)/.exec(text);
      if (listening) resolve(listening[1] ?? '');
    });
  });
  return { url: `http://127.0.0.1:${port}/`, printed, process: child };
}

async function post(url: string, { body, headers }: Posted): Promise<{ status: number; text: string }> {
  const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) });
  return { status: response.status, text: await response.text() };
}

for (const { language, file, program } of RECEIVERS) {
  const missing = spawnSync(program, ['--version'], { stdio: 'ignore' }).status !== 0;
  const skip = missing ? `${program} is not on this machine` : false;

  describe(`the callback receiver in ${language}`, { skip }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'callback-receiver-'));
    let receiver: Awaited<ReturnType<typeof startReceiver>>;

    before(async () => {
      writeFileSync(join(folder, file), onlyBlock(page, language));
      receiver = await startReceiver(program, join(folder, file));
    });
    after(() => {
      receiver?.process.kill();
      rmSync(folder, { recursive: true, force: true });
    });

    test(`the receiver in ${language} returns OK for an authentic callback and handles a duplicate once`, async () => {
      for (let time = 0; time < 2; time++) {
        assert.deepEqual(await post(receiver.url, callbackOf('A17')), { status: 200, text: 'OK' });
      }
      assert.deepEqual(
        receiver.printed.filter((line) => line.includes('A17')),
        ['payout A17 is Success: 10.00 USD'],
      );
    });

    test(`the receiver in ${language} accepts a deposit callback and rejects an altered callback`, async () => {
      assert.deepEqual(await post(receiver.url, depositCallbackOf('N17')), { status: 200, text: 'OK' });
      await until('the receiver prints it', async () =>
        receiver.printed.find((line) => line === 'deposit N17 is success: 100.00 MXN'),
      );
      const changed = Buffer.from(depositCallbackOf('N18').body.toString().replace('98.50', '99.00'));
      assert.equal((await post(receiver.url, { ...depositCallbackOf('N18'), body: changed })).status, 400);
    });

    test(`the receiver in ${language} passes every check of gateway conform that concerns it`, async () => {
      const key = 'a-key-that-no-page-shows';
      const { url, printed, process } = await startReceiver(program, join(folder, file), key);
      const asked: ConformanceRequest = {
        url: new URL(url),
        eventUrl: null,
        returnUrl: null,
        merchantId: 'M1',
        format: 'form',
        key: new Secret(key),
        oldKey: null,
        formKey: new Secret('a-form-key'),
        acknowledgement: 'ok_body',
        readBook: async () => printed.join('\n'),
        patienceMs: 15_000,
        settleMs: 2_000,
      };
      const results = await playReceiver(asked, systemClock, systemRandom).finally(() => process.kill());
      const others = results.filter(({ state }) => state !== 'passed').map(({ name, found }) => `${name} ${found}`);
      assert.deepEqual(
        others.filter((line) => !line.includes(' needs --')),
        [],
      );
      assert.ok(results.length - others.length >= 35, String(others));
    });

    test(`the receiver in ${language} rejects a callback that was changed in transit`, async () => {
      const callback = callbackOf('A18');
      const changed = Buffer.from(callback.body.toString().replace('10.00', '99.00'));
      assert.equal((await post(receiver.url, { ...callback, body: changed })).status, 400);
      assert.ok(!receiver.printed.some((line) => line.includes('A18')));
    });
  });
}

test('the examples on callbacks.md equal the callbacks that the gateway writes', () => {
  for (const { body } of [callbackOf('A17'), depositCallbackOf('N17')]) assert.ok(page.text.includes(`\n${body}\n`));
});

test('the events on callbacks.md contain the gateway’s fields, in order', () => {
  const money = { currency: 'EUR', minor: 1060n } as const;
  const payout = { merchantId: 'M1', payoutId: 'A17', state: 'success', blockedReason: null, money } as Payout;
  const at = Date.UTC(2026, 10, 20, 10, 0, 3);
  const reversed = composePayoutEvent(payout, { kind: 'reversed', rail: null, at, detail: '' });
  const chargedBack = composeAdjustmentEvent(
    testDeposit({ state: 'success' }),
    {
      transactionId: 1001,
      attempt: 1,
      receiptKey: null,
      kind: 'charged_back',
      key: '8815658961765250',
      money: { currency: 'EUR', minor: 10_000n },
      posted: 10_000n,
      at,
      detail: 'CHARGEBACK fraudulent',
    },
    { currency: 'EUR', minor: 10_000n },
    Date.UTC(2026, 11, 1, 9, 30),
  );
  const blocks = codeBlocks(page).filter(({ language }) => language === 'json');
  const written = [reversed, chargedBack].map((event) => JSON.stringify(event, null, 2));
  assert.deepEqual(
    blocks.map(({ text }) => text.trim()),
    written,
  );
});

test('a Standard Webhooks library verifies a callback in both documented ways', () => {
  const webhook = new Webhook(`whsec_${Buffer.from(KEY).toString('base64')}`);
  const form = callbackOf('A17');
  assert.doesNotThrow(() => webhook.verify(form.body.toString(), { ...form.headers }, { jsonParse: false }));
  const json = callbackOf('A17', { callback_format: 'json' });
  assert.equal((webhook.verify(json.body.toString(), { ...json.headers }) as { payout_id: string }).payout_id, 'A17');
});
