/**
 * The host-to-host section of the API, line by line, against a complete gateway with its database and the STP simulator. Payer
 * behaviours are in payers.test.ts. The tests of the protocol code cover hostile clients.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { clabe as oracle } from 'clabe-validator';
import vectors from '../../../../openapi/vectors/signatures.json' with { type: 'json' };
import { CREATE, depositRequest, reasonOf } from '../../support/deposits/host-to-host-wire.ts';
import { type SpeiStage, startSpeiStage } from '../../support/deposits/spei-stage.ts';
import type { CreatedDeposit, TestMerchant } from '../../support/merchants/test-merchant.ts';
import { post, type RequestFields, type WireAnswer, xSignHeaders } from '../../support/payouts/payout-request.ts';
import { CLABE_PREFIX } from '../../support/rails/stp-under-control.ts';
import { assertGenuine } from '../../support/servers/callback-receiver.ts';
import { until } from '../../support/tools/until.ts';

let stage: SpeiStage;
let merchant: TestMerchant;

before(async () => {
  stage = await startSpeiStage({ STP_BENEFICIARY: 'Tienda Única, S.A.' });
  merchant = await stage.gateway.merchant();
});
after(() => stage.verifyAndStop());

/** Sends `body` with an X-Sign computed over `signed`. */
function send(body: string, signed = body, by = merchant): Promise<WireAnswer> {
  return post(stage.gateway.url + CREATE, body, xSignHeaders(by.id, by.key, signed));
}

async function depositCount(): Promise<number> {
  const { rows } = await stage.gateway.database.pool.query('select count(*)::int as deposits from deposits');
  return rows[0].deposits;
}

describe('a request for a CLABE', () => {
  it('the response to a request for a CLABE contains every documented field, in order', async () => {
    const answer = await merchant.requestDeposit('W1', { amount: '10.5' });
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
    const { transactionId, uuid, clabe } = answer.json as CreatedDeposit;
    assert.equal(
      answer.text,
      JSON.stringify({
        status: 'success',
        transactionId,
        merchantUuid: merchant.id,
        uuid,
        order: 'W1',
        description: 'Created',
        clabe,
        beneficiary: 'Tienda Única, S.A.',
      }),
    );
    assert(Number.isSafeInteger(transactionId) && transactionId > 0);
    assert.match(uuid, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    assert(oracle.validate(clabe).ok && clabe.startsWith(CLABE_PREFIX), clabe);
  });

  it('a deposit stays pending and does not cause a callback until it is paid', async () => {
    const { transactionId } = await merchant.deposit('W2');
    const [listed] = await merchant.list('MXN', { type: 'deposit', order: 'W2' });
    assert.deepEqual(
      [listed?.['id'], listed?.['order_id'], listed?.['status'], listed?.['amount'], listed?.['currency']],
      [transactionId, 'W2', 'pending', '100.00', 'MXN'],
    );
    assert.equal(stage.gateway.receiver.about(merchant.id, 'W2').length, 0);
  });

  it('a second request for an order is rejected, even with different content or after the payment', async () => {
    const { clabe } = await merchant.deposit('W3');
    assert.equal(reasonOf(await merchant.requestDeposit('W3')), 'Order already exists');
    assert.equal(reasonOf(await merchant.requestDeposit('W3', { amount: '7.00' })), 'Order already exists');
    await stage.stp.pay(clabe);
    await until('the deposit is paid', async () => (await stage.state(merchant, 'W3')) === 'success');
    assert.equal(reasonOf(await merchant.requestDeposit('W3')), 'Order already exists');
  });

  it('two merchants may use the same order id', async () => {
    const other = await stage.gateway.merchant();
    const [mine, theirs] = [await merchant.deposit('W4'), await other.deposit('W4')];
    assert.notEqual(mine.clabe, theirs.clabe);
    assert.deepEqual([mine.merchantUuid, theirs.merchantUuid], [merchant.id, other.id]);
  });
});

describe('X-Sign of a host-to-host request', () => {
  it('X-Sign matches the test vector of the decisions', async () => {
    const [vector] = vectors.x_sign;
    assert(vector);
    const { id, key } = await stage.gateway.merchant({ key: vector.key });
    assert.deepEqual(xSignHeaders(id, key, vector.body), { 'x-merchant': id, 'x-sign': vector.sign });
    const headers = { 'x-merchant': id, 'x-sign': vector.sign };
    const answer = await post(stage.gateway.url + CREATE, vector.body, headers);
    assert.equal(reasonOf(answer), 'Created');
    assert.equal((answer.json as CreatedDeposit).order, '1');
  });

  /** Bodies with the same meaning but different bytes. `order` is inserted as text. */
  const SPELLINGS: Readonly<Record<string, string>> = {
    'escaped and unescaped slashes':
      '{"note":"a/b\\/c","order":"ORDER","amount":"1","currency":"MXN","user_id":"u","first_name":"A","last_name":"B"}',
    'letters outside ASCII':
      '{"order":"ORDER","amount":"1","currency":"MXN","user_id":"u","first_name":"Ñandú","last_name":"Muñoz","note":"メモ €"}',
    'non-ASCII letters as escapes':
      '{"order":"ORDER","amount":"1","currency":"MXN","user_id":"u","first_name":"\\u00d1and\\u00fa","last_name":"B"}',
    're-ordered keys': '{"last_name":"B","first_name":"A","user_id":"u","currency":"MXN","amount":"1","order":"ORDER"}',
    'unusual white space':
      ' \n{\t"order" : "ORDER",\r\n"amount":"1" ,"currency":"MXN","user_id":"u","first_name":"A","last_name":"B" }\n\n',
  };
  Object.entries(SPELLINGS).forEach(([what, spelling], index) => {
    it(`X-Sign covers the bytes of the body, not their meaning: ${what}`, async () => {
      const body = spelling.replace('ORDER', `S${index}`);
      const compact = JSON.stringify(JSON.parse(body));
      const serialisedAgain = compact === body ? JSON.stringify(JSON.parse(body), null, 1) : compact;
      const before = await depositCount();
      assert.equal(reasonOf(await send(body, serialisedAgain)), 'Sign error');
      assert.equal(reasonOf(await send(serialisedAgain, body)), 'Sign error');
      assert.equal(await depositCount(), before);
      assert.equal(reasonOf(await send(body)), 'Created');
    });
  });

  it('both keys sign host-to-host requests during a rotation’s overlap, and the old key is rejected without overlap', async () => {
    const rotated = await stage.gateway.merchant();
    const { operations } = stage.gateway;
    const rotation = await operations.merchants.rotateKey(rotated.id, {});
    assert(rotation.ok);
    const fresh = rotated.withKey(rotation.value.key.reveal());
    const noticed = (by: TestMerchant, reason: string) =>
      until(`${reason} after the rotation`, async () => reasonOf(await by.requestDeposit(`R${++asked}`)) === reason);
    let asked = 0;
    await noticed(fresh, 'Created');
    await rotated.deposit('R0');
    const urgent = await operations.merchants.rotateKey(rotated.id, { overlapHours: 0 });
    assert(urgent.ok);
    await noticed(rotated, 'Sign error');
  });
});

describe('host-to-host requests that fail', () => {
  interface Failure {
    readonly change?: RequestFields;
    readonly settings?: Readonly<Record<string, string>>;
    readonly headers?: Readonly<Record<string, string>>;
    readonly strictStatus: number;
  }
  const FAILURES: Readonly<Record<string, Failure>> = {
    'Sign error': { headers: { 'x-sign': 'wrong' }, strictStatus: 401 },
    'Merchant not found': { headers: { 'x-merchant': 'nobody' }, strictStatus: 200 },
    'Invalid X-Merchant': { headers: { 'x-merchant': '' }, strictStatus: 200 },
    ...Object.fromEntries(
      ['order', 'amount', 'currency', 'user_id', 'first_name', 'last_name'].map((field) => [
        `Invalid ${field}`,
        { change: { [field]: undefined }, strictStatus: 422 },
      ]),
    ),
    'Currency not supported': { change: { currency: 'USD' }, strictStatus: 422 },
    'Amount out of limits': {
      change: { amount: '9.99' },
      settings: { 'min_amount.spei.MXN': '10.00' },
      strictStatus: 422,
    },
    'Method unavailable': { settings: { disabled_payment_types: 'spei' }, strictStatus: 422 },
  };

  for (const [description, failure] of Object.entries(FAILURES)) {
    for (const strict of ['off', 'on'] as const) {
      const status = strict === 'on' ? failure.strictStatus : 200;
      it(`a host-to-host request fails with ${description} and HTTP ${status} when strict_http_codes is ${strict}`, async () => {
        const by = await stage.gateway.merchant({ settings: { strict_http_codes: strict, ...failure.settings } });
        const body = JSON.stringify(depositRequest({ order: 'F1', ...failure.change }));
        const before = await depositCount();
        const headers = { ...xSignHeaders(by.id, by.key, body), ...failure.headers };
        const answer = await post(stage.gateway.url + CREATE, body, headers);
        assert.deepEqual([reasonOf(answer), answer.status], [description, status]);
        assert.equal(await depositCount(), before);
      });
    }
  }

  it('a host-to-host request over the merchant’s rate limit gets Too many requests with Retry-After', async () => {
    const by = await stage.gateway.merchant({ settings: { host2host_rate_limit: '1' } });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => by.requestDeposit(`T${index}`)));
    const refused = answers.filter(({ status }) => status === 429);
    assert(refused.length >= 15, `${refused.length} of 20 requests were rejected`);
    for (const answer of refused) {
      assert.equal(reasonOf(answer), 'Too many requests');
      assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
    }
  });

  it('a suspended merchant’s request is rejected, while its open deposit is still paid and called back', async () => {
    const by = await stage.gateway.merchant();
    const { clabe } = await by.deposit('D1');
    const suspended = await stage.gateway.operations.merchants.suspend(by.id);
    assert(suspended.ok);
    let asked = 1;
    await until('the suspension is noticed', async () => {
      return reasonOf(await by.requestDeposit(`D${++asked}`)) === 'Merchant disabled';
    });
    await stage.stp.pay(clabe);
    const callback = await callbackOf(by, 'D1');
    assert.equal(callback.fields['co_inv_st'], 'success');
    assert.equal((await by.balance('MXN'))['balance'], '100.00');
  });
});

async function callbackOf(by: TestMerchant, order: string) {
  const callback = await until(`the callback of ${order}`, () => stage.gateway.receiver.about(by.id, order)[0]);
  assertGenuine(callback, by.key);
  return callback;
}

describe('the callback of a deposit', () => {
  const FORMS: readonly Readonly<Record<string, string>>[] = [
    {},
    { callback_format: 'json' },
    { callback_method: 'get' },
  ];
  for (const form of FORMS) {
    const name = Object.entries(form).map(([setting, value]) => `${setting} = ${value}`)[0] ?? 'no setting';
    it(`the callback of a deposit contains exactly the documented fields and valid signatures: ${name}`, async () => {
      const by = await stage.gateway.merchant({ settings: { ...form, 'fee_percent.spei.MXN': '1.50' } });
      const { transactionId, clabe } = await by.deposit('C1');
      await stage.stp.pay(clabe);
      const { headers, fields } = await callbackOf(by, 'C1');
      const { co_inv_crt: createdAt = '', co_inv_prc: endedAt = '', co_sign: _proved, ...rest } = fields;
      assert.deepEqual(rest, {
        co_inv_id: String(transactionId),
        co_inv_st: 'success',
        co_order_no: 'C1',
        co_merchant_id: by.id,
        co_merchant_uuid: by.id,
        co_amount: '100.00',
        co_cur: 'MXN',
        co_base_amount: '100.00',
        co_base_currency: 'MXN',
        co_to_wlt: '98.50',
      });
      for (const time of [createdAt, endedAt]) assert.match(time, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      assert(createdAt <= endedAt);
      assert.match(String(headers['webhook-id']), new RegExp(`^deposit_${transactionId}_`));
    });
  }

  it('the gateway repeats a callback until the merchant acknowledges it, with the same id and body', async () => {
    const by = await stage.gateway.merchant();
    let callbacks = 0;
    stage.gateway.receiver.answer(by.id, (response) => response.end(++callbacks === 1 ? 'Not yet' : 'OK'));
    const { clabe } = await by.deposit('C2');
    await stage.stp.pay(clabe);
    await callbackOf(by, 'C2');
    const { operations, receiver, database } = stage.gateway;
    const callbackId = String(receiver.about(by.id, 'C2')[0]?.headers['webhook-id']);
    await until('the first attempt is recorded', async () => {
      const { rows } = await database.pool.query('select from callback_attempts where callback_id = $1', [callbackId]);
      return rows.length === 1;
    });
    // A minute before the next retry is due.
    await operations.callbacks.resend({ merchantId: by.id, callbackId });
    const [first, second] = await until('the second delivery', () => {
      const arrivals = receiver.about(by.id, 'C2');
      return arrivals.length === 2 && arrivals;
    });
    assert(first && second);
    assertGenuine(second, by.key);
    assert.deepEqual([second.body, second.headers['webhook-id']], [first.body, first.headers['webhook-id']]);
  });
});
