/** STP's notification of a transfer and the gateway's own look at STP's list, at the same moment, again and again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertGenuine } from '../support/callback-receiver.ts';
import { startSpeiStage } from '../support/spei-stage.ts';
import type { CreatedDeposit, TestMerchant } from '../support/test-merchant.ts';
import { until } from '../support/until.ts';

const DEPOSITS = process.env['TEST_FULL'] ? 1_000 : 300;
/** Paid together, then told while the list is read that has them; few enough that the two walk through them side by side. */
const AT_ONCE = 50;
const MERCHANTS = 4;
const FEES = { 'fee_fixed.spei.MXN': '1.50' };
/** Of 100.00, less the fee, in minor units. */
const CREDITED = 9_850n;

test('a notification and a reconciliation that meet post a transfer once', async (t) => {
  const stage = await startSpeiStage({ LOG_LEVEL: 'debug' });
  const { gateway, stp } = stage;
  try {
    const merchants: TestMerchant[] = [];
    for (let index = 0; index < MERCHANTS; index++) merchants.push(await gateway.merchant({ settings: FEES }));
    const merchantOf = (index: number) => merchants[index % MERCHANTS] as TestMerchant;
    const deposits: CreatedDeposit[] = [];
    for (let first = 0; first < DEPOSITS; first += AT_ONCE) {
      const indexes = Array.from({ length: AT_ONCE }, (_, index) => first + index);
      const opened = await Promise.all(indexes.map((index) => merchantOf(index).deposit(`R${index}`)));
      const pay = (behaviour: string) =>
        Promise.all(opened.map(({ clabe, order }) => stp.pay(clabe, { behaviour, claveRastreo: `KEY${order}` })));
      // Now STP tells of all as soon as the list has them, now of each while the list grows.
      if (first % (2 * AT_ONCE) === 0) await pay('during_reconciliation').then(stage.reconcile);
      else await Promise.all([pay('exact'), stage.reconcile()]);
      await until('STP has confirmation of each', async () => {
        const received = await stp.received();
        return received.length === AT_ONCE && received.every(({ estado }) => estado === 'CCO');
      });
      // The list is then of those alone that are told at that moment.
      await stp.reset();
      deposits.push(...opened);
    }

    const { pool } = gateway.database;
    await until('all are told', async () => {
      const { rows } = await pool.query(`select count(*)::int as due from callbacks where state = 'due'`);
      return rows[0].due === 0;
    });
    await gateway.verify();

    const { rows } = await pool.query(
      `select found_by, count(*)::int as transfers from incoming_transfers where state = 'credited' group by found_by`,
    );
    const foundBy = Object.fromEntries(rows.map(({ found_by, transfers }) => [found_by, transfers]));
    const sum = rows.reduce((total, { transfers }) => total + transfers, 0);
    assert.equal(sum, DEPOSITS);
    t.diagnostic(`first was: ${JSON.stringify(foundBy)}`);
    assert.equal(Object.keys(foundBy).length, 2, 'now the one is first, now the other');
    const told = gateway.log.filter((line) => line.includes('"event":"rail_notified"')).map((line) => JSON.parse(line));
    assert.equal(told.length, DEPOSITS, 'each was told by STP too');
    assert.equal(
      told.filter(({ outcome }) => outcome === 'recorded').length,
      foundBy['notification'] ?? 0,
      'who came second posted nothing',
    );

    deposits.forEach(({ order }, index) => {
      const { id, key } = merchantOf(index);
      const [callback, ...more] = gateway.receiver.about(id, order);
      assert(callback && more.length === 0, `${order} was told ${more.length + 1} times`);
      assertGenuine(callback, key);
      assert.deepEqual([callback.fields['co_inv_st'], callback.fields['co_to_wlt']], ['success', '98.50']);
    });
    for (const { id } of merchants) {
      assert.equal(await stage.account(id, 'available'), CREDITED * BigInt(DEPOSITS / MERCHANTS));
      assert.equal(await stage.account(id, 'suspense'), 0n);
    }
  } finally {
    await stage.verifyAndStop();
  }
});
