/** A merchant's queries (status, balance, list) and their responses. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { credit, type RunningGateway, startGateway } from '../../support/gateway/running-gateway.ts';
import { errorReply, type TestMerchant } from '../../support/merchants/test-merchant.ts';
import { fullySigned, post, type RequestFields, signOver } from '../../support/payouts/payout-request.ts';

let gateway: RunningGateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.verifyAndStop());

describe('the status query', () => {
  let merchant: TestMerchant;
  before(async () => {
    merchant = await gateway.merchant();
  });

  it('the status of a payout is pending until it is final', async () => {
    await merchant.pay(1, 'later', { amount: '10.40' });
    const pending = { status: 'Pending', code: '40', payout_id: 'later', description: 'Queued' };
    assert.deepEqual(await merchant.status('later'), pending);
    const done = { status: 'Success', code: '0', payout_id: 'later', description: 'Completed' };
    assert.deepEqual(await merchant.final('later'), done);
  });

  it('the status of an unknown payout_id or of another merchant’s payout is "Payout not found"', async () => {
    const other = await gateway.merchant();
    await other.pay(70, 'theirs');
    assert.deepEqual(await merchant.status('nobody'), errorReply('Payout not found'));
    assert.deepEqual(await merchant.status('theirs'), errorReply('Payout not found'));
  });

  it('the status query rejects an unknown field, signed or not', async () => {
    const body = { ...fullySigned({ merchant: merchant.id, payout_id: 'later' }, merchant.key), extra: 'x' };
    assert.deepEqual(await merchant.ask('/merchant/api/payout_status', body), errorReply('Invalid extra'));
    const signed = fullySigned({ merchant: merchant.id, payout_id: 'later', extra: 'x' }, merchant.key);
    assert.deepEqual(await merchant.ask('/merchant/api/payout_status', signed), errorReply('Invalid extra'));
  });
});

describe('the balance query', () => {
  it('the balance query shows available and reserved money, in a signed response', async () => {
    const merchant = await gateway.merchant({ funds: { UAH: '100.00' }, settings: { 'fee_fixed.1.UAH': '0.35' } });
    await merchant.pay(1, 'pending', { amount: '10.42' });
    const pending = { status: 'Success', currency: 'UAH', balance: '89.23', reserved: '10.77' };
    assert.deepEqual(await merchant.balance('UAH'), pending);
    await merchant.final('pending');
    assert.deepEqual(await merchant.balance('UAH'), { ...pending, reserved: '0.00' });
  });

  it('the balance is zero in a currency without money, and the query is rejected for an unknown currency', async () => {
    const merchant = await gateway.merchant({ funds: { UAH: '1.00' } });
    const nothing = { status: 'Success', currency: 'USD', balance: '0.00', reserved: '0.00' };
    assert.deepEqual(await merchant.balance('USD'), nothing);
    assert.deepEqual(await merchant.balance('GBP'), errorReply('Currency not supported'));
    assert.deepEqual(await merchant.balance('eur'), errorReply('Invalid currency'));
  });
});

describe('the list query', () => {
  let merchant: TestMerchant;
  before(async () => {
    merchant = await gateway.merchant();
    for (let index = 1; index <= 5; index++) await merchant.pay(1, `e${index}`, { amount: `${index}.00` });
    await merchant.pay(1, 'declined', { amount: '10.51' });
    await merchant.pay(1, 'waiting', { amount: '10.45' });
    await merchant.pay(70, 'sandbox');
    for (const id of ['e1', 'e2', 'e3', 'e4', 'e5', 'declined', 'sandbox']) await merchant.final(id);
  });
  const idsOf = async (change: RequestFields = {}, currency = 'UAH') =>
    (await merchant.list(currency, change)).map(({ order_id }) => order_id);
  /** Pages omit payouts of the last half minute. Make the payouts older instead of waiting. */
  /** Takes a lock first, because the worker's transactions update the same rows in a different order. */
  const letAge = () =>
    gateway.database.pool.query(
      `begin; lock table payouts in exclusive mode;
       update payouts set accepted_at = accepted_at - interval '1 minute'; commit`,
    );
  const signedRequest = (change: RequestFields = {}) => {
    const fields = { merchant: merchant.id, currency: 'UAH', order: '0', start_date: '2000-01-01', status: 'all' };
    return fullySigned({ ...fields, finish_date: '2100-01-01', type: 'withdrawal', ...change }, merchant.key);
  };
  const refusalOf = (change: RequestFields) => merchant.ask('/api/payment-list', signedRequest(change));

  it('payment-list lists the payouts of one currency, each with the seven documented fields', async () => {
    const rows = await merchant.list('UAH');
    assert.deepEqual(
      rows.map(({ order_id, status }) => `${order_id} ${status}`),
      ['e1 success', 'e2 success', 'e3 success', 'e4 success', 'e5 success', 'declined blocked', 'waiting pending'],
    );
    const [first = {}] = rows;
    const last = rows.at(-1) ?? {};
    assert.deepEqual(Object.keys(first), [
      'id',
      'order_id',
      'status',
      'amount',
      'currency',
      'created_at',
      'finished_at',
    ]);
    assert.match(String(first['created_at']), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    assert.match(String(first['finished_at']), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    assert.equal(last['finished_at'], '');
    assert.deepEqual([first['amount'], first['currency'], typeof first['id']], ['1.00', 'UAH', 'number']);
  });

  it('payment-list is filtered by status, order, type and currency', async () => {
    assert.deepEqual(await idsOf({ status: 'pending' }), ['waiting']);
    assert.deepEqual(await idsOf({ status: 'blocked' }), ['declined']);
    assert.deepEqual(await idsOf({ status: 'fail' }), []);
    assert.deepEqual(await idsOf({ order: 'e3' }), ['e3']);
    assert.deepEqual(await idsOf({ order: 'none' }), []);
    assert.deepEqual(await idsOf({ type: 'deposit' }), []);
    assert.deepEqual(await idsOf({}, 'TST'), ['sandbox']);
    assert.deepEqual(await idsOf({}, 'KZT'), []);
  });

  it('payment-list is paged by the id of the last row', async () => {
    await letAge();
    const [first, second] = await merchant.list('UAH', { limit: '2' });
    assert.deepEqual([first?.['order_id'], second?.['order_id']], ['e1', 'e2']);
    assert.deepEqual(await idsOf({ limit: '2', after: String(second?.['id']) }), ['e3', 'e4']);
    assert.deepEqual(await idsOf({ after: '9007199254740991' }), []);
  });

  it('the list includes its start time and excludes its finish time', async () => {
    await gateway.database.pool.query(
      `update payouts set accepted_at = '2026-01-01T10:00:00Z' where merchant_id = $1 and payout_id = 'e1'`,
      [merchant.id],
    );
    const at = (start_date: string, finish_date: string) => idsOf({ start_date, finish_date });
    assert.deepEqual(await at('2026-01-01 10:00:00', '2026-01-01 10:00:01'), ['e1']);
    assert.deepEqual(await at('2026-01-01 09:59:59', '2026-01-01 10:00:00'), []);
    assert.deepEqual(await at('2026-01-01', '2026-01-02'), ['e1']);
    assert.deepEqual(await at('2026-01-01', '2026-01-01'), []);
    assert.deepEqual(await at('2026-01-02', '2026-01-03'), []);
  });

  it('the list query is rejected with the name of the invalid field', async () => {
    const wrong: readonly (readonly [string, unknown])[] = [
      ['order', ''],
      ['order', 'a b'],
      ['order', undefined],
      ['start_date', '2026-02-30'],
      ['start_date', '01-01-2026'],
      ['finish_date', '2026-01-01T00:00:00'],
      ['finish_date', undefined],
      ['status', 'Success'],
      ['status', undefined],
      ['type', 'payout'],
      ['after', '-1'],
      ['after', '1.5'],
      ['limit', '0'],
      ['limit', '1001'],
      ['limit', 'all'],
      ['currency', 'E'],
    ];
    for (const [field, value] of wrong) {
      assert.deepEqual(await refusalOf({ [field]: value }), errorReply(`Invalid ${field}`), `${field}=${value}`);
    }
    assert.deepEqual(
      await refusalOf({ start_date: '2026-01-02', finish_date: '2026-01-01' }),
      errorReply('Invalid finish_date'),
    );
    assert.deepEqual(await refusalOf({ currency: 'XXX' }), errorReply('Currency not supported'));
  });

  it('the pages of a list of more than a thousand payouts omit no payout', async () => {
    const many = await gateway.merchant();
    for (let batch = 0; batch < 11; batch++) {
      await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          post(`${gateway.url}/merchant/api/payout_send`, many.request(1, `p${batch}-${index}`)),
        ),
      );
    }
    await letAge();
    const seen = new Set<unknown>();
    let after = '0';
    for (;;) {
      const page = await many.list('UAH', { after });
      for (const row of page) seen.add(row['order_id']);
      if (page.length < 1_000) break;
      after = String(page.at(-1)?.['id']);
    }
    assert.equal(seen.size, 1_100);
  });

  it('the response to a failed list query uses the payout envelope, signed with the empty key', async () => {
    const { sign: _, ...request } = signedRequest();
    const answer = await post(`${gateway.url}/api/payment-list`, request);
    const { sign, ...fields } = answer.json as Record<string, string>;
    assert.deepEqual(fields, errorReply('Sign error'));
    assert.equal(sign, signOver(fields, 'all', ''));
  });
});

describe('the operator’s credits', () => {
  it('a credit is available immediately and is applied once per reference', async () => {
    const merchant = await gateway.merchant({ funds: {} });
    assert.deepEqual(await merchant.pay(1, 'poor'), errorReply('Insufficient funds'));
    await credit(gateway.operations, merchant.id, 'UAH', '10.00', 'wire-1');
    await credit(gateway.operations, merchant.id, 'UAH', '10.00', 'wire-1');
    assert.equal((await merchant.balance('UAH'))['balance'], '10.00');
    assert.equal((await merchant.pay(1, 'poor'))['status'], 'Pending');
  });
});
