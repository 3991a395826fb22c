/** Each magic amount at Adyen: what is answered, what its book has, what is told. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { entriesOf, type Play, playOut, type Row, testCourses } from '../kernel/magic-amounts-under-test.ts';
import { startAdyenTransfersUnderTest } from './adyen-transfers-under-test.ts';
import { magicAmounts } from './magic-amounts.ts';

async function start(t: TestContext, amount: string): Promise<Play> {
  const adyen = await startAdyenTransfersUnderTest(t);
  return {
    clock: adyen.clock,
    async send() {
      const value = Number(amount.replace('.', ''));
      const { status, body } = await adyen.submit(
        { amount: { value, currency: 'EUR' } },
        {},
        AbortSignal.timeout(5_000),
      );
      return status === 202 ? body['status'] : status;
    },
    async book() {
      const entries = entriesOf(await adyen.control('book'));
      return entries.map(({ status, reason }) => `${status} ${reason}`.replace(/ (?:pending|approved)$/, ''));
    },
    told: () => adyen.inbox.received.map(({ body }) => (body['data'] as { status: string }).status),
  };
}

const paid = 'received, authorised, booked';
const refused = 'received, refused';

const rows: readonly Row[] = [
  ['40', 'authorised', paid, paid],
  ['41', 'received', `${refused} declined`, refused],
  ['42', 'authorised', paid],
  ['44', 'never', paid, paid],
  ['45', 'never', ''],
  ['50', 500, paid, paid],
  ['51', 'refused', `${refused} declined`, refused],
  ['52', 'refused', `${refused} invalidCard`, refused],
  ['53', 'refused', `${refused} amountLimitExceeded`, refused],
  ['60', 'authorised', `${paid}, returned counterpartyAccountClosed`, `${paid}, returned`],
  ['62', 'booked', paid, paid],
  ['63', 'authorised', paid, 'received ×2, authorised ×2, booked ×2', paid],
];

describe('magic amounts at Adyen', { concurrency: true }, () => {
  testCourses(rows, magicAmounts, start);

  it('tell of .62 before it is answered', async (t) => {
    assert.equal((await playOut(await start(t, '10.62'))).toldFirst.join(', '), paid);
  });
});
