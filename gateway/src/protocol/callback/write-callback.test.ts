import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { merchantNamed } from '../../../test/support/merchant-named.ts';
import type { Callback } from '../../domain/callbacks/callback.ts';
import type { MerchantKey, MerchantWithKeys } from '../../domain/merchants/merchant.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import { Secret } from '../../foundation/secret.ts';
import { verifyMd5 } from '../signatures/md5-sign.ts';
import { verifyXSign } from '../signatures/x-sign.ts';
import { composePayoutCallback, composePayoutEvent } from './compose-callback.ts';
import { writeCallback } from './write-callback.ts';

const NOW = Date.now();
const KEY = 'SecRetKey0123';

const payout: Payout = {
  merchantId: 'M1',
  payoutId: 'A17',
  transactionId: 1024,
  method: 8,
  money: { currency: 'USD', minor: 1000n },
  amountText: '10',
  fee: 0n,
  rail: 'bank',
  beneficiary: { accountShown: '411111******1111', fields: {}, vaultToken: null },
  contentHash: Buffer.alloc(32),
  state: 'success',
  code: '0',
  acceptedAt: NOW,
  finishedAt: NOW,
};

const callback: Callback = {
  merchantId: 'M1',
  callbackId: 'payout_1024',
  subject: 'payout',
  payoutId: 'A17',
  payload: composePayoutCallback(payout),
  state: 'due',
  createdAt: NOW,
  attempts: 0,
  scheduleStart: 0,
  firstAttemptAt: null,
  dueAt: NOW,
  finishedAt: null,
};

function key(secret: string, more: Partial<MerchantKey> = {}): MerchantKey {
  return { keyId: secret, secret: new Secret(secret), createdAt: NOW, retiresAt: null, firstUsedAt: NOW, ...more };
}

function recipient(keys: MerchantKey[], settings: Record<string, string> = {}): MerchantWithKeys {
  return { merchant: merchantNamed('M1', { settings }), keys };
}

const verifier = (secret: string) => new Webhook(Buffer.from(secret).toString('base64'));

test('the payout callback is the decided form, signed as the published vector', () => {
  const { body, headers } = writeCallback(callback, recipient([key(KEY)]), NOW);
  assert.equal(headers['content-type'], 'application/x-www-form-urlencoded');
  assert.deepEqual(Object.fromEntries(new URLSearchParams(body.toString())), {
    merchant: 'M1',
    payout_id: 'A17',
    status: 'Success',
    code: '0',
    description: 'Completed',
    amount: '10.00',
    currency: 'USD',
    sign: 'jwVnLNMGGZc2of1Pc0v8Ug==',
  });
});

test('the json body holds the same fields with the same sign', () => {
  const { body, headers } = writeCallback(callback, recipient([key(KEY)], { callback_format: 'json' }), NOW);
  assert.equal(headers['content-type'], 'application/json');
  const { sign, ...fields } = JSON.parse(body.toString());
  assert.deepEqual(fields, callback.payload);
  assert.equal(verifyMd5(fields, new Secret(KEY), sign), true);
});

test('X-Sign covers the raw body', () => {
  const { body, headers } = writeCallback(callback, recipient([key(KEY)]), NOW);
  assert.equal(verifyXSign(body, new Secret(KEY), headers['x-sign'] ?? ''), true);
  assert.equal(verifyXSign(Buffer.concat([body, Buffer.from(' ')]), new Secret(KEY), headers['x-sign'] ?? ''), false);
});

test('a Standard Webhooks library verifies it, keeps its id over attempts, and refuses an altered body', () => {
  const { body, headers } = writeCallback(callback, recipient([key(KEY)], { callback_format: 'json' }), NOW);
  const later = writeCallback(callback, recipient([key(KEY)], { callback_format: 'json' }), NOW + 60_000);
  assert.deepEqual(verifier(KEY).verify(body.toString(), headers), JSON.parse(body.toString()));
  assert.equal(later.headers['webhook-id'], headers['webhook-id']);
  assert.notEqual(later.headers['webhook-signature'], headers['webhook-signature']);
  assert.throws(() => verifier(KEY).verify(`${body.toString()} `, headers));
  assert.throws(() => verifier('another').verify(body.toString(), headers));
});

test('during a rotation either key verifies the webhook, and sign and X-Sign wait for the new key to be used', () => {
  const keys = [key('new', { firstUsedAt: null }), key('old', { retiresAt: NOW + 1 })];
  const { body, headers } = writeCallback(callback, recipient(keys, { callback_format: 'json' }), NOW);
  for (const secret of ['new', 'old']) verifier(secret).verify(body.toString(), headers);
  const { sign, ...fields } = JSON.parse(body.toString());
  assert.equal(verifyMd5(fields, new Secret('old'), sign), true);
  assert.equal(verifyXSign(body, new Secret('old'), headers['x-sign'] ?? ''), true);
  const switched = [key('new'), key('old', { retiresAt: NOW + 1 })];
  const after = JSON.parse(
    writeCallback(callback, recipient(switched, { callback_format: 'json' }), NOW).body.toString(),
  );
  assert.equal(verifyMd5(fields, new Secret('new'), after.sign), true);
});

test('an event is JSON whatever the format, names what happened, and leaves the status as it was', () => {
  const payload = composePayoutEvent(payout, {
    kind: 'reversed',
    at: Date.UTC(2026, 10, 20, 10, 5),
    detail: 'returned',
  });
  const event: Callback = { ...callback, subject: 'event', callbackId: 'event_1024_reversed', payload };
  const { body, headers } = writeCallback(event, recipient([key(KEY)]), NOW);
  assert.deepEqual(verifier(KEY).verify(body.toString(), headers), {
    type: 'payout.reversed',
    merchant: 'M1',
    payout_id: 'A17',
    status: 'Success',
    code: '0',
    amount: '10.00',
    currency: 'USD',
    occurred_at: '2026-11-20 10:05:00',
    detail: 'returned',
  });
});
