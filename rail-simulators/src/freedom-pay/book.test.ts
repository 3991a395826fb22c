/** Freedom Pay's book: what it holds, and that it outlives the process. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { eventually } from '../kernel/inbox-under-test.ts';
import { cards, openFormInbox, startFreedomPayUnderTest } from './freedom-pay-under-test.ts';

function bookFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'freedom-pay-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'book.jsonl');
}

describe('the book', () => {
  it('holds what was paid, what was refused, and what is left', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t, { float: '10000.00' });
    await freedomPay.pay({ pg_amount: '12.50' });
    await freedomPay.pay({ pg_payment_to: cards.failed });
    await freedomPay.pay({ pg_payment_to: cards.paidLater, pg_amount: '100' });
    assert.deepEqual(await freedomPay.summary(), {
      payouts: 3,
      waiting: 1,
      refused: 1,
      paid: 1,
      paid_amount: '12.50',
      balance: '9887.50',
      paid_over_once: [],
    });
  });

  it('keeps no card number', async (t) => {
    const bookPath = bookFile(t);
    const freedomPay = await startFreedomPayUnderTest(t, { bookPath });
    await freedomPay.pay({ pg_payment_to: cards.paid });
    const text = readFileSync(bookPath, 'utf8');
    assert.match(text, /467159\*\*\*\*8252/);
    assert.ok(!text.includes(cards.paid));
  });

  it('is taken up after a restart: what was not decided is, what was not told is told', async (t) => {
    const bookPath = bookFile(t);
    const inbox = await openFormInbox(t);
    const first = await startFreedomPayUnderTest(t, { bookPath, inbox });
    const { pg_order_id: paid = '' } = await first.pay();
    const { pg_order_id: waiting = '' } = await first.pay({ pg_payment_to: cards.failedLater });
    await first.close();
    const second = await startFreedomPayUnderTest(t, { bookPath, inbox, clock: first.clock });
    second.clock.advance(2_000);
    await eventually('it is told', () => inbox.received.length === 1);
    assert.equal(inbox.received[0]?.body['pg_order_id'], paid);
    assert.equal((await second.statusOf(waiting))['pg_payment_status'], 'error');
    assert.equal((await second.control('reset', {})).status, 409);
  });

  it('in memory is emptied, with what is under way', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    const { pg_order_id: orderId = '' } = await freedomPay.pay({ pg_payment_to: cards.paidLater });
    assert.equal((await freedomPay.control('reset', {})).status, 200);
    freedomPay.clock.advance(10_000);
    assert.equal((await freedomPay.statusOf(orderId))['pg_error_code'], '11068');
    assert.equal((await freedomPay.summary())['payouts'], 0);
  });
});
