/** Every rejection text of payout_send, and the order of its checks. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { WIRE_KEY } from '../../../test/support/merchants/wire-merchants.ts';
import {
  payoutRequest,
  post,
  type RequestFields,
  signOver,
  VISA_CARD,
} from '../../../test/support/payouts/payout-request.ts';
import { type PayoutWire, startPayoutWire } from '../../../test/support/payouts/payout-wire.ts';
import { OutcomeUnknown, Overloaded } from '../../foundation/commit-errors.ts';
import { REJECTION_ANSWERS } from './rejection-answers.ts';

const SEND = '/merchant/api/payout_send';

describe('the order of checks in payout_send', () => {
  let wire: PayoutWire | undefined;
  const running = () => {
    assert.ok(wire);
    return wire;
  };
  beforeEach(async () => {
    await wire?.stop();
    wire = await startPayoutWire();
  });
  after(() => wire?.stop());

  const build = (change: RequestFields = {}, key = WIRE_KEY) =>
    payoutRequest({ merchant: 'M1', key, method: 9, payoutId: 'A1', change });
  const send = (body: RequestFields) => post(running().url + SEND, body);
  const textOf = async (body: RequestFields) => {
    const reply = (await send(body)).json as Record<string, string>;
    const unsigned = { status: 'Error', code: '99', payout_id: '', description: reply['description'] };
    assert.deepEqual(reply, { ...unsigned, sign: signOver(unsigned, 'all', '') });
    return reply['description'];
  };

  it('payout_send checks the merchant first', async () => {
    for (const merchant of [undefined, null, '', 5, ['M1'], 'M 1', 'x'.repeat(65)]) {
      assert.equal(await textOf({ ...build(), merchant }), 'Invalid merchant', String(merchant));
    }
    assert.equal(await textOf(build({ merchant: 'M2', method: 'x', account: null })), 'Merchant not found');
  });

  it('payout_send rejects a malformed method before it checks the signature', async () => {
    for (const method of [undefined, null, '', 'x', '1.0', 1.5, -9, '+9', '1000', 1e21, true, ['9'], ' 9', '９']) {
      const { method: _, ...rest } = build();
      const body = method === undefined ? rest : { ...rest, method };
      assert.equal(await textOf({ ...body, sign: 'wrong' }), 'Invalid method', String(method));
    }
  });

  it('payout_send reads a JSON number as a string, so 9.0 and 9e0 are invalid methods', async () => {
    const text = JSON.stringify(build({ method: 9 }));
    for (const number of ['9.0', '9e0', '0.9e1', '-9']) {
      const answer = await post(running().url + SEND, text.replace('"method":9', `"method":${number}`));
      assert.equal((answer.json as Record<string, string>)['description'], 'Invalid method', number);
    }
    assert.equal(((await send(build({ method: 9 }))).json as Record<string, string>)['status'], 'Pending');
  });

  it('payout_send reveals an unknown method only to an authentic request', async () => {
    for (const method of ['0', '2', '77', '999']) {
      assert.equal(await textOf(build({ method })), 'Method unavailable', method);
      assert.equal(await textOf({ ...build({ method }), sign: 'wrong' }), 'Sign error', method);
    }
  });

  it('payout_send rejects a field that cannot be signed before it checks the signature', async () => {
    assert.equal(await textOf({ ...build(), account: 4111, sign: 'wrong' }), 'Invalid account');
    assert.equal(await textOf({ ...build(), amount: 10, sign: 'wrong' }), 'Invalid amount');
  });

  it('payout_send rejects a signature that is not a string', async () => {
    for (const sign of [undefined, null, '', 5, true, ['x'], {}]) {
      assert.equal(await textOf({ ...build(), sign }), 'Sign error', String(sign));
    }
  });

  it('payout_send rejects a malformed payout id and the payout id 0', async () => {
    for (const payoutId of ['0', '', 'a b', 'a:b', 'x'.repeat(65)]) {
      assert.equal(await textOf(build({ payout_id: payoutId })), 'Invalid payout_id', payoutId);
    }
  });

  it('payout_send checks the signature, then the address, then the rate', async () => {
    running().addMerchant('M1', { settings: { ip_allow_list: '203.0.113.0/24', payout_rate_limit: '1' } });
    assert.equal(await textOf({ ...build(), sign: 'wrong' }), 'Sign error');
    assert.equal(await textOf(build()), 'Address not allowed');
    assert.equal(await textOf(build()), 'Address not allowed');
    running().addMerchant('M1', { settings: { payout_rate_limit: '1' } });
    await send(build());
    assert.equal(await textOf(build({ amount: 'x' })), 'Too many requests');
  });

  it('payout_send rejects a colon in a value after signature, address and rate, and before the payout’s lookup', async () => {
    await send(build());
    const signed = ['account', 'amount', 'currency'];
    for (const field of signed) {
      const body = build({ [field]: `${String(build()[field])}:` });
      assert.equal(await textOf(body), `Invalid ${field}`);
      assert.equal(await textOf({ ...body, sign: 'wrong' }), 'Sign error');
      assert.equal(await textOf(build({ method: '77', [field]: 'a:b' })), `Invalid ${field}`);
    }
    running().addMerchant('M1', { settings: { ip_allow_list: '203.0.113.0/24' } });
    assert.equal(await textOf(build({ account: 'a:b' })), 'Address not allowed');
    running().addMerchant('M1', { settings: { payout_rate_limit: '1' } });
    assert.equal(await textOf(build({ account: 'a:b' })), 'Invalid account');
    assert.equal(await textOf(build({ account: 'a:b' })), 'Too many requests');
  });

  it('payout_send checks existing payout, format, currency, method, limits and balance in this order', async () => {
    const wrong = { amount: '0.00', currency: 'USD' };
    running().addMerchant('M1', { settings: { disabled_methods: '9', 'max_amount.9.EUR': '5' } });
    running().funds = false;
    assert.equal(await textOf(build(wrong)), 'Invalid amount');
    assert.equal(await textOf(build({ currency: 'USD' })), 'Currency not supported');
    assert.equal(await textOf(build()), 'Method unavailable');
    running().addMerchant('M1', { settings: { 'max_amount.9.EUR': '5' } });
    assert.equal(await textOf(build()), 'Amount out of limits');
    running().addMerchant('M1', { settings: { 'min_amount.9.EUR': '50' } });
    assert.equal(await textOf(build()), 'Amount out of limits');
    running().addMerchant('M1');
    assert.equal(await textOf(build()), 'Insufficient funds');
    running().funds = true;
    await send(build());
    assert.equal(await textOf(build(wrong)), 'Payout id already used');
  });

  it('payout_send returns the stored payout for an idempotent repeat, even after settings and balance changed', async () => {
    const first = await send(build({ method: '8', exp_date: '11/26', full_name: 'Jo Do', currency: 'USD' }));
    running().clock.advance(20 * 24 * 3_600_000);
    running().funds = false;
    running().addMerchant('M1', { settings: { disabled_methods: '8', 'max_amount.8.USD': '1' }, state: 'suspended' });
    const repeated = build({ method: '8', exp_date: '11/26', full_name: 'Jo Do', currency: 'USD', amount: '10' });
    assert.equal((await send(repeated)).text, first.text);
    const expired = { ...repeated, payout_id: 'A2' };
    running().addMerchant('M1');
    const signed = {
      ...expired,
      sign: signOver(expired, ['merchant', 'method', 'payout_id', 'account', 'amount', 'currency'], WIRE_KEY),
    };
    assert.equal(await textOf(signed), 'Invalid exp_date');
  });

  it('payout_send rejects different content under a used payout_id, signed or not', async () => {
    await send(build({ full_name: 'Jo Do' }));
    for (const change of [
      { full_name: 'Jo Doe' },
      { full_name: undefined },
      { amount: '10.01' },
      { account: '4111111111111111' },
    ]) {
      assert.equal(await textOf(build({ full_name: 'Jo Do', ...change })), 'Payout id already used');
    }
  });

  it('payout_send rejects new payouts of a suspended merchant', async () => {
    running().addMerchant('M1', { state: 'suspended' });
    assert.equal(await textOf(build()), 'Merchant disabled');
  });

  it('payout_send returns 200 for rejections by default, and the documented codes under strict_http_codes', async () => {
    const status = async (body: RequestFields) => (await send(body)).status;
    const wrongSign = { ...build(), sign: 'wrong' };
    assert.equal(await status(wrongSign), 200);
    running().addMerchant('M1', { settings: { strict_http_codes: 'on' } });
    assert.equal(await status(wrongSign), 401);
    assert.equal(await status(build({ amount: 'x' })), 422);
    assert.equal(await status(build({ currency: 'USD' })), 422);
    assert.equal(await status(build()), 200);
    assert.equal(await status(build({ amount: '11.00' })), 409);
    running().addMerchant('M1', { settings: { strict_http_codes: 'on', ip_allow_list: '203.0.113.1' } });
    assert.equal(await status(build()), 401);
    running().addMerchant('M1', { settings: { strict_http_codes: 'on' }, state: 'suspended' });
    assert.equal(await status(build({ payout_id: 'A9' })), 401);
  });

  it('payout_send reports the reason of each rejection to the metrics', async () => {
    await send({ ...build(), sign: 'wrong' });
    await send(build({ amount: 'x' }));
    await send(build({ merchant: 'M2' }));
    await send(build());
    assert.deepEqual(running().refused, ['sign_error', 'invalid_field', 'merchant_not_found']);
  });

  it('rejection messages are unique and contain no colon', () => {
    const texts = Object.values(REJECTION_ANSWERS).map(({ text }) => text);
    assert.ok(texts.every((text) => !text.includes(':')));
    assert.equal(new Set(texts).size, texts.length);
  });

  it('a rejection never repeats a malformed field name', async () => {
    for (const name of ['a:b <script>', VISA_CARD, `card${VISA_CARD}`, `k${WIRE_KEY.repeat(3)}`, '', '1'])
      assert.equal(await textOf({ ...build({ method: '34' }), [name]: 5 }), 'Invalid body', name);
    assert.equal(await textOf({ ...build({ method: '34' }), order_2: 5 }), 'Invalid order_2');
  });
});

describe('payout_send during a failure of the gateway', () => {
  const failing = (error: Error) =>
    startPayoutWire({
      accept: {
        store: {
          nextTransactionId: async () => 1,
          accept: () => Promise.reject(error),
          find: () => Promise.reject(error),
        } as never,
      },
    });

  it('payout_send returns 429, Retry-After and Error when overloaded', async (t) => {
    const wire = await failing(new Overloaded('the queue is full'));
    t.after(() => wire.stop());
    const answer = await post(
      wire.url + SEND,
      payoutRequest({ merchant: 'M1', key: WIRE_KEY, method: 9, payoutId: 'A1' }),
    );
    assert.equal(answer.status, 429);
    assert.equal(answer.headers.get('retry-after'), '1');
    assert.equal((answer.json as Record<string, string>)['description'], 'Too many requests');
    assert.equal((answer.json as Record<string, string>)['status'], 'Error');
    assert.deepEqual(wire.internalErrors, []);
  });

  for (const error of [
    new OutcomeUnknown('lost in commit'),
    new Error('a bug with 4111111111111111 in it'),
    Object.assign(new Error('read'), { code: 'ECONNRESET', statusCode: 400 }),
  ]) {
    it(`payout_send returns an empty 500 for an unknown outcome (${error.name}, ${error.message.slice(0, 5)})`, async (t) => {
      const wire = await failing(error);
      t.after(() => wire.stop());
      const answer = await post(
        wire.url + SEND,
        payoutRequest({ merchant: 'M1', key: WIRE_KEY, method: 9, payoutId: 'A1' }),
      );
      assert.equal(answer.status, 500);
      assert.equal(answer.text, '');
      assert.equal(answer.headers.get('content-type'), null);
      assert.deepEqual(wire.internalErrors, [error]);
    });
  }
});
