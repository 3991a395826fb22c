/** Lists over the management API: order, pages, filters, masking, and which rows a caller may see. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MOST_CHECKED } from '../../src/storage/lists/keyset-list.ts';
import { freePort, type RunningGateway, startGateway } from '../support/gateway/running-gateway.ts';
import type { TestMerchant } from '../support/merchants/test-merchant.ts';
import { type ManageClient, manageClient } from '../support/people/manage-client.ts';
import { type StpUnderControl, startStpUnderControl } from '../support/rails/stp-under-control.ts';
import { until } from '../support/tools/until.ts';

let stp: StpUnderControl;
let gateway: RunningGateway;
let operator: ManageClient;
let merchant: TestMerchant;
let own: ManageClient;

before(async () => {
  const port = await freePort();
  stp = await startStpUnderControl(`http://127.0.0.1:${port}/rail-notifications/stp`);
  gateway = await startGateway({ variables: { ...stp.variables, PORT: String(port) } });
  operator = await manageClient(gateway);
  merchant = await gateway.merchant();
  own = await manageClient(gateway, { merchantId: merchant.id });
  for (const [id, amount] of [
    ['L1', '10.00'],
    ['L2', '20.00'],
    ['L3', '30.00'],
    ['L4', '10.51'],
  ] as const)
    await merchant.pay(1, id, { amount });
  for (const id of ['L1', 'L2', 'L3', 'L4']) await merchant.final(id);
});
after(async () => {
  await stp.close();
  await gateway.verifyAndStop();
});

async function payoutIds(client: ManageClient, query: Readonly<Record<string, unknown>>): Promise<string[]> {
  return (await client.call('payouts.list', { query })).value().items.map(({ payoutId }) => payoutId);
}

describe('lists of the management API', () => {
  it('pages of one item each contain the complete list, newest first', async () => {
    const whole = await payoutIds(own, {});
    assert.deepEqual(whole, ['L4', 'L3', 'L2', 'L1']);
    const paged: string[] = [];
    let after: string | null = null;
    do {
      const query: Record<string, unknown> = { limit: 1, ...(after === null ? {} : { after }) };
      const page = (await own.call('payouts.list', { query })).value();
      paged.push(...page.items.map(({ payoutId }) => payoutId));
      after = page.next;
    } while (after !== null);
    assert.deepEqual(paged, whole);
  });

  it('the ledger is listed by account and journal', async () => {
    const journal = 'payout/L1/execute';
    const { items } = (await own.call('ledger.list', { query: { account: 'reserved', limit: 100 } })).value();
    assert.equal(new Set(items.map((line) => line.journal)).size, 8);
    const [line, ...more] = (await own.call('ledger.list', { query: { journal, kind: 'payout' } })).value().items;
    assert.deepEqual([line?.debit, line?.amount, more.length], ['reserved', '10.00', 0]);
    const shown = (await own.call('ledger.show', { params: { merchantId: merchant.id, journalId: journal } })).value();
    assert.deepEqual([shown.payoutId, shown.orderId, shown.lines[0]?.kind], ['L1', null, 'payout']);
    const trial = (await operator.call('ledger.trialBalance', {})).value();
    assert.equal(trial.isBalanced, true);
    assert.ok(trial.items.some(({ account }) => account === 'clearing:wayforpay'));
    assert.deepEqual(
      trial.totals.map(({ debit, credit }) => debit === credit),
      trial.totals.map(() => true),
    );
  });

  const FILTERS: readonly (readonly [Readonly<Record<string, unknown>>, readonly string[]])[] = [
    [{ state: 'success' }, ['L3', 'L2', 'L1']],
    [{ state: 'blocked', method: 1 }, ['L4']],
    [{ state: 'pending' }, []],
    [{ currency: 'UAH', minAmount: '10.01', maxAmount: '20.00' }, ['L2', 'L4'].sort().reverse()],
    [{ currency: 'EUR' }, []],
    [{ payoutId: 'L3' }, ['L3']],
    [{ lastFour: '0000' }, []],
    [{ purpose: 'refund' }, []],
    [{ to: '2001-01-01T00:00:00Z' }, []],
    [{ from: '2001-01-01T00:00:00Z', rail: 'nothing' }, []],
  ];
  for (const [filter, expected] of FILTERS)
    it(`payouts filtered by ${JSON.stringify(filter)} are the same for the merchant and the operator`, async () => {
      assert.deepEqual(await payoutIds(own, filter), expected);
      assert.deepEqual(await payoutIds(operator, { ...filter, merchantId: merchant.id }), expected);
      const everywhere = await payoutIds(operator, filter);
      assert.ok(expected.every((id) => everywhere.includes(id)));
    });

  it('an account and the last four characters find a payout, masked without personal:read', async () => {
    const [shown] = (await own.call('payouts.list', { query: { payoutId: 'L1' } })).value().items;
    const account = shown?.account ?? '';
    assert.ok((await payoutIds(own, { account })).includes('L1'));
    assert.ok((await payoutIds(own, { lastFour: account.slice(-4) })).includes('L1'));
    const blind = await manageClient(gateway, { merchantId: merchant.id, scopes: ['payouts:read'] });
    const [masked] = (await blind.call('payouts.list', { query: { payoutId: 'L1' } })).value().items;
    assert.equal(masked?.account, `***${account.slice(-4)}`);
    const call = { params: { merchantId: merchant.id, payoutId: 'L1' } };
    const record = (await blind.call('payouts.show', call)).value();
    assert.equal(record.account, `***${account.slice(-4)}`);
  });

  it('deposits, transfers, payments, refunds and callbacks are listed', async () => {
    const { clabe } = await merchant.deposit('listed');
    await stp.pay(clabe, { amount: '40.00' });
    const held = await until('the money is held', async () => {
      const { items } = (await operator.call('transfers.list', { query: { state: 'held', payTo: clabe } })).value();
      return items[0];
    });
    assert.deepEqual([held.orderId, held.mismatch, held.amount], ['listed', 'short', '40.00']);
    for (const query of [{ orderId: 'listed' }, { payTo: clabe }, { state: 'pending', currency: 'MXN' }, {}]) {
      const { items } = (await own.call('deposits.list', { query })).value();
      assert.deepEqual(
        items.map(({ orderId }) => orderId),
        ['listed'],
        JSON.stringify(query),
      );
    }
    const [deposit] = (await own.call('deposits.list')).value().items;
    const byUuid = (await operator.call('deposits.list', { query: { uuid: deposit?.uuid } })).value().items;
    assert.deepEqual(
      byUuid.map(({ orderId }) => orderId),
      ['listed'],
    );
    for (const query of [{}, { state: 'delivered' }, { subject: 'payout' }]) {
      const { items } = (await own.call('callbacks.list', { query })).value();
      assert.ok(items.every((callback) => callback.merchantId === merchant.id));
    }
    assert.deepEqual((await own.call('payments.list')).value(), { items: [], next: null });
    assert.deepEqual((await own.call('refunds.list')).value(), { items: [], next: null });
  });

  it('another merchant does not see the payouts, deposits, transfers or callbacks of this merchant', async () => {
    const other = await manageClient(gateway, { merchantId: (await gateway.merchant({ funds: {} })).id });
    for (const name of ['payouts.list', 'deposits.list', 'transfers.list', 'callbacks.list'] as const)
      assert.deepEqual((await other.call(name)).value(), { items: [], next: null }, name);
    assert.deepEqual(await payoutIds(other, { payoutId: 'L1' }), []);
  });

  it('a list rejects a cursor of another list, of no list or with impossible parts', async () => {
    const cursor = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    const bad = ['x', cursor([1, 'a']), cursor([1]), cursor([1, 1.5]), cursor([9e15, 1]), cursor({}), cursor([-1, 1])];
    for (const after of bad)
      assert.equal((await own.call('payouts.list', { query: { after } })).problem().field, 'after', after);
    const nul = cursor([1, 'a\0', 'b']);
    assert.equal((await own.call('callbacks.list', { query: { after: nul } })).problem().field, 'after');
    const wide = cursor([1, 1, 70_000]);
    assert.equal((await own.call('payments.list', { query: { after: wide } })).problem().field, 'after');
  });

  it('a list rejects an unreadable filter with its name', async () => {
    for (const [query, field] of [
      [{ minAmount: '1.00' }, 'minAmount'],
      [{ minAmount: '1.001', currency: 'UAH' }, 'minAmount'],
      [{ from: '2026-12-31T23:59:60Z' }, '/from'],
      [{ payoutId: 'a\u0000b' }, '/payoutId'],
      [{ nothing: 'x' }, '/nothing'],
    ] as const)
      assert.equal((await own.call('payouts.list', { query })).problem().field, field, JSON.stringify(query));
  });

  it('a list page whose filter few of many rows match ends early, and the next page continues there', async () => {
    await gateway.database.pool.query(
      `insert into callbacks (merchant_id, callback_id, subject, subject_id, payload, state, created_at)
       select 'many', 'c' || n, case n when 7 then 'deposit' else 'payout' end, 'P' || n, '[]', 'delivered',
         timestamptz '2020-01-01' + n * interval '1 second'
       from generate_series(1, $1::int) as n`,
      [MOST_CHECKED + 50],
    );
    const query = { merchantId: 'many', subject: 'deposit' };
    const first = (await operator.call('callbacks.list', { query })).value();
    assert.deepEqual(first.items, []);
    assert.ok(first.next);
    const second = (await operator.call('callbacks.list', { query: { ...query, after: first.next } })).value();
    assert.deepEqual([second.items.map(({ callbackId }) => callbackId), second.next], [['c7'], null]);
    await gateway.database.pool.query(`delete from callbacks where merchant_id = 'many'`);
  });

  it('a list finds the callbacks of one payment in one page, among many newer callbacks', async () => {
    const { pool } = gateway.database;
    const { clabe } = await merchant.deposit('credited', { amount: '100.00' });
    await stp.pay(clabe);
    const key = { merchantId: merchant.id, orderId: 'credited' };
    await until('the callback is written', async () => {
      const shown = (await own.call('deposits.show', { params: key })).value();
      return shown.callbacks.length > 0 || undefined;
    });
    await pool.query(
      `insert into callbacks (merchant_id, callback_id, subject, subject_id, payload, state, created_at)
       select $1, 'newer-' || n, 'event', 'x', '[]', 'delivered', now() + interval '1 day' from generate_series(0, $2::int) as n`,
      [merchant.id, MOST_CHECKED],
    );
    for (const [client, of] of [
      [own, {}],
      [operator, { merchantId: merchant.id }],
    ] as const)
      for (const [subjectId, subject] of [
        ['L1', 'payout'],
        ['credited', 'deposit'],
      ]) {
        const page = (await client.call('callbacks.list', { query: { ...of, subjectId } })).value();
        assert.deepEqual(
          [page.items.map((item) => [item.subjectId, item.subject]), page.next],
          [[[subjectId, subject]], null],
        );
      }
    await pool.query(`delete from callbacks where callback_id like 'newer-%'`);
  });

  it('a list finds an amount of a day in one page, among many newer payouts of all merchants', async () => {
    const { pool } = gateway.database;
    const day = '2020-02-03';
    await pool.query(
      `insert into payouts (merchant_id, payout_id, transaction_id, purpose, method, currency, amount, amount_text, fee, rail,
         account_shown, fields, content_hash, state, accepted_at, finished_at)
       select merchant_id, 'D' || n, -n, purpose, method, currency, case n when 1 then 340 else 500 end, amount_text, fee, rail,
         account_shown, fields, content_hash, state, $3::timestamptz, finished_at
       from payouts, generate_series(1, $2::int) as n where merchant_id = $1 and payout_id = 'L1'`,
      [merchant.id, MOST_CHECKED + 50, `${day}T10:00Z`],
    );
    const range = { from: `${day}T00:00:00Z`, to: '2020-02-04T00:00:00Z' };
    const amount = { currency: 'UAH', minAmount: '3.40', maxAmount: '3.40' };
    const page = (await operator.call('payouts.list', { query: { ...range, ...amount } })).value();
    assert.deepEqual(
      page.items.map(({ payoutId }) => payoutId),
      ['D1'],
    );
    const { items } = (await operator.call('payments.find', { query: { q: `3.40 ${day}` } })).value();
    assert.equal(items.length, 1);
    await pool.query(`delete from payouts where transaction_id < 0`);
  });

  it('pages of rows with equal times neither omit nor repeat a row', async () => {
    await gateway.database.pool.query(
      `insert into callbacks (merchant_id, callback_id, subject, subject_id, payload, state, created_at)
       select 'same-' || n % 3, 'c' || n / 3, 'payout', 'x', '[]', 'delivered', timestamptz '2010-01-01'
       from generate_series(0, 29) as n`,
    );
    const { lists } = gateway.operations;
    const seen: string[] = [];
    let after = null;
    do {
      const page = { merchantId: null, from: Date.UTC(2010, 0), to: Date.UTC(2011, 0), limit: 7, filters: {} };
      const { items, next }: Awaited<ReturnType<typeof lists.callbacks>> = await lists.callbacks({ ...page, after });
      seen.push(...items.map(({ merchantId, callbackId }) => `${merchantId}/${callbackId}`));
      after = next;
    } while (after !== null);
    assert.equal(new Set(seen).size, 30);
    assert.equal(seen.length, 30);
    await gateway.database.pool.query(`delete from callbacks where created_at = timestamptz '2010-01-01'`);
  });
});
