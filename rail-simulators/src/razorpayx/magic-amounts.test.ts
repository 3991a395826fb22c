/** Each magic amount at RazorpayX: what is answered, what its book has, what is told. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { entriesOf, type Play, playOut, type Row, testCourses } from '../kernel/magic-amounts-under-test.ts';
import { magicAmounts } from './magic-amounts.ts';
import { startRazorpayXUnderTest } from './razorpayx-under-test.ts';

async function start(t: TestContext, amount: string): Promise<Play> {
  const razorpayx = await startRazorpayXUnderTest(t);
  return {
    clock: razorpayx.clock,
    async send() {
      const { status, body } = await razorpayx.pay('1-AbCd1234', { amount: Number(amount.replace('.', '')) });
      return status === 200 ? body['status'] : status;
    },
    async book() {
      const entries = entriesOf(await razorpayx.control('book')).filter(({ kind }) => kind !== 'updated');
      return entries.map(({ status, reason }) => `${status} ${reason}`.replace(/ payout_.*/, ''));
    },
    told: () => razorpayx.told().map((event) => event.replace(/^payout\.(?!updated)\w+ /, '')),
  };
}

const paid = 'processing, processed';
const told = 'processing, processed, payout.updated processed';

const rows: readonly Row[] = [
  ['40', 'processing', paid, told],
  ['41', 'processing', 'processing, failed beneficiary_bank_rejected', 'processing, failed'],
  ['42', 'processing', paid],
  ['44', 'never', 'processed', 'processed'],
  ['45', 'never', ''],
  ['50', 500, 'processed', 'processed'],
  ['51', 'failed', 'failed beneficiary_bank_rejected', 'failed'],
  ['52', 'failed', 'failed bank_account_invalid', 'failed'],
  ['53', 'failed', 'failed transaction_limit_exceeded', 'failed'],
  ['60', 'processing', `${paid}, reversed beneficiary_bank_rejected`, `${told}, reversed`],
  ['62', 'processed', paid, told],
  ['63', 'processing', paid, told.replaceAll(',', ' ×2,').concat(' ×2'), told],
];

describe('magic amounts at RazorpayX', { concurrency: true }, () => {
  testCourses(rows, magicAmounts, start);

  it('tell of .62 before it is answered', async (t) => {
    assert.ok((await playOut(await start(t, '10.62'))).toldFirst.includes('processed'));
  });
});
