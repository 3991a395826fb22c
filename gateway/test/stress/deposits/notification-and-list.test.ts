/** STP's notification of a transfer and the gateway's query of STP's list at the same moment, many times. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSpeiStage } from '../../support/deposits/spei-stage.ts';
import type { CreatedDeposit, TestMerchant } from '../../support/merchants/test-merchant.ts';
import { assertGenuine } from '../../support/servers/callback-receiver.ts';
import { until } from '../../support/tools/until.ts';

const DEPOSITS = process.env['TEST_FULL'] ? 1_000 : 100;
/**
 * Deposits that are paid together and notified while the gateway reads the list that contains them. The number is small enough
 * that both proceed at the same time.
 */
const AT_ONCE = 50;
const MERCHANTS = 4;
const FEES = { 'fee_fixed.spei.MXN': '1.50' };
/** 100.00 minus the fee, in minor units. */
const CREDITED = 9_850n;

test('a transfer is posted once when its notification races the reconciliation', async (t) => {
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
      // Alternates: STP notifies all transfers once they are in the list, or each transfer while the list grows.
      if (first % (2 * AT_ONCE) === 0) await pay('during_reconciliation').then(stage.reconcile);
      else await Promise.all([pay('exact'), stage.reconcile()]);
      await until('STP has the confirmation of each transfer', async () => {
        const received = await stp.received();
        return received.length === AT_ONCE && received.every(({ estado }) => estado === 'CCO');
      });
      // The next list must contain only the next batch.
      await stp.reset();
      deposits.push(...opened);
    }

    const { pool } = gateway.database;
    await until('no callback is due', async () => {
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
    t.diagnostic(`recorded first by: ${JSON.stringify(foundBy)}`);
    assert.equal(Object.keys(foundBy).length, 2, 'each of the two recorded some transfers first');
    const notified = gateway.log
      .filter((line) => line.includes('"event":"rail_notified"'))
      .map((line) => JSON.parse(line));
    assert.equal(notified.length, DEPOSITS, 'STP notified each transfer too');
    assert.equal(
      notified.filter(({ outcome }) => outcome === 'recorded').length,
      foundBy['notification'] ?? 0,
      'the later of the two posted nothing',
    );

    deposits.forEach(({ order }, index) => {
      const { id, key } = merchantOf(index);
      const [callback, ...more] = gateway.receiver.about(id, order);
      assert(callback && more.length === 0, `${order} was called back ${more.length + 1} times`);
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
