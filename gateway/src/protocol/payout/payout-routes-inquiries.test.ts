/** The status, balance and list requests over HTTP. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { testDeposit } from '../../../test/support/deposits/test-deposit.ts';
import { assertSignedBytes } from '../../../test/support/merchants/test-merchant.ts';
import { WIRE_KEY, WIRE_START } from '../../../test/support/merchants/wire-merchants.ts';
import {
  fullySigned,
  payoutRequest,
  post,
  type RequestFields,
  signOver,
  type WireAnswer,
} from '../../../test/support/payouts/payout-request.ts';
import { type PayoutWire, startPayoutWire } from '../../../test/support/payouts/payout-wire.ts';
import type { Payout } from '../../domain/payouts/payout.ts';

let wire: PayoutWire;
before(async () => {
  wire = await startPayoutWire();
  for (const payoutId of ['A1', 'A2', 'A3']) {
    await post(
      `${wire.url}/merchant/api/payout_send`,
      payoutRequest({ merchant: 'M1', key: WIRE_KEY, method: 9, payoutId, change: { amount: '7.5' } }),
    );
  }
  finish('A2', { state: 'success', blockedReason: null });
  finish('A3', { state: 'blocked', blockedReason: 'invalid_beneficiary' });
});
after(() => wire.stop());

function finish(payoutId: string, end: Pick<Payout, 'state' | 'blockedReason'>) {
  const payout = wire.payouts.get(`M1 ${payoutId}`);
  assert.ok(payout);
  wire.payouts.set(`M1 ${payoutId}`, { ...payout, ...end, finishedAt: WIRE_START + 90_000 });
}

const ask = (path: string, fields: RequestFields): Promise<WireAnswer> =>
  post(wire.url + path, fullySigned({ merchant: 'M1', ...fields }, WIRE_KEY));
const descriptionOf = (answer: WireAnswer) => (answer.json as Record<string, string>)['description'];

describe('the inquiry endpoints', () => {
  const asked: Readonly<Record<string, RequestFields>> = {
    '/merchant/api/payout_status': { payout_id: 'A1' },
    '/payment/balance': { currency: 'USD' },
    '/api/payment-list': {
      currency: 'EUR',
      order: '0',
      status: 'all',
      type: 'withdrawal',
      start_date: '2026-11-01',
      finish_date: '2026-12-01',
    },
  };

  for (const [path, fields] of Object.entries(asked)) {
    it(`${path} rejects an unknown field by its name, whether or not it is signed`, async () => {
      for (const [name, value] of Object.entries({ amount: '1.00', extra: '', more: 5, method: '34' }))
        assert.equal(descriptionOf(await ask(path, { ...fields, [name]: value })), `Invalid ${name}`);
      const signed = fullySigned({ merchant: 'M1', ...fields }, WIRE_KEY);
      assert.equal(descriptionOf(await post(wire.url + path, { ...signed, extra: 'x' })), 'Invalid extra');
      assert.equal(
        descriptionOf(await post(wire.url + path, { ...signed, extra: null })),
        descriptionOf(await ask(path, fields)),
      );
    });

    it(`${path} rejects a colon in a field whose format needs none`, async () => {
      const { merchant: _, ...covered } = { merchant: 'M1', ...fields };
      for (const name of Object.keys(covered))
        assert.equal(descriptionOf(await ask(path, { ...fields, [name]: 'a:b' })), `Invalid ${name}`);
    });
  }
});

describe('payout_status', () => {
  const status = (fields: RequestFields) => ask('/merchant/api/payout_status', fields);

  it('payout_status reports each state in the five signed fields of the send response', async () => {
    const expected = [
      { status: 'Pending', code: '40', payout_id: 'A1', description: 'Queued' },
      { status: 'Success', code: '0', payout_id: 'A2', description: 'Completed' },
      { status: 'Blocked', code: '52', payout_id: 'A3', description: 'Wrong recipient' },
    ];
    for (const reply of expected) {
      const answer = await status({ payout_id: reply.payout_id });
      assert.deepEqual(answer.json, { ...reply, sign: signOver(reply, 'all', WIRE_KEY) });
    }
  });

  it('payout_status finds only the merchant’s own payouts', async () => {
    assert.equal(descriptionOf(await status({ payout_id: 'A9' })), 'Payout not found');
    wire.addMerchant('M2', { keys: ['another'] });
    const foreign = await post(
      `${wire.url}/merchant/api/payout_status`,
      fullySigned({ merchant: 'M2', payout_id: 'A1' }, 'another'),
    );
    assert.equal(descriptionOf(foreign), 'Payout not found');
  });

  it('payout_status still serves a suspended merchant', async () => {
    wire.addMerchant('M3', { state: 'suspended' });
    const answer = await post(
      `${wire.url}/merchant/api/payout_status`,
      fullySigned({ merchant: 'M3', payout_id: 'A1' }, WIRE_KEY),
    );
    assert.equal(descriptionOf(answer), 'Payout not found');
  });

  it('payout_status rejects an invalid payout id', async () => {
    for (const payoutId of [undefined, null, '', '0', 'a b']) {
      assert.equal(descriptionOf(await status({ payout_id: payoutId })), 'Invalid payout_id', String(payoutId));
    }
  });
});

describe('balance', () => {
  const balance = (fields: RequestFields) => ask('/payment/balance', fields);

  it('balance reports available and reserved money with two decimals, signed over all fields', async () => {
    const reply = { status: 'Success', currency: 'USD', balance: '1234.56', reserved: '0.05' };
    assert.deepEqual((await balance({ currency: 'USD' })).json, { ...reply, sign: signOver(reply, 'all', WIRE_KEY) });
    const empty = { status: 'Success', currency: 'EUR', balance: '0.00', reserved: '0.00' };
    assert.deepEqual((await balance({ currency: 'EUR' })).json, { ...empty, sign: signOver(empty, 'all', WIRE_KEY) });
  });

  it('balance rejects a missing, malformed or unknown currency', async () => {
    for (const currency of [undefined, null, '', 'usd', 'US'])
      assert.equal(descriptionOf(await balance({ currency })), 'Invalid currency');
    for (const currency of ['XXX', 'GBP'])
      assert.equal(descriptionOf(await balance({ currency })), 'Currency not supported');
  });
});

describe('payment-list', () => {
  const WHOLE: RequestFields = {
    currency: 'EUR',
    order: '0',
    start_date: '2026-11-01',
    finish_date: '2026-12-01',
    status: 'all',
    type: 'withdrawal',
  };
  const list = (change: RequestFields = {}) => ask('/api/payment-list', { ...WHOLE, ...change });
  beforeEach(() => {
    wire.listQueries.length = 0;
  });

  it('payment-list returns rows with transaction ids, UTC times and an empty finished_at while pending', async () => {
    const row = { amount: '7.50', currency: 'EUR', created_at: '2026-11-20 12:00:00' };
    const finished_at = '2026-11-20 12:01:30';
    assert.deepEqual((await list()).json, [
      { id: 1001, order_id: 'A1', status: 'pending', ...row, finished_at: '' },
      { id: 1002, order_id: 'A2', status: 'success', ...row, finished_at },
      { id: 1003, order_id: 'A3', status: 'blocked', ...row, finished_at },
    ]);
  });

  it('payment-list signs a list with X-Sign under the request’s key, but does not sign a rejection with it', async (t) => {
    t.after(() => wire.addMerchant('M1'));
    wire.addMerchant('M1', { keys: ['new-key', 'old-key'] });
    for (const key of ['new-key', 'old-key'])
      for (const change of [{}, { order: 'none' }, { status: 'fail' }]) {
        const request = fullySigned({ merchant: 'M1', ...WHOLE, ...change }, key);
        assertSignedBytes(await post(`${wire.url}/api/payment-list`, request), key);
      }
    assert.equal((await list()).headers.get('x-sign'), null);
  });

  it('payment-list passes every filter of the request to storage', async () => {
    await list();
    const whole = { merchantId: 'M1', currency: 'EUR', payoutId: null, state: 'all', after: null, limit: 1000 };
    assert.deepEqual(wire.listQueries.at(-1), { ...whole, from: Date.UTC(2026, 10, 1), to: Date.UTC(2026, 11, 1) });
    await list({
      order: 'A2',
      start_date: '2026-11-20 12:00:00',
      finish_date: '2026-11-20 23:59:59',
      status: 'success',
    });
    assert.deepEqual(wire.listQueries.at(-1), {
      ...whole,
      payoutId: 'A2',
      from: WIRE_START,
      to: Date.UTC(2026, 10, 20, 23, 59, 59),
      state: 'success',
    });
  });

  it('payment-list ends a page 30 seconds before the present', async () => {
    const past = { finish_date: '2026-11-10', limit: '2' };
    const pages = { after: { after: '1001' }, limit: { limit: '2' }, both: { after: '1001', limit: '2' } };
    for (const [name, change] of Object.entries(pages)) {
      await list(change);
      assert.equal(wire.listQueries.at(-1)?.to, WIRE_START - 30_000, name);
    }
    assert.deepEqual(
      wire.listQueries.slice(-3).map(({ after, limit }) => [after, limit]),
      [
        [1001, 1000],
        [null, 2],
        [1001, 2],
      ],
    );
    await list(past);
    assert.equal(wire.listQueries.at(-1)?.to, Date.UTC(2026, 10, 10));
    wire.listQueries.length = 0;
    assert.deepEqual((await list({ start_date: '2026-11-20 11:59:45', limit: '2' })).json, []);
    assert.equal(wire.listQueries.length, 0);
  });

  it('payment-list is empty for failed withdrawals, blocked deposits and an empty period', async () => {
    const none = { finish_date: '2026-11-01' };
    for (const change of [
      { status: 'fail' },
      { type: 'deposit', status: 'blocked' },
      none,
      { type: 'deposit', ...none },
    ]) {
      const answer = await list(change);
      assert.deepEqual([answer.status, answer.json], [200, []]);
    }
    assert.equal(wire.listQueries.length + wire.depositListQueries.length, 0);
  });

  it('payment-list shows deposits by order, with the invoiced amount', async (t) => {
    t.after(() => wire.deposits.splice(0));
    const finishedAt = WIRE_START + 90_000;
    wire.deposits.push(
      testDeposit({ transactionId: 2001, orderId: 'N1' }),
      testDeposit({ transactionId: 2002, orderId: 'N2', state: 'success', received: 9_000n, fee: 100n, finishedAt }),
      testDeposit({ transactionId: 2003, orderId: 'N3', state: 'fail', failReason: 'expired', finishedAt }),
      testDeposit({ transactionId: 2004, orderId: 'N4', state: 'created' }),
    );
    const row = { amount: '100.00', currency: 'MXN', created_at: '2026-11-20 12:00:00' };
    const finished_at = '2026-11-20 12:01:30';
    assert.deepEqual((await list({ type: 'deposit', currency: 'MXN' })).json, [
      { id: 2001, order_id: 'N1', status: 'pending', ...row, finished_at: '' },
      { id: 2002, order_id: 'N2', status: 'success', ...row, finished_at },
      { id: 2003, order_id: 'N3', status: 'fail', ...row, finished_at },
      { id: 2004, order_id: 'N4', status: 'pending', ...row, finished_at: '' },
    ]);
  });

  it('payment-list queries deposits by the same filters as payouts', async () => {
    wire.depositListQueries.length = 0;
    await list({ type: 'deposit', currency: 'MXN', order: 'N2', status: 'fail', after: '2001', limit: '2' });
    assert.deepEqual(wire.depositListQueries, [
      {
        merchantId: 'M1',
        currency: 'MXN',
        orderId: 'N2',
        from: Date.UTC(2026, 10, 1),
        to: WIRE_START - 30_000,
        state: 'fail',
        after: 2001,
        limit: 2,
      },
    ]);
    assert.equal(wire.listQueries.length, 0);
  });

  it('payment-list reports each missing or invalid field', async () => {
    const wrong: Readonly<Record<string, readonly unknown[]>> = {
      currency: [undefined, '', 'eur'],
      order: [undefined, null, '', 'a b'],
      start_date: [
        undefined,
        '',
        '2026-02-29',
        '2026-13-01',
        '2026-1-1',
        '20-11-2026',
        '2026-11-20T00:00:00',
        '2026-11-20 24:00:00',
        '2026-11-20 1:00:00',
      ],
      finish_date: [undefined, '', '2026-04-31', '2026-10-31', 'now'],
      status: [undefined, '', 'ALL', 'done'],
      type: [undefined, '', 'payout'],
      after: ['', '-1', 'x', '9'.repeat(17), '9007199254740992'],
      limit: ['', '0', '1001', '1e2', '-1'],
    };
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        const answer = await list({ [field]: value });
        assert.equal(descriptionOf(answer), `Invalid ${field}`, String(value));
        assert.equal((answer.json as Record<string, string>)['status'], 'Error');
      }
    }
    assert.equal(descriptionOf(await list({ currency: 'GBP' })), 'Currency not supported');
    assert.equal(wire.listQueries.length, 0);
  });
});
