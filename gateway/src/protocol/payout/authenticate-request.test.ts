/** API keys, X-Sign, allow-list, rate limits and slowed guesses of the payout family, over HTTP. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { WIRE_KEY, WIRE_START } from '../../../test/support/merchants/wire-merchants.ts';
import {
  fullySigned,
  payoutRequest,
  post,
  type RequestFields,
  signOver,
  xSignHeaders,
} from '../../../test/support/payouts/payout-request.ts';
import { type PayoutWire, startPayoutWire, type WireOptions } from '../../../test/support/payouts/payout-wire.ts';
import { DEFAULT_RATES } from '../authentication/rate-limit.ts';

const SEND = '/merchant/api/payout_send';
const BALANCE = '/payment/balance';

async function start(t: TestContext, options?: WireOptions): Promise<PayoutWire> {
  const wire = await startPayoutWire(options);
  t.after(() => wire.stop());
  return wire;
}

let counter = 0;
const build = (key = WIRE_KEY, merchant = 'M1') =>
  payoutRequest({ merchant, key, method: 9, payoutId: `K${counter++}` });

async function describe200(
  wire: PayoutWire,
  body: RequestFields | string,
  headers: Record<string, string> = {},
  path = SEND,
) {
  const answer = await post(wire.url + path, body, headers);
  return (answer.json as Record<string, string>)['description'];
}

describe('merchant API keys', () => {
  it('a response is signed with the key of its request during a rotation', async (t) => {
    const wire = await start(t);
    wire.addMerchant('M1', { keys: ['new-key', { key: 'old-key', retiresAt: WIRE_START + 1_000 }] });
    for (const [key, keyId] of [
      ['new-key', 'key-0'],
      ['old-key', 'key-1'],
    ] as const) {
      const { sign, ...reply } = (await post(wire.url + SEND, build(key))).json as Record<string, string>;
      assert.equal(reply['status'], 'Pending');
      assert.equal(sign, signOver(reply, 'all', key));
      assert.equal(wire.keysUsed.at(-1), `M1 ${keyId}`);
    }
    wire.clock.advance(1_000);
    assert.equal(await describe200(wire, build('old-key')), 'Sign error');
    assert.equal(wire.keysUsed.length, 2);
  });

  it('a merchant’s request with another merchant’s key gets Sign error', async (t) => {
    const wire = await start(t);
    wire.addMerchant('M2', { keys: ['another key'] });
    assert.equal(await describe200(wire, build('another key')), 'Sign error');
    assert.equal(await describe200(wire, build(WIRE_KEY, 'M2')), 'Sign error');
  });

  it('a request signed with an empty key gets Sign error, even if the merchant’s key is empty', async (t) => {
    const wire = await start(t);
    assert.equal(await describe200(wire, build('')), 'Sign error');
    wire.addMerchant('M0', { keys: [''] });
    assert.equal(await describe200(wire, build('', 'M0')), 'Sign error');
    wire.addMerchant('M9', { keys: [] });
    assert.equal(await describe200(wire, build(WIRE_KEY, 'M9')), 'Sign error');
  });

  it('a request with an altered signature gets Sign error', async (t) => {
    const wire = await start(t);
    const request = build();
    const sign = String(request['sign']);
    const swapped = sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase();
    const hex = Buffer.from(sign, 'base64').toString('hex');
    for (const wrong of [swapped, sign.slice(0, -1), sign.slice(0, -2), `${sign}=`, ` ${sign}`, hex, btoa(hex)]) {
      assert.equal(await describe200(wire, { ...request, sign: wrong }), 'Sign error', wrong);
    }
  });
});

describe('X-Sign on the payout family', () => {
  const text = () => JSON.stringify(build());

  it('a payout request without X-Sign is accepted by default, but an invalid X-Sign gets Sign error', async (t) => {
    const wire = await start(t);
    const body = text();
    assert.equal(await describe200(wire, body, { 'x-sign': 'wrong', 'x-merchant': 'M1' }), 'Sign error');
    assert.equal(await describe200(wire, body, xSignHeaders('M1', 'another key', body)), 'Sign error');
    assert.equal(await describe200(wire, `${body} `, xSignHeaders('M1', WIRE_KEY, body)), 'Sign error');
    assert.equal(await describe200(wire, body, xSignHeaders('M1', WIRE_KEY, body)), 'Queued');
  });

  it('a payout request whose X-Merchant differs from the body’s merchant gets Sign error', async (t) => {
    const wire = await start(t);
    wire.addMerchant('M2', { keys: ['another key'] });
    const body = text();
    const { 'x-sign': xSign = '' } = xSignHeaders('M1', WIRE_KEY, body);
    assert.equal(await describe200(wire, body, { 'x-sign': xSign }), 'Sign error');
    assert.equal(await describe200(wire, body, { 'x-sign': xSign, 'x-merchant': 'M2' }), 'Sign error');
    assert.equal(await describe200(wire, body, { 'x-merchant': 'M2' }), 'Sign error');
    assert.equal(await describe200(wire, body, { 'x-merchant': 'M1' }), 'Queued');
  });

  it('required X-Sign protects every payout endpoint, including fields outside the MD5 sign', async (t) => {
    const wire = await start(t);
    wire.addMerchant('M1', { settings: { payout_x_sign: 'required' } });
    const body = text();
    assert.equal(await describe200(wire, body), 'Sign error');
    const changed = body.replace('{', '{"full_name":"Somebody Else",');
    assert.equal(await describe200(wire, changed, xSignHeaders('M1', WIRE_KEY, body)), 'Sign error');
    assert.equal(await describe200(wire, body, xSignHeaders('M1', WIRE_KEY, body)), 'Queued');

    const balance = JSON.stringify(fullySigned({ merchant: 'M1', currency: 'USD' }, WIRE_KEY));
    assert.equal(await describe200(wire, balance, {}, BALANCE), 'Sign error');
    const answer = await post(wire.url + BALANCE, balance, xSignHeaders('M1', WIRE_KEY, balance));
    assert.equal((answer.json as Record<string, string>)['status'], 'Success');
  });

  it('a payout request whose X-Sign uses a key other than its sign gets Sign error', async (t) => {
    const wire = await start(t);
    wire.addMerchant('M1', { keys: ['new-key', 'old-key'] });
    const body = JSON.stringify(build('old-key'));
    assert.equal(await describe200(wire, body, xSignHeaders('M1', 'new-key', body)), 'Sign error');
    assert.equal(await describe200(wire, body, xSignHeaders('M1', 'old-key', body)), 'Queued');
  });
});

describe('the address allow-list', () => {
  it('the allow-list admits its networks, and uses X-Forwarded-For only from a trusted proxy', async (t) => {
    const wire = await start(t, { http: { trustedProxies: ['127.0.0.1'] } });
    wire.addMerchant('M1', { settings: { ip_allow_list: '203.0.113.0/24,2001:db8::/32,198.51.100.7' } });
    const from = (address: string) => describe200(wire, build(), { 'x-forwarded-for': address });
    for (const good of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::5', '198.51.100.7'])
      assert.equal(await from(good), 'Queued', good);
    for (const bad of ['203.0.114.1', '2001:db9::1', '198.51.100.8', '10.1, 10.2', 'garbage']) {
      assert.equal(await from(bad), 'Address not allowed', bad);
    }
    const untrusting = await start(t);
    untrusting.addMerchant('M1', { settings: { ip_allow_list: '203.0.113.0/24' } });
    assert.equal(await describe200(untrusting, build(), { 'x-forwarded-for': '203.0.113.9' }), 'Address not allowed');
    untrusting.addMerchant('M1', { settings: { ip_allow_list: '127.0.0.1' } });
    assert.equal(await describe200(untrusting, build()), 'Queued');
  });
});

describe('payout rate limits', () => {
  it('rate limits apply per merchant and endpoint family', async (t) => {
    const wire = await start(t, { defaultRates: { payout_rate_limit: 2, status_rate_limit: 1 } });
    wire.addMerchant('M2');
    const statuses = async (count: number, merchant = 'M1') => {
      const answers = [];
      for (let at = 0; at < count; at += 1) answers.push(await post(wire.url + SEND, build(WIRE_KEY, merchant)));
      return answers.map(({ status, headers }) => [status, headers.get('retry-after')]);
    };
    assert.deepEqual(await statuses(3), [
      [200, null],
      [200, null],
      [429, '1'],
    ]);
    assert.deepEqual(await statuses(1, 'M2'), [[200, null]]);
    const balance = await post(wire.url + BALANCE, fullySigned({ merchant: 'M1', currency: 'USD' }, WIRE_KEY));
    assert.equal(balance.status, 200);
    wire.clock.advance(500);
    assert.deepEqual(await statuses(2), [
      [200, null],
      [429, '1'],
    ]);
    wire.addMerchant('M1', { settings: { payout_rate_limit: '0' } });
    assert.deepEqual(
      (await statuses(5)).map(([status]) => status),
      [200, 200, 200, 200, 200],
    );
  });

  it('default rate limits are 50 and 20 a second in production, and none in development', () => {
    const none = { payout_rate_limit: 0, status_rate_limit: 0, host2host_rate_limit: 0 };
    assert.deepEqual(DEFAULT_RATES.development, none);
    const limits = { payout_rate_limit: 50, status_rate_limit: 20, host2host_rate_limit: 50 };
    assert.deepEqual(DEFAULT_RATES.production, limits);
  });
});

describe('repeated wrong signatures', () => {
  it('invalid signatures get increasingly late responses, while valid signatures from the same address are not delayed', async (t) => {
    const wire = await start(t, { holdDelays: true });
    const wrong = () => post(wire.url + SEND, { ...build(), sign: 'wrong' });
    for (let at = 0; at < 10; at += 1) assert.equal((await wrong()).status, 200);
    let answered = false;
    const late = wrong().then((answer) => {
      answered = true;
      return answer;
    });
    // The clock has not moved, so the response to the correct signature proves that it did not wait.
    wire.addMerchant('M2');
    assert.equal(await describe200(wire, build(WIRE_KEY, 'M2')), 'Queued');
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(answered, false);
    assert.equal(await describe200(wire, build()), 'Queued');
    wire.clock.advance(100);
    assert.equal((await late).status, 200);
    assert.equal((await wrong()).status, 200, 'a right signature has ended the count');
  });
});
