/** Simulates rejections, timeouts and midnight against VoPay's simulator. Its book proves that it took no request twice. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { deadlineAfter, noDeadline } from '../../../test/support/tools/deadlines.ts';
import type { PaymentOrder } from '../../domain/payments/payment-rail.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import { openVoPayUnderTest, type VoPayUnderTest } from './rail-under-test.ts';

describe('VoPay’s responses to a money request', () => {
  let bench: VoPayUnderTest;
  before(async () => {
    bench = await openVoPayUnderTest();
  });
  beforeEach(() => bench.reset());
  after(() => bench.close());

  const start = (order: PaymentOrder, deadline = noDeadline()) => bench.rail.start(order, null, deadline);
  const ask = (order: PaymentOrder) => bench.rail.ask(order, noDeadline());
  const faults = (which: object) => bench.control('faults', which);
  const summary = () => bench.control('summary');
  const act = ({ reference }: PaymentOrder, behaviour: string) => bench.control('act', { reference, behaviour });
  const book = async () => (await bench.control('book'))['entries'] as Record<string, unknown>[];

  /** A payment whose payer has the message. */
  async function started(change: Partial<PaymentOrder> = {}): Promise<PaymentOrder> {
    const order = bench.order(change);
    const answer = await start(order);
    assert.ok(answer.kind === 'step', JSON.stringify(answer));
    bench.clock.advance(SECOND_MS);
    return { ...order, providerReference: answer.providerReference, kept: answer.keep };
  }

  async function assertChargedOnce(order: PaymentOrder): Promise<void> {
    const { credits, charged_over_once } = await summary();
    assert.deepEqual([credits, charged_over_once], [1, []]);
    assert.equal((await book()).find(({ kind }) => kind === 'credited')?.['reference'], order.reference);
  }

  for (const [money_requests, count] of [
    ['accept_unanswered', 1],
    ['lose', 0],
  ] as const)
    it(`a timeout of a VoPay money request leaves its outcome unknown until a status query returns its state (${money_requests})`, async () => {
      await faults({ money_requests });
      const order = bench.order();
      assert.deepEqual(await start(order, deadlineAfter(150)), { kind: 'unknown', reason: 'no response in time' });
      await faults({ money_requests: 'accept' });
      const asked = await ask(order);
      assert.equal(asked.kind, count === 1 ? 'step' : 'not_found');
      assert.equal((await summary())['money_requests'], count);
    });

  for (const money_requests of ['accept_500', 'accept_and_answer_error'])
    it(`a failure of VoPay after it accepted a money request leaves its outcome unknown until a query finds it (${money_requests})`, async () => {
      await faults({ money_requests });
      const order = bench.order();
      assert.equal((await start(order)).kind, 'unknown');
      assert.equal((await ask(order)).kind, 'step');
      assert.equal((await summary())['money_requests'], 1);
    });

  it('a failure of VoPay before it accepted a money request leaves its outcome unknown, and a query does not find it', async () => {
    await faults({ money_requests: 'answer_error' });
    const order = bench.order();
    assert.deepEqual(await start(order), { kind: 'unknown', reason: 'VoPay reports 9998 Internal error' });
    assert.deepEqual(await ask(order), { kind: 'not_found' });
    await faults({ money_requests: 'accept', answer_500: 1 });
    assert.deepEqual(await start(bench.order()), { kind: 'unknown', reason: 'HTTP 500' });
  });

  it('a dropped connection leaves the outcome of a VoPay money request unknown; a refused connection means that VoPay did not accept it', async () => {
    await faults({ down: true });
    assert.equal((await start(bench.order())).kind, 'unknown');
    assert.equal((await ask(bench.order())).kind, 'unknown');
    const nobody = bench.connect({ url: 'http://127.0.0.1:1/api/v2' });
    const answer = await nobody.rail.start(bench.order(), null, noDeadline());
    assert.deepEqual(answer, { kind: 'not_accepted', reason: 'no connection: ECONNREFUSED' });
    assert.equal((await nobody.rail.ask(bench.order(), noDeadline())).kind, 'unknown');
    await nobody.close();
  });

  describe('rejected money requests', () => {
    it('a VoPay money request rejected for the payer’s details may be retried by the payer', async () => {
      const answer = await start(bench.order({}, { email: 'nobody' }));
      assert.ok(answer.kind === 'refused', JSON.stringify(answer));
      assert.deepEqual([answer.refusal, answer.canRetry], ['payer_details', true]);
      assert.equal((await summary())['money_requests'], 0);
    });

    it('a VoPay money request rejected for its amount may not be retried', async () => {
      await faults({ money_requests: 'over_limit' });
      const answer = await start(bench.order());
      assert.deepEqual(answer.kind === 'refused' && [answer.refusal, answer.canRetry], ['limit', false]);
    });

    it('a VoPay rejection has no effect if a query finds the money request', async () => {
      const order = await started();
      await faults({ money_requests: 'refuse' });
      const answer = await start({ ...order, providerReference: '' });
      assert.equal(answer.kind, 'step');
      assert.equal((await summary())['money_requests'], 1);
    });

    it('a VoPay rejection of a money request has no effect while VoPay does not respond to queries', async () => {
      await faults({ money_requests: 'refuse', look_ups: 'answer_error' });
      assert.equal((await start(bench.order())).kind, 'unknown');
    });

    it('a VoPay rejection as a duplicate does not decline the money request', async () => {
      const order = await started();
      await faults({ repetitions: 'refuse' });
      assert.equal((await start(order)).kind, 'unknown');
      await faults({ repetitions: 'replay' });
      const answer = await start(order);
      assert.equal(answer.kind === 'step' && answer.providerReference, order.providerReference);
      assert.equal((await summary())['money_requests'], 1);
    });

    it('a VoPay money request that the account does not permit is not accepted, and the rail reports the credential', async () => {
      await faults({ money_requests: 'not_enabled' });
      const own = bench.connect();
      const answer = await own.rail.start(bench.order(), null, noDeadline());
      assert.equal(answer.kind, 'not_accepted');
      assert.deepEqual(own.refusedCredentials, ['vopay']);
      await own.close();
    });
  });

  describe('refused signatures at VoPay', () => {
    for (const numbered of [true, false])
      it(`a money request whose signature VoPay refuses ${numbered ? 'with' : 'without'} a number is not accepted, and the rail reports the credential`, async () => {
        await faults({ numbered });
        for (const wrong of [{ key: new Secret('x') }, { sharedSecret: new Secret('x') }, { accountId: 'x' }]) {
          const stranger = bench.connect(wrong);
          const answer = await stranger.rail.start(bench.order(), null, noDeadline());
          assert.equal(answer.kind, 'not_accepted');
          assert.deepEqual(stranger.refusedCredentials, ['vopay']);
          assert.equal((await stranger.rail.ask(bench.order(), noDeadline())).kind, 'unknown');
          await stranger.close();
        }
        assert.equal((await summary())['money_requests'], 0);
      });

    /** `untilMidnight` is on the shared clock. VoPay's day is ahead by `day_shift_min` minutes. */
    const shifts: readonly (readonly [what: string, untilMidnight: number, minutes: number])[] = [
      ['just before midnight, when VoPay has the next day', SECOND_MS, 1],
      ['just after midnight, when VoPay has the day before', -SECOND_MS, -1],
      ['in the night, when VoPay uses Vancouver’s time', -5 * HOUR_MS, -8 * 60],
      ['in the afternoon, when VoPay uses a far eastern time zone', 9 * HOUR_MS, 10 * 60],
    ];
    for (const [what, untilMidnight, day_shift_min] of shifts)
      it(`a VoPay signature ${what} is repeated for the neighbouring day, and nothing is sent twice`, async () => {
        const now = bench.clock.now();
        const midnight = Math.ceil(now / DAY_MS) * DAY_MS;
        const wait = midnight - untilMidnight - now;
        bench.clock.advance(wait > 0 ? wait : wait + DAY_MS);
        await faults({ day_shift_min });
        const order = await started();
        await act(order, 'accept');
        bench.clock.advance(SECOND_MS);
        await faults({ day_shift_min });
        assert.equal((await ask(order)).kind, 'paid');
        assert.deepEqual(bench.refusedCredentials, []);
        assert.equal((await summary())['money_requests'], 1);
        await assertChargedOnce(order);
      });

    it('a VoPay money request that times out under the neighbouring day’s signature has an unknown outcome until a query finds it', async () => {
      bench.clock.advance(DAY_MS - (bench.clock.now() % DAY_MS));
      await faults({ day_shift_min: -1, money_requests: 'accept_unanswered' });
      const order = bench.order();
      assert.equal((await start(order, deadlineAfter(200))).kind, 'unknown');
      await faults({ money_requests: 'accept' });
      assert.equal((await ask(order)).kind, 'step');
      assert.equal((await summary())['money_requests'], 1);
    });
  });
});
