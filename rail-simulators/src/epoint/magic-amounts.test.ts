/** Each magic amount at Epoint: what is answered, what its book has, what is told where it tells. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { entriesOf, type Play, playOut, type Row, testCourses } from '../kernel/magic-amounts-under-test.ts';
import { startEpointUnderTest } from './epoint-under-test.ts';
import { magicAmounts } from './magic-amounts.ts';

async function start(t: TestContext, amount: string, faults: object = { callbacks: 'on' }): Promise<Play> {
  const epoint = await startEpointUnderTest(t);
  await epoint.faults(faults);
  const card_id = await epoint.registered();
  return {
    clock: epoint.clock,
    async send() {
      const { status, body } = await epoint.pay({ card_id, amount }, AbortSignal.timeout(5_000));
      return status === 200 ? body['status'] : status;
    },
    async book() {
      const entries = entriesOf(await epoint.control('book')).filter((entry) => 'transaction' in entry);
      return entries.map(({ kind, code }) => `${kind} ${code}`.trim());
    },
    told: () => epoint.told.filter(({ said }) => said['order_id']).map(({ said }) => said['status']),
  };
}

const rows: readonly Row[] = [
  ['40', 'new', 'taken, executed', 'success'],
  ['41', 'new', 'taken, failed 100', 'failed'],
  ['42', 'new', 'taken, executed'],
  ['44', 'never', 'executed', 'success'],
  ['45', 'never', ''],
  ['50', 500, 'executed', 'success'],
  ['51', 'failed', 'failed 100', 'failed'],
  ['52', 'failed', 'failed 111', 'failed'],
  ['53', 'failed', 'failed 121', 'failed'],
  ['60', 'success', 'executed, returned', 'success, returned'],
  ['62', 'success', 'executed', 'success'],
  ['63', 'new', 'taken, executed', 'success ×2', 'success'],
];

describe('magic amounts at Epoint', { concurrency: true }, () => {
  testCourses(rows, magicAmounts, start);

  it('tell of .62 before it is answered, and of .63, also where payouts are not told of', async (t) => {
    assert.deepEqual((await playOut(await start(t, '10.62', {}))).toldFirst, ['success']);
    assert.equal((await playOut(await start(t, '10.63', {}))).told, 'success ×2');
    assert.equal((await playOut(await start(t, '10.40', {}))).told, '');
  });

  it('pick nothing while a fault says what becomes of payouts, nor does another amount', async (t) => {
    assert.equal((await playOut(await start(t, '10.51', { payouts: 'pay' }))).answered, 'success');
    assert.equal((await playOut(await start(t, '10.15'))).answered, 'success');
  });
});
