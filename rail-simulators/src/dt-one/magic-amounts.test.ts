/** Each magic amount at DT One: what is answered, what its book has, what is told. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { entriesOf, type Play, playOut, type Row, testCourses } from '../kernel/magic-amounts-under-test.ts';
import { messageOf, startDtOneUnderTest } from './dt-one-under-test.ts';
import { magicAmounts } from './magic-amounts.ts';

async function start(t: TestContext, amount: string): Promise<Play> {
  const dtOne = await startDtOneUnderTest(t);
  return {
    clock: dtOne.clock,
    async send() {
      const destination = { unit_type: 'CURRENCY', unit: 'KZT', amount: Number(amount) };
      const { status, body } = await dtOne.make('1-AbCd1234', { destination });
      return status === 201 ? messageOf(body) : status;
    },
    book: async () => entriesOf(await dtOne.control('book')).map(({ message }) => message),
    told: () => dtOne.told(),
  };
}

const paid = 'CONFIRMED, SUBMITTED, COMPLETED';
const rejected = 'REJECTED-OPERATOR-CURRENTLY-UNAVAILABLE';
const badNumber = 'REJECTED-INVALID-CREDIT-PARTY';
const overLimit = 'REJECTED-LIMITATIONS-ON-CREDIT-PARTY-AMOUNT';

const rows: readonly Row[] = [
  ['40', 'CONFIRMED', paid, 'SUBMITTED, COMPLETED'],
  ['41', 'CONFIRMED', 'CONFIRMED, SUBMITTED, DECLINED', 'SUBMITTED, DECLINED'],
  ['42', 'CONFIRMED', paid],
  ['44', 'never', 'COMPLETED'],
  ['45', 'never', ''],
  ['50', 500, 'COMPLETED'],
  ['51', rejected, rejected],
  ['52', badNumber, badNumber],
  ['53', overLimit, overLimit],
  ['60', 'CONFIRMED', `${paid}, REVERSED`, 'SUBMITTED, COMPLETED, REVERSED'],
  ['62', 'COMPLETED', 'CONFIRMED, COMPLETED', 'COMPLETED'],
  ['63', 'CONFIRMED', paid, 'SUBMITTED ×2, COMPLETED ×2', 'SUBMITTED, COMPLETED'],
];

describe('magic amounts at DT One', { concurrency: true }, () => {
  testCourses(rows, magicAmounts, start);

  it('tell of .62 before it is answered', async (t) => {
    assert.deepEqual((await playOut(await start(t, '10.62'))).toldFirst, ['COMPLETED']);
  });
});
