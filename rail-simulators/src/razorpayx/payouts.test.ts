/** What becomes of a payout at RazorpayX, and how its client is told. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { aWhile, eventually } from '../kernel/inbox-under-test.ts';
import { account, startRazorpayXUnderTest } from './razorpayx-under-test.ts';
import { webhookSignature } from './webhooks.ts';

describe('a payout at RazorpayX', () => {
  const ways: readonly (readonly [conduct: string, first: string, end: string, executions: number])[] = [
    ['process', 'processing', 'processed', 1],
    ['process_at_once', 'processed', 'processed', 1],
    ['fail', 'processing', 'failed', 0],
    ['fail_at_once', 'failed', 'failed', 0],
    ['reverse', 'processing', 'reversed', 1],
    ['reverse_unprocessed', 'processing', 'reversed', 0],
    ['fail_then_reverse', 'processing', 'reversed', 0],
    ['reject', 'pending', 'rejected', 0],
    ['bank_down', 'queued', 'failed', 0],
    ['bank_back', 'queued', 'processed', 1],
    ['hold', 'processing', 'processing', 0],
  ];
  for (const [payouts, first, end, executions] of ways)
    it(`goes its way by ${payouts}: ${first}, in the end ${end}`, async (t) => {
      const razorpayx = await startRazorpayXUnderTest(t);
      await razorpayx.faults({ payouts });
      const { status, body } = await razorpayx.pay('1-AbCd1234');
      assert.deepEqual([status, body['status'], body['entity']], [200, first, 'payout']);
      for (let step = 0; step < 3; step++) {
        razorpayx.clock.advance(3_000);
        await aWhile();
      }
      assert.equal(await razorpayx.statusOf('1-AbCd1234'), end);
      assert.equal((await razorpayx.summary())['executions'], executions);
    });

  it('waits for money where it is to, and is refused where it is not', async (t) => {
    const razorpayx = await startRazorpayXUnderTest(t);
    await razorpayx.faults({ float: 'empty' });
    const refused = await razorpayx.pay('1-AbCd1234', { queue_if_low_balance: false });
    assert.equal(refused.status, 400);
    const { body } = await razorpayx.pay('2-AbCd1234');
    assert.deepEqual([body['status'], reasonOf(body)], ['queued', 'low_balance']);
    razorpayx.clock.advance(2_000);
    assert.equal(await razorpayx.statusOf('2-AbCd1234'), 'queued');
    await razorpayx.faults({ float: 'enough' });
    razorpayx.clock.advance(2_000);
    await eventually('it goes on', async () => (await razorpayx.statusOf('2-AbCd1234')) === 'processing');
    razorpayx.clock.advance(2_000);
    assert.equal(await razorpayx.statusOf('2-AbCd1234'), 'processed');
  });

  it('is acted on where it stands so', async (t) => {
    const razorpayx = await startRazorpayXUnderTest(t);
    await razorpayx.faults({ payouts: 'hold' });
    await razorpayx.pay('1-AbCd1234');
    const act = async (behaviour: string, reference = '1-AbCd1234') =>
      (await razorpayx.control('act', { reference, behaviour })).status;
    assert.deepEqual([await act('cancel'), await act('process'), await act('fail')], [409, 200, 409]);
    assert.deepEqual([await act('reverse'), await act('reverse')], [200, 409]);
    assert.deepEqual([await act('jump'), await act('fail', '9-AbCd1234')], [400, 400]);
    assert.equal(await razorpayx.statusOf('1-AbCd1234'), 'reversed');
  });

  const calls: readonly (readonly [mode: string, status: number | 'never', payouts: number])[] = [
    ['take_unanswered', 'never', 1],
    ['take_500', 500, 1],
    ['processed_before_reply', 200, 1],
    ['lose', 'never', 0],
    ['lose_500', 500, 0],
    ['throttle', 429, 0],
    ['refuse_address', 400, 0],
  ];
  for (const [mode, status, payouts] of calls)
    it(`is taken ${payouts} times and answered ${status} with ${mode}`, async (t) => {
      const razorpayx = await startRazorpayXUnderTest(t);
      await razorpayx.faults({ calls: mode });
      const answer = razorpayx.pay('1-AbCd1234').then(
        (answered) => answered.status,
        () => 'never',
      );
      if (status === 'never') await aWhile();
      razorpayx.clock.advance(status === 'never' ? 60_000 : 0);
      assert.equal(await answer, status);
      assert.equal((await razorpayx.summary())['payouts'], payouts);
    });

  it('goes on where it was after a restart', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'razorpayx-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const bookPath = join(folder, 'book.jsonl');
    const before = await startRazorpayXUnderTest(t, { bookPath });
    await before.pay('1-AbCd1234');
    await before.close();
    const after = await startRazorpayXUnderTest(t, { bookPath, clock: before.clock });
    assert.equal(await after.statusOf('1-AbCd1234'), 'processing');
    after.clock.advance(2_000);
    await eventually('it is processed', async () => (await after.statusOf('1-AbCd1234')) === 'processed');
    assert.equal((await after.control('reset', {})).status, 409);
  });
});

describe('the webhooks of RazorpayX', () => {
  it('tell each step, signed over the very bytes, and again what is not accepted', async (t) => {
    const razorpayx = await startRazorpayXUnderTest(t);
    razorpayx.inbox.answer = () => ({ status: 500, body: '' });
    await razorpayx.pay('1-AbCd1234');
    await eventually('the first', () => razorpayx.told().length === 1);
    razorpayx.inbox.answer = () => ({ status: 204, body: '' });
    await aWhile();
    razorpayx.clock.advance(500);
    await eventually('it again', () => razorpayx.told().length === 2);
    razorpayx.clock.advance(2_000);
    await eventually('the rest', () => razorpayx.told().length === 4);
    const initiated = 'payout.initiated processing';
    const rest = ['payout.processed processed', 'payout.updated processed'];
    assert.deepEqual(razorpayx.told(), [initiated, initiated, ...rest]);
    const [first, second] = razorpayx.inbox.received;
    assert.equal(first?.headers['x-razorpay-event-id'], second?.headers['x-razorpay-event-id']);
    for (const { raw, headers } of razorpayx.inbox.received)
      assert.equal(headers['x-razorpay-signature'], webhookSignature(raw, account.webhookSecret));
  });

  it('are signed as the published tests of its libraries have it', () => {
    assert.equal(
      webhookSignature('{"a":1,"b":2,"c":{"d":3}}', '123456'),
      '2fe04e22977002e6c7cb553adab8b460cb9e2a4970d5953cb27a8472752e3bbc',
    );
  });

  const modes: readonly (readonly [mode: string, told: number])[] = [
    ['off', 0],
    ['on', 1],
    ['twice', 2],
    ['late', 0],
  ];
  for (const [notifications, told] of modes)
    it(`come ${told} times at first with ${notifications}`, async (t) => {
      const razorpayx = await startRazorpayXUnderTest(t);
      await razorpayx.faults({ notifications, payouts: 'hold' });
      await razorpayx.pay('1-AbCd1234');
      await aWhile();
      assert.equal(razorpayx.told().length, told);
      razorpayx.clock.advance(10_000);
      if (notifications === 'late') await eventually('the late one', () => razorpayx.told().length === 1);
    });

  it('may be out of order, of a wrong amount, or under a foreign key', async (t) => {
    const razorpayx = await startRazorpayXUnderTest(t);
    await razorpayx.faults({ notifications: 'out_of_order' });
    await razorpayx.pay('1-AbCd1234');
    razorpayx.clock.advance(2_000);
    await eventually('two', () => razorpayx.told().length === 2);
    assert.deepEqual(razorpayx.told(), ['payout.processed processed', 'payout.initiated processing']);
    await razorpayx.faults({ notifications: 'wrong_amount' });
    await razorpayx.pay('2-AbCd1234');
    await eventually('the third', () => razorpayx.told().length === 3);
    assert.match(razorpayx.inbox.received[2]?.raw ?? '', /"amount":99999999/);
    await razorpayx.faults({ notifications: 'forged' });
    await razorpayx.pay('3-AbCd1234');
    await eventually('the fourth', () => razorpayx.told().length === 4);
    const { raw = '', headers } = razorpayx.inbox.received[3] ?? {};
    assert.notEqual(headers?.['x-razorpay-signature'], webhookSignature(raw, account.webhookSecret));
  });
});

function reasonOf(body: Readonly<Record<string, unknown>>): unknown {
  return (body['status_details'] as Record<string, unknown> | null)?.['reason'];
}
