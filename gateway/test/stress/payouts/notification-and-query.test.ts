/** A bank's notification and the gateway's query at the same moment, many times. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGateway } from '../../support/gateway/running-gateway.ts';
import { post } from '../../support/payouts/payout-request.ts';
import { createChoices } from '../../support/tools/seeded.ts';
import { until } from '../../support/tools/until.ts';

const PAYOUTS = process.env['TEST_FULL'] ? 1_000 : 100;
/** Few enough that notifications do not queue. */
const AT_ONCE = 6;
/** The bank settles and notifies shortly before the gateway's query. */
const SETTLES_AFTER_MS = 200;
const NOTIFICATIONS: Readonly<Record<string, number>> = { '40': 1, '41': 1, '63': 3 };

test('a payout is settled once when its notification races a status query', async () => {
  const choices = createChoices('notification and poll');
  const gateway = await startGateway({
    variables: { LOG_LEVEL: 'debug' },
    pace: { rail: { askAfterMs: [SETTLES_AFTER_MS + 50, 20, 20, 20, 20, 500] } },
    bankDelays: { settleMs: SETTLES_AFTER_MS, lateMs: SETTLES_AFTER_MS },
  });
  try {
    const merchant = await gateway.merchant();
    let next = 0;
    let expected = 0;
    const client = async () => {
      for (let index = next++; index < PAYOUTS; index = next++) {
        // Executed or declined with one notification, or executed with three.
        const cents = choices.oneOf(Object.keys(NOTIFICATIONS));
        expected += NOTIFICATIONS[cents] ?? 0;
        const amount = `1.${cents}`;
        await post(`${gateway.url}/merchant/api/payout_send`, merchant.request(1, `np-${index}`, { amount }));
        await sleep(choices.between(20, 60));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, client));
    const { pool } = gateway.database;
    await until(
      'all payouts are final and called back',
      async () => {
        const { rows } = await pool.query(`select (select count(*) from payouts where state = 'pending')::int
        + (select count(*) from callbacks where state = 'due')::int as open`);
        return rows[0].open === 0;
      },
      40_000,
    );
    await gateway.verify();
    const { rows } = await pool.query('select payout_id, state from payouts');
    assert.equal(rows.length, PAYOUTS);
    for (const { payout_id } of rows) assert.equal(gateway.receiver.about(merchant.id, payout_id).length, 1, payout_id);
    const paid = rows.filter(({ state }) => state === 'success').length;
    const { executed, executions } = await gateway.bank.summary();
    assert.deepEqual([executed, executions], [paid, paid]);

    const notified = () => gateway.log.filter((line) => line.includes('"event":"rail_notified"'));
    await until('the bank has sent all notifications', () => notified().length >= expected);
    const outcomes = notified().map((line) => JSON.parse(line));
    const first = outcomes.filter(({ outcome }) => outcome === 'recorded').length;
    const late = outcomes.length - first;
    const { rows: adjusted } = await pool.query('select payout_id, kind from payout_adjustments');
    assert.deepEqual(adjusted, [], 'the second report moved money');
    assert(first > 0 && late > 0, `they did not meet: ${first} were recorded, ${late} were known`);
    console.log(`${first} notifications came first, ${late} came second`);
  } finally {
    await gateway.stop();
  }
});
