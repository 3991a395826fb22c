/** What Freedom Pay tells its client by itself. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aWhile, eventually } from '../kernel/inbox-under-test.ts';
import {
  cards,
  client,
  type FreedomPayUnderTest,
  signature,
  startFreedomPayUnderTest,
} from './freedom-pay-under-test.ts';

type Fields = Readonly<Record<string, string>>;

const told = ({ inbox }: FreedomPayUnderTest) => inbox.received.map(({ body }) => body as Fields);
const toldOf = (freedomPay: FreedomPayUnderTest, count: number) =>
  eventually(`${count} callbacks`, () => freedomPay.inbox.received.length === count);

async function paidAndTold(freedomPay: FreedomPayUnderTest, fields: Fields = {}): Promise<void> {
  const count = freedomPay.inbox.received.length;
  await freedomPay.pay(fields);
  freedomPay.clock.advance(200);
  await toldOf(freedomPay, count + 1);
}

describe('a callback', () => {
  it('comes once a payout was paid, at the address that came with it, signed for its last segment', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    await paidAndTold(freedomPay, { pg_order_id: '11AbCd1234' });
    const [callback = {}] = told(freedomPay);
    assert.deepEqual(
      [callback['pg_order_id'], callback['pg_status'], callback['pg_payment_amount'], callback['pg_card_hash']],
      ['11AbCd1234', 'ok', '1000.00', '467159****8252'],
    );
    assert.equal(callback['pg_sig'], signature('rail-notifications', callback));
    const [message] = freedomPay.inbox.received;
    assert.equal(message?.headers['content-type'], 'application/x-www-form-urlencoded');
  });

  it('comes after what took its time, and not of what failed, unless it is to', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    await freedomPay.pay({ pg_payment_to: cards.failed });
    await freedomPay.pay({ pg_payment_to: cards.failedLater });
    await freedomPay.pay({ pg_payment_to: cards.paidLater, pg_order_id: '12AbCd1234' });
    freedomPay.clock.advance(2_000);
    await aWhile();
    freedomPay.clock.advance(200);
    await toldOf(freedomPay, 1);
    await aWhile();
    assert.deepEqual(
      told(freedomPay).map((fields) => fields['pg_order_id']),
      ['12AbCd1234'],
    );
    await freedomPay.faults({ tell_failures: true });
    await paidAndTold(freedomPay, { pg_payment_to: cards.failed });
    assert.deepEqual(
      told(freedomPay).map((fields) => [fields['pg_status'], fields['pg_error_code']]),
      [
        ['ok', undefined],
        ['error', '10001'],
      ],
    );
  });

  it('comes again until it is taken by 200', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    freedomPay.inbox.answer = () => ({ status: 503, body: '' });
    await paidAndTold(freedomPay);
    await eventually('the log', () => freedomPay.log.length === 1);
    freedomPay.inbox.answer = () => ({ status: 200, body: '' });
    freedomPay.clock.advance(500);
    await toldOf(freedomPay, 2);
    await eventually('it is taken', async () => {
      const { body } = await freedomPay.control('book');
      return (body['entries'] as { kind: string }[]).at(-1)?.kind === 'told';
    });
    freedomPay.clock.advance(120_000);
    await aWhile();
    assert.equal(freedomPay.inbox.received.length, 2);
  });

  it('comes before the reply, twice, late, never, by a fault', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    await freedomPay.faults({ payouts: 'told_before_reply' });
    await freedomPay.pay();
    assert.equal(freedomPay.inbox.received.length, 1);
    await freedomPay.faults({ payouts: 'take', notifications: 'twice' });
    await freedomPay.pay();
    freedomPay.clock.advance(200);
    await toldOf(freedomPay, 3);
    await freedomPay.faults({ notifications: 'late' });
    await freedomPay.pay();
    freedomPay.clock.advance(200);
    await aWhile();
    assert.equal(freedomPay.inbox.received.length, 3);
    freedomPay.clock.advance(10_000);
    await toldOf(freedomPay, 4);
    await freedomPay.faults({ notifications: 'off' });
    await freedomPay.pay();
    freedomPay.clock.advance(20_000);
    await aWhile();
    assert.equal(freedomPay.inbox.received.length, 4);
  });

  it('follows the one that came after it, by a fault', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    await freedomPay.faults({ notifications: 'out_of_order' });
    await freedomPay.pay({ pg_order_id: '13AbCd1234' });
    await freedomPay.pay({ pg_order_id: '14AbCd1234' });
    freedomPay.clock.advance(200);
    await toldOf(freedomPay, 2);
    assert.deepEqual(
      told(freedomPay).map((fields) => fields['pg_order_id']),
      ['14AbCd1234', '13AbCd1234'],
    );
  });

  it('lies about the amount, or is signed with another secret, by a fault', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    await freedomPay.faults({ notifications: 'wrong_amount' });
    await paidAndTold(freedomPay);
    await freedomPay.faults({ notifications: 'forged' });
    await paidAndTold(freedomPay);
    const [lie = {}, forged = {}] = told(freedomPay);
    assert.deepEqual(
      [lie['pg_payment_amount'], lie['pg_sig'] === signature('rail-notifications', lie)],
      ['999999.99', true],
    );
    assert.equal(forged['pg_sig'], signature('rail-notifications', forged, `not ${client.payoutSecret}`));
  });
});
