import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import vectors from '../../../../openapi/vectors/signatures.json' with { type: 'json' };
import { testDeposit } from '../../../test/support/deposits/test-deposit.ts';
import { testKey } from '../../../test/support/merchants/merchant-keys.ts';
import { merchantNamed } from '../../../test/support/merchants/merchant-named.ts';
import { dueCallback } from '../../../test/support/payouts/due-callback.ts';
import type { Callback } from '../../domain/callbacks/callback.ts';
import { keysByPurpose, type MerchantKey, type MerchantWithKeys } from '../../domain/merchants/merchant.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import { Secret } from '../../foundation/secret.ts';
import { verifyMd5, verifyXSign } from '../signatures/merchant-signature.ts';
import {
  composeDepositCallback,
  composeDepositEvent,
  composePayoutCallback,
  composePayoutEvent,
} from './callback-payloads.ts';
import { signCallback } from './sign-callback.ts';

const NOW = Date.now();
const KEY = 'SecRetKey0123';

const payout: Payout = {
  merchantId: 'M1',
  payoutId: 'A17',
  transactionId: 1024,
  purpose: 'payout',
  method: 8,
  money: { currency: 'USD', minor: 1000n },
  amountText: '10',
  fee: 0n,
  rail: 'bank',
  beneficiary: { accountShown: '411111******1111', fields: {}, vaultToken: null },
  contentHash: Buffer.alloc(32),
  state: 'success',
  blockedReason: null,
  acceptedAt: NOW,
  finishedAt: NOW,
};

const callback = dueCallback({
  callbackId: 'payout_1024',
  subjectId: 'A17',
  payload: composePayoutCallback(payout),
  createdAt: NOW,
});

function key(secret: string, more: Partial<MerchantKey> = {}): MerchantKey {
  return testKey(secret, { createdAt: NOW, firstUsedAt: NOW, ...more });
}

function recipient(keys: MerchantKey[], settings: Record<string, string> = {}): MerchantWithKeys {
  return { merchant: merchantNamed('M1', { settings }), keys: keysByPurpose(keys) };
}

const verifier = (secret: string) => new Webhook(Buffer.from(secret).toString('base64'));

const TARGET = new URL('https://shop.example/cb?shop=1&x=%20');

/** Expects a POST with a body. */
function posted(callback: Callback, to: MerchantWithKeys, at: number) {
  const { body, ...request } = signCallback(callback, to, TARGET, at).request;
  assert.ok(body);
  assert.deepEqual([request.method, request.path], ['POST', '/cb?shop=1&x=%20']);
  return { ...request, body };
}

test('a payout callback is a form with exactly the documented fields and the published signature', () => {
  const { body, headers } = posted(callback, recipient([key(KEY)]), NOW);
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

test('a JSON payout callback contains the same fields and the same sign', () => {
  const { body, headers } = posted(callback, recipient([key(KEY)], { callback_format: 'json' }), NOW);
  assert.equal(headers['content-type'], 'application/json');
  const { sign, ...fields } = JSON.parse(body.toString());
  assert.deepEqual(fields, callback.payload);
  assert.equal(verifyMd5(fields, new Secret(KEY), sign), true);
});

test('X-Sign of a callback covers the raw body', () => {
  const { body, headers } = posted(callback, recipient([key(KEY)]), NOW);
  assert.equal(verifyXSign(body, new Secret(KEY), headers['x-sign'] ?? ''), true);
  assert.equal(verifyXSign(Buffer.concat([body, Buffer.from(' ')]), new Secret(KEY), headers['x-sign'] ?? ''), false);
});

test('a Standard Webhooks library verifies a callback and rejects an altered body', () => {
  const { body, headers } = posted(callback, recipient([key(KEY)], { callback_format: 'json' }), NOW);
  const later = posted(callback, recipient([key(KEY)], { callback_format: 'json' }), NOW + 60_000);
  assert.deepEqual(verifier(KEY).verify(body.toString(), headers), JSON.parse(body.toString()));
  assert.equal(later.headers['webhook-id'], headers['webhook-id']);
  assert.notEqual(later.headers['webhook-signature'], headers['webhook-signature']);
  assert.throws(() => verifier(KEY).verify(`${body.toString()} `, headers));
  assert.throws(() => verifier('another').verify(body.toString(), headers));
});

test('both keys verify the webhook during a rotation', () => {
  const keys = [key('new', { firstUsedAt: null }), key('old', { retiresAt: NOW + 1 })];
  const { body, headers } = posted(callback, recipient(keys, { callback_format: 'json' }), NOW);
  for (const secret of ['new', 'old']) verifier(secret).verify(body.toString(), headers);
  const { sign, ...fields } = JSON.parse(body.toString());
  assert.equal(verifyMd5(fields, new Secret('old'), sign), true);
  assert.equal(verifyXSign(body, new Secret('old'), headers['x-sign'] ?? ''), true);
  const switched = [key('new'), key('old', { retiresAt: NOW + 1 })];
  const after = JSON.parse(posted(callback, recipient(switched, { callback_format: 'json' }), NOW).body.toString());
  assert.equal(verifyMd5(fields, new Secret('new'), after.sign), true);
});

test('a payout event is always JSON and keeps the payout’s status', () => {
  const payload = composePayoutEvent(payout, {
    kind: 'reversed',
    at: Date.UTC(2026, 10, 20, 10, 5),
    detail: 'returned',
    rail: 'a_rail',
  });
  const event: Callback = { ...callback, subject: 'event', callbackId: 'event_1024_reversed', payload };
  const { body, headers } = posted(event, recipient([key(KEY)]), NOW);
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

const CREATED = Date.UTC(2026, 10, 20, 10);
const paid = testDeposit({
  state: 'success',
  received: 10_000n,
  fee: 150n,
  createdAt: CREATED,
  finishedAt: CREATED + 5 * 60_000,
});

function depositCallbackOf(deposit = paid): Callback {
  const payload = composeDepositCallback(deposit);
  return { ...callback, subject: 'deposit', subjectId: deposit.orderId, callbackId: 'deposit_1001', payload };
}

test('a deposit callback is a form with exactly the documented fields and the published co_sign', () => {
  const vector = vectors.md5_sign.find(({ name }) => name === 'deposit callback (co_sign)');
  assert.ok(vector);
  const { body, headers } = posted(depositCallbackOf(), recipient([key(KEY)]), NOW);
  assert.equal(headers['content-type'], 'application/x-www-form-urlencoded');
  const fields = Object.fromEntries(new URLSearchParams(body.toString()));
  assert.deepEqual(fields, { ...vector.fields, co_sign: vector.sign });
  assert.deepEqual(Object.keys(fields), [
    'co_inv_id',
    'co_inv_crt',
    'co_inv_prc',
    'co_inv_st',
    'co_order_no',
    'co_merchant_id',
    'co_merchant_uuid',
    'co_amount',
    'co_cur',
    'co_base_amount',
    'co_base_currency',
    'co_to_wlt',
    'co_sign',
  ]);
});

test('the callback of a failed deposit has amounts of zero in the invoice’s currency', () => {
  const failed = testDeposit({ state: 'fail', failReason: 'expired', finishedAt: CREATED });
  const { co_inv_st, co_amount, co_cur, co_base_amount, co_base_currency, co_to_wlt } = composeDepositCallback(failed);
  assert.deepEqual([co_inv_st, co_amount, co_cur, co_to_wlt], ['fail', '0.00', 'MXN', '0.00']);
  assert.deepEqual([co_base_amount, co_base_currency], ['100.00', 'MXN']);
});

test('the callback of a credited shortfall has the received and the invoiced amount', () => {
  const short = composeDepositCallback({ ...paid, received: 4_001n, fee: 1n });
  assert.deepEqual([short['co_amount'], short['co_base_amount'], short['co_to_wlt']], ['40.01', '100.00', '40.00']);
});

test('composing a deposit callback throws while the deposit is not final', () => {
  assert.throws(() => composeDepositCallback(testDeposit()), /deposit that is not final/);
});

test('a JSON deposit callback contains the same fields and the same co_sign', () => {
  const { body } = posted(depositCallbackOf(), recipient([key(KEY)], { callback_format: 'json' }), NOW);
  const { co_sign, ...fields } = JSON.parse(body.toString());
  assert.deepEqual(fields, depositCallbackOf().payload);
  assert.equal(verifyMd5(fields, new Secret(KEY), co_sign), true);
});

for (const [address, query] of [
  ['https://shop.example/cb', ''],
  ['https://shop.example/cb?', ''],
  ['https://shop.example/cb?shop=1&x=a%20b#part', 'shop=1&x=a%20b&'],
] as const) {
  test(`a GET deposit callback to ${address} has its fields in the query and signs the full query`, () => {
    const to = recipient([key(KEY)], { callback_method: 'get', callback_format: 'json' });
    const { method, path, body, headers } = signCallback(depositCallbackOf(), to, new URL(address), NOW).request;
    assert.deepEqual([method, body, headers['content-type']], ['GET', null, undefined]);
    assert.ok(path.startsWith(`/cb?${query}co_inv_id=1001&`), path);
    const sent = path.slice('/cb?'.length);
    const { co_sign, ...fields } = Object.fromEntries(new URLSearchParams(sent.slice(query.length)));
    assert.deepEqual(fields, depositCallbackOf().payload);
    assert.equal(verifyMd5(fields, new Secret(KEY), co_sign ?? ''), true);
    assert.equal(verifyXSign(Buffer.from(sent), new Secret(KEY), headers['x-sign'] ?? ''), true);
    assert.doesNotThrow(() => new Webhook(btoa(KEY)).verify(sent, headers, { jsonParse: false }));
  });
}

test('payout callbacks and events are POSTs, even if the merchant wants deposits as GET', () => {
  const to = recipient([key(KEY)], { callback_method: 'get' });
  posted(callback, to, NOW);
  posted({ ...callback, subject: 'event' }, to, NOW);
});

test('a deposit event is JSON with string values and without a signature field', () => {
  const transfer = {
    rail: 'in_memory',
    transferKey: 'k',
    payTo: paid.payTo,
    money: { currency: 'MXN', minor: 10_000n },
    originator: { name: 'A', account: '1', institution: '2', concept: '3', trackingKey: 'TRACK1' },
    bookedAt: CREATED + 3_600_000,
  } as const;
  const event: Callback = { ...callback, subject: 'event', payload: composeDepositEvent(paid, transfer, 'twice') };
  const { body } = posted(event, recipient([key(KEY)]), NOW);
  assert.deepEqual(JSON.parse(body.toString()), {
    type: 'deposit.twice',
    merchant: 'M1',
    order: 'N17',
    transaction_id: '1001',
    status: 'success',
    amount: '100.00',
    currency: 'MXN',
    occurred_at: '2026-11-20 11:00:00',
    tracking_key: 'TRACK1',
  });
});
