/** Every rejection text of a create request, the order of its checks, and failures of the gateway itself. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import {
  depositRequest,
  type HostToHostOptions,
  type HostToHostWire,
  reasonOf,
  startHostToHostWire,
  useFreshWires,
  WIRE_RAIL,
} from '../../../test/support/deposits/host-to-host-wire.ts';
import { WIRE_KEY } from '../../../test/support/merchants/wire-merchants.ts';
import { type RequestFields, xSignHeaders } from '../../../test/support/payouts/payout-request.ts';
import { OutcomeUnknown, Overloaded } from '../../foundation/commit-errors.ts';
import { invariant } from '../../foundation/invariant.ts';
import { DEPOSIT_REJECTION_ANSWERS } from './rejection-answers.ts';

async function startOwn(t: TestContext, options: HostToHostOptions): Promise<HostToHostWire> {
  const own = await startHostToHostWire(options);
  t.after(() => own.stop());
  return own;
}

const { wire, send, reason } = useFreshWires();

describe('the order of checks in a create request', () => {
  it('a create request is checked for X-Merchant first, then for the merchant', async () => {
    for (const merchant of ['', 'M 1', 'M1, M1', 'x'.repeat(65)]) {
      assert.equal(await reason({}, { 'x-merchant': merchant, 'x-sign': 'wrong' }), 'Invalid X-Merchant', merchant);
    }
    assert.equal(await reason({}, { 'x-sign': 'wrong' }), 'Invalid X-Merchant');
    assert.equal(await reason({}, { 'x-merchant': 'M9', 'x-sign': 'wrong' }), 'Merchant not found');
  });

  it('a create request is checked for signature, then rate, then a suspended merchant', async () => {
    wire().addMerchant('M1', { settings: { host2host_rate_limit: '1' }, state: 'suspended' });
    assert.equal(await reason({}, { 'x-merchant': 'M1', 'x-sign': 'wrong' }), 'Sign error');
    assert.equal(await reason(), 'Merchant disabled');
    const answer = await send();
    assert.deepEqual([answer.status, reasonOf(answer)], [429, 'Too many requests']);
    assert.equal(answer.headers.get('retry-after'), '1');
  });

  it('a create request is checked for a suspended merchant, then a readable body, then formats', async () => {
    wire().addMerchant('M1', { state: 'suspended' });
    assert.equal(reasonOf(await wire().send('{')), 'Merchant disabled');
    wire().addMerchant('M1');
    assert.equal(reasonOf(await wire().send('{')), 'Invalid body');
  });

  it('a create request with several invalid fields is rejected for the first field in the documented order', async () => {
    const wrong: Record<string, unknown> = {
      order: '',
      amount: '',
      currency: '',
      user_id: '',
      first_name: '',
      last_name: '',
    };
    for (const name of Object.keys(wrong)) {
      assert.equal(await reason(wrong), `Invalid ${name}`);
      delete wrong[name];
    }
  });

  it('a create request is checked for formats, currency, limits, method and order in this order', async () => {
    const limits = { 'min_amount.spei.MXN': '50', 'max_amount.spei.MXN': '500' };
    wire().addMerchant('M1', { settings: { ...limits, disabled_payment_types: 'spei' } });
    assert.equal(await reason({ currency: 'USD', last_name: '' }), 'Invalid last_name');
    assert.equal(await reason({ currency: 'USD', amount: '1.00' }), 'Currency not supported');
    assert.equal(await reason({ amount: '49.99' }), 'Amount out of limits');
    assert.equal(await reason({ amount: '500.01' }), 'Amount out of limits');
    assert.equal(await reason(), 'Method unavailable');
    wire().addMerchant('M1', { settings: limits });
    for (const amount of ['50', '500']) assert.equal(await reason({ amount, order: amount }), 'Created');
    assert.equal(await reason({ order: '50' }), 'Order already exists');
  });

  it('a create request is rejected when no address can be assigned', async (t) => {
    const without = await startOwn(t, { rails: [] });
    assert.equal(reasonOf(await without.send(depositRequest())), 'Method unavailable');
    const usedUp = await startOwn(t, { store: { allocateAddress: async () => undefined } });
    assert.equal(reasonOf(await usedUp.send(depositRequest())), 'Method unavailable');
    const real = await startOwn(t, { rails: [{ ...WIRE_RAIL, simulated: false }] });
    real.addMerchant('M1', { state: 'test' });
    assert.equal(reasonOf(await real.send(depositRequest())), 'Method unavailable');
    wire().addMerchant('M1', { state: 'test' });
    assert.equal(await reason(), 'Created');
  });

  it('a rejected create request is reported to the metrics with its merchant', async () => {
    await send({}, { 'x-merchant': 'M9', 'x-sign': 'x' });
    await send({}, { 'x-merchant': 'M1', 'x-sign': 'x' });
    await send({ amount: 'x' });
    await send();
    await send();
    assert.deepEqual(wire().refused, ['merchant_not_found', 'M1 sign_error', 'M1 invalid_field', 'M1 order_exists']);
  });

  it('a rejected create request gets 200 by default, and the documented codes under strict_http_codes', async () => {
    const status = async (change?: RequestFields, headers?: Record<string, string>) =>
      (await send(change, headers)).status;
    const wrongSign = { 'x-merchant': 'M1', 'x-sign': 'wrong' };
    await send();
    assert.deepEqual([await status({}, wrongSign), await status({ amount: 'x' }), await status()], [200, 200, 200]);
    const settings = { strict_http_codes: 'on', 'max_amount.spei.MXN': '500' };
    wire().addMerchant('M1', { settings });
    assert.equal(await status({}, wrongSign), 401);
    assert.equal(await status(), 409);
    for (const change of [{ amount: 'x' }, { currency: 'USD' }, { amount: '501' }])
      assert.equal(await status(change), 422);
    assert.equal(await status({ order: 'N18' }), 200);
    wire().addMerchant('M1', { settings, state: 'suspended' });
    assert.equal(await status(), 401);
  });

  it('the rejection messages of create requests equal the documented messages', () => {
    assert.deepEqual(
      Object.values(DEPOSIT_REJECTION_ANSWERS).map(({ text }) => text),
      [
        'Order already exists',
        'Sign error',
        'Merchant not found',
        'Merchant disabled',
        'Invalid {field}',
        'Currency not supported',
        'Amount out of limits',
        'Method unavailable',
        'Too many requests',
        'Temporary error',
      ],
    );
  });
});

describe('rates and guesses of create requests', () => {
  it('create requests are limited per merchant, by default if the merchant has no setting', async (t) => {
    const own = await startOwn(t, { defaultRates: { host2host_rate_limit: 2 } });
    own.addMerchant('M2', { settings: { host2host_rate_limit: '0' } });
    const count = async (merchant: string) => {
      const statuses = [];
      for (let at = 0; at < 4; at += 1) {
        const body = JSON.stringify(depositRequest({ order: `${merchant}-${at}` }));
        statuses.push((await own.send(body, xSignHeaders(merchant, WIRE_KEY, body))).status);
      }
      return statuses;
    };
    assert.deepEqual(await count('M1'), [200, 200, 429, 429]);
    assert.deepEqual(await count('M2'), [200, 200, 200, 200]);
    own.clock.advance(500);
    assert.equal((await own.send(depositRequest({ order: 'later' }))).status, 200);
  });

  it('invalid signatures slow down later invalid create requests, but not valid requests', async (t) => {
    const own = await startOwn(t, { holdDelays: true });
    own.addMerchant('M2');
    const guess = () => own.send(depositRequest(), { 'x-merchant': 'M1', 'x-sign': 'wrong' });
    for (let at = 0; at < 10; at += 1) assert.equal((await guess()).status, 200);
    const late = guess();
    const body = JSON.stringify(depositRequest());
    assert.equal(reasonOf(await own.send(body, xSignHeaders('M2', WIRE_KEY, body))), 'Created');
    const first = await Promise.race([late, new Promise((resolve) => setTimeout(resolve, 50, 'waiting'))]);
    assert.equal(first, 'waiting');
    own.clock.advance(100);
    assert.equal(reasonOf(await late), 'Sign error');
  });
});

describe('a create request during a failure of the gateway', () => {
  it('a create request during an overload gets 429 with Retry-After, and its address is released', async (t) => {
    const own = await startOwn(t, { store: { open: () => Promise.reject(new Overloaded('full')) } });
    const answer = await own.send(depositRequest());
    assert.deepEqual([answer.status, reasonOf(answer)], [429, 'Too many requests']);
    assert.equal(answer.headers.get('retry-after'), '1');
    assert.equal(own.addressesReleased.length, 1);
    assert.deepEqual(own.internalErrors, []);
  });

  const lost = Object.assign(new Error('read'), { code: 'ECONNRESET', statusCode: 400 });
  for (const error of [new OutcomeUnknown('lost in commit'), lost, new Error('a bug')]) {
    it(`a create request with an unknown outcome gets an empty 500 (${error.message})`, async (t) => {
      const own = await startOwn(t, { store: { open: () => Promise.reject(error) } });
      const answer = await own.send(depositRequest());
      assert.deepEqual([answer.status, answer.text], [500, '']);
      assert.equal(answer.headers.get('content-type'), null);
      assert.deepEqual(own.internalErrors, [error]);
      assert.deepEqual(own.addressesReleased, [], 'it may be a deposit’s');
    });
  }

  const beforeTheWrite: Readonly<Record<string, HostToHostOptions>> = {
    'the merchant lookup fails': { directory: { find: () => Promise.reject(lost), keyUsed: () => {} } },
    'no address can be allocated': { store: { allocateAddress: () => Promise.reject(lost) } },
  };
  for (const [what, options] of Object.entries(beforeTheWrite)) {
    it(`a create request gets Temporary error when ${what}`, async (t) => {
      const own = await startOwn(t, options);
      const answer = await own.send(depositRequest());
      assert.deepEqual([answer.status, reasonOf(answer)], [200, 'Temporary error']);
      assert.equal(answer.headers.get('retry-after'), '1');
      assert.deepEqual(own.problems, [lost]);
      assert.deepEqual(own.internalErrors, []);
    });
  }

  it('a temporary error is 503 under strict_http_codes', async (t) => {
    const own = await startOwn(t, { store: { allocateAddress: () => Promise.reject(lost) } });
    own.addMerchant('M1', { settings: { strict_http_codes: 'on' } });
    const answer = await own.send(depositRequest());
    assert.deepEqual([answer.status, reasonOf(answer)], [503, 'Temporary error']);
  });

  it('a create request that triggers a bug gets 500, not Temporary error', async (t) => {
    const own = await startOwn(t, { store: { allocateAddress: async () => invariant(false, 'broken') as never } });
    assert.equal((await own.send(depositRequest())).status, 500);
    assert.equal(own.internalErrors.length, 1);
  });

  it('a rejected create request keeps its response when its address cannot be released', async (t) => {
    const own = await startOwn(t, { store: { releaseAddress: () => Promise.reject(lost) } });
    await own.send(depositRequest());
    assert.equal(reasonOf(await own.send(depositRequest())), 'Order already exists');
    assert.deepEqual(own.problems, [lost]);
  });
});
