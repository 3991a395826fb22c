/** Each magic amount at Mastercard: what is answered, and what its book has. Mastercard tells nothing. */
import { describe, type TestContext } from 'node:test';
import { entriesOf, type Play, type Row, testCourses } from '../kernel/magic-amounts-under-test.ts';
import { magicAmounts } from './magic-amounts.ts';
import { startMastercardSendUnderTest } from './mastercard-send-under-test.ts';

async function start(t: TestContext, amount: string): Promise<Play> {
  const mastercard = await startMastercardSendUnderTest(t);
  return {
    clock: mastercard.clock,
    async send() {
      const { status, body } = await mastercard.submit({ amount: amount.replace('.', '') });
      return status === 201 ? (body['disbursement'] as { status: string }).status : status;
    },
    async book() {
      const entries = entriesOf(await mastercard.control('book'));
      return entries.map(({ status, networkCode }) => (status === 'DECLINED' ? `${status} ${networkCode}` : status));
    },
    told: () => [],
  };
}

const rows: readonly Row[] = [
  ['40', 'PENDING', 'PENDING, APPROVED'],
  ['41', 'UNKNOWN', 'UNKNOWN, DECLINED 05'],
  ['42', 'PENDING', 'PENDING, APPROVED'],
  ['44', 'never', 'APPROVED'],
  ['45', 'never', ''],
  ['50', 500, 'APPROVED'],
  ['51', 'DECLINED', 'DECLINED 05'],
  ['52', 'DECLINED', 'DECLINED 14'],
  ['53', 'DECLINED', 'DECLINED 61'],
  ['60', 'APPROVED', 'APPROVED, REVERSED'],
];

describe('magic amounts at Mastercard', { concurrency: true }, () => {
  testCourses(rows, magicAmounts, start);
});
