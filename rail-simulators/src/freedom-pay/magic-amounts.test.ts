/** Each magic amount at Freedom Pay: what is answered, what its book has, what is told. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { entriesOf, type Play, playOut, type Row, testCourses } from '../kernel/magic-amounts-under-test.ts';
import { cards, startFreedomPayUnderTest } from './freedom-pay-under-test.ts';
import { magicAmounts } from './magic-amounts.ts';

async function start(t: TestContext, amount: string, card: string = cards.paid): Promise<Play> {
  const freedomPay = await startFreedomPayUnderTest(t);
  await freedomPay.faults({ tell_failures: true });
  return {
    clock: freedomPay.clock,
    async send() {
      const { pg_status, pg_error_code = '' } = await freedomPay.pay({ pg_amount: amount, pg_payment_to: card });
      return `${pg_status} ${pg_error_code}`.trim();
    },
    async book() {
      const entries = entriesOf(await freedomPay.control('book')).filter(({ kind }) => kind !== 'told');
      return entries.map(({ kind, code }) => `${kind} ${code}`.trim());
    },
    told: () => freedomPay.inbox.received.map(({ body }) => body['pg_status']),
  };
}

const rows: readonly Row[] = [
  ['40', 'pending', 'taken, paid', 'ok'],
  ['41', 'pending', 'taken, refused 10001', 'error'],
  ['42', 'pending', 'taken, paid'],
  ['44', 'never', 'paid', 'ok'],
  ['45', 'never', ''],
  ['50', 'undefined', 'paid', 'ok'],
  ['51', 'error 10001', 'refused 10001', 'error'],
  ['52', 'error 10005', 'refused 10005', 'error'],
  ['53', 'error 10006', 'refused 10006', 'error'],
  ['62', 'ok', 'paid', 'ok'],
  ['63', 'pending', 'taken, paid', 'ok ×2', 'ok'],
];

describe('magic amounts at Freedom Pay', { concurrency: true }, () => {
  testCourses(rows, magicAmounts, start);

  it('tell of .62 before it is answered', async (t) => {
    assert.deepEqual((await playOut(await start(t, '10.62'))).toldFirst, ['ok']);
  });

  it('decide over the card, which decides where an amount picks nothing', async (t) => {
    assert.equal((await playOut(await start(t, '10.50', cards.failed))).book, 'paid');
    assert.equal((await playOut(await start(t, '40', cards.failed))).answered, 'error 10001');
  });
});
