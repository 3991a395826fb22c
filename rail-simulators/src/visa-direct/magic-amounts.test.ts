/** Each magic amount at Visa: what is answered, and what its book has. Visa tells nothing. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { entriesOf, type Play, playOut, type Row, testCourses } from '../kernel/magic-amounts-under-test.ts';
import { magicAmounts } from './magic-amounts.ts';
import { startVisaDirectUnderTest } from './visa-direct-under-test.ts';

async function start(t: TestContext, amount: string): Promise<Play> {
  const visa = await startVisaDirectUnderTest(t);
  return {
    clock: visa.clock,
    async send() {
      const { status, json } = await visa.push({ amount: Number(amount) });
      return status === 200 ? json['actionCode'] : status;
    },
    async book() {
      const entries = entriesOf(await visa.control('book'));
      return entries.map(({ kind, actionCode }) => `${kind} ${actionCode}`.trim());
    },
    told: () => [],
  };
}

const rows: readonly Row[] = [
  ['40', 202, 'taken, completed 00'],
  ['41', 202, 'taken, completed 05'],
  ['42', 202, 'taken, completed 00'],
  ['44', 'never', 'taken, completed 00'],
  ['45', 'never', ''],
  ['50', 500, 'taken, completed 00'],
  ['51', '05', 'taken, completed 05'],
  ['52', '14', 'taken, completed 14'],
  ['53', '61', 'taken, completed 61'],
  ['60', '00', 'taken, completed 00, reversed 00'],
];

describe('magic amounts at Visa', { concurrency: true }, () => {
  testCourses(rows, magicAmounts, start);

  it('are not whole ones', async (t) => {
    assert.equal((await playOut(await start(t, '51'))).answered, '00');
  });
});
