/** Runs payouts against WayForPay's simulator. Its book proves that no payout was executed twice. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { deadlineAfter, noDeadline } from '../../../test/support/tools/deadlines.ts';
import type { PayoutOrder } from '../../domain/payouts/payout-rail.ts';
import { DAY_MS, SECOND_MS } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import { CARD, openWayForPayUnderTest, type WayForPayUnderTest } from './rail-under-test.ts';

describe('payouts over WayForPay', () => {
  let bench: WayForPayUnderTest;
  before(async () => {
    bench = await openWayForPayUnderTest();
  });
  beforeEach(() => bench.reset());
  after(() => bench.close());

  const send = (order: PayoutOrder, deadline = noDeadline()) => bench.rail.send(order, deadline);
  const ask = (order: PayoutOrder) => bench.rail.ask(order, noDeadline());
  const summary = () => bench.control('summary');
  const executed = { kind: 'executed' };

  async function assertExecuted(times: number): Promise<void> {
    const { executions, executed_over_once } = await summary();
    assert.deepEqual([executions, executed_over_once], [times, []]);
  }

  it('a WayForPay payout by each method is executed, and a status query confirms it', async () => {
    const orders = [bench.order(), bench.order({ method: 16 }), bench.toIban()];
    assert.deepEqual(
      [...bench.rail.methods].sort((one, other) => one - other),
      orders.map(({ method }) => method),
    );
    for (const order of orders) {
      assert.deepEqual(await send(order), executed);
      assert.deepEqual(await ask(order), executed);
    }
    await assertExecuted(3);
  });

  it('a payout shows the unmasked card number to WayForPay only', async () => {
    await send(bench.order());
    const { entries } = (await bench.control('book')) as { entries: { beneficiary: string }[] };
    assert.equal(entries[0]?.beneficiary, '41****1111');
  });

  for (const signing of ['by_kind', 'general'])
    it(`a payout is executed if WayForPay signs its response ${signing}`, async () => {
      await bench.faults({ signing });
      assert.deepEqual(await send(bench.order()), executed);
      assert.deepEqual(await send(bench.toIban()), executed);
    });

  const declines: readonly (readonly [reason_code: number, blockedReason: string])[] = [
    [1139, 'bank_declined'],
    [1146, 'invalid_beneficiary'],
    [1140, 'limit_or_risk'],
  ];
  for (const [reason_code, blockedReason] of declines)
    it(`a payout with WayForPay’s reason ${reason_code} is declined as ${blockedReason}`, async () => {
      await bench.faults({ payouts: 'decline', reason_code });
      const order = bench.order();
      for (const answer of [await send(order), await ask(order)])
        assert.equal(answer.kind === 'declined' && answer.blockedReason, blockedReason);
      await assertExecuted(0);
    });

  for (const [payouts, end] of [
    ['approve_later', 'executed'],
    ['decline_later', 'declined'],
  ])
    it(`a slow WayForPay payout is pending and then ${end}`, async () => {
      await bench.faults({ payouts });
      const order = bench.order();
      assert.deepEqual(await send(order), { kind: 'pending' });
      assert.deepEqual(await ask(order), { kind: 'pending' });
      bench.clock.advance(2 * SECOND_MS);
      assert.equal((await ask(order)).kind, end);
    });

  it('a payout that WayForPay returns later is reversed', async () => {
    await bench.faults({ payouts: 'reverse_later' });
    const order = bench.toIban();
    assert.deepEqual(await send(order), executed);
    bench.clock.advance(5 * SECOND_MS);
    assert.deepEqual(await ask(order), { kind: 'reversed', reason: 'returned to us by WayForPay' });
  });

  for (const payouts of ['approve_unanswered', 'approve_500', 'approve_and_answer_error'])
    it(`a WayForPay payout that was executed without a response has an unknown outcome until a status query finds it (${payouts})`, async () => {
      await bench.faults({ payouts });
      const order = bench.order();
      assert.equal((await send(order, deadlineAfter(150))).kind, 'unknown');
      assert.deepEqual(await ask(order), executed);
      await assertExecuted(1);
    });

  for (const payouts of ['lose', 'answer_error'])
    it(`a WayForPay payout that never arrived has an unknown outcome, and a status query does not find it (${payouts})`, async () => {
      await bench.faults({ payouts });
      const order = bench.order();
      assert.equal((await send(order, deadlineAfter(150))).kind, 'unknown');
      assert.deepEqual(await ask(order), { kind: 'not_found' });
      await assertExecuted(0);
    });

  it('a repeated WayForPay payout is pending while WayForPay does not list the first payout', async () => {
    await bench.faults({ status: 'not_yet' });
    const order = bench.order();
    await send(order);
    assert.deepEqual(await send(order), {
      kind: 'pending',
      note: 'WayForPay has an order under this reference',
    });
    await bench.faults({ status: 'answer' });
    assert.deepEqual(await ask(order), executed);
    await assertExecuted(1);
  });

  it('a WayForPay payout with a short float is not accepted and is executed later under the same reference', async () => {
    await bench.faults({ payouts: 'no_float' });
    const order = bench.order();
    const reason = 'WayForPay reports 1136: our balance there is too small';
    assert.deepEqual(await send(order), { kind: 'not_accepted', reason });
    await bench.faults({ payouts: 'approve' });
    assert.deepEqual(await send(order), executed);
    await assertExecuted(1);
  });

  it('a WayForPay payout from a restricted account is not accepted', async () => {
    await bench.faults({ payouts: 'refuse', reason_code: 1118 });
    assert.equal((await send(bench.order())).kind, 'not_accepted');
  });

  describe('rejected WayForPay payouts', () => {
    it('a WayForPay payout that no retry can correct is declined', async () => {
      await bench.faults({ payouts: 'refuse', reason_code: 1105 });
      const reason = 'WayForPay reports 1105: no valid card';
      assert.deepEqual(await send(bench.order()), { kind: 'declined', blockedReason: 'invalid_beneficiary', reason });
    });

    it('a WayForPay rejection takes effect only after a query confirms that WayForPay has no such order', async () => {
      const order = bench.order();
      await send(order);
      await bench.faults({ payouts: 'refuse', reason_code: 1105 });
      assert.deepEqual(await send(order), executed);
      await bench.faults({ status: 'answer_error' });
      assert.equal((await send(bench.order())).kind, 'unknown');
    });

    it('a payout to an account that WayForPay does not accept is declined', async () => {
      const beneficiary = { account: 'UA213223130000026007233566001', full_name: 'Ivan P', customs_inn: '1' };
      const answer = await send(bench.toIban({ beneficiary }));
      assert.equal(answer.kind === 'declined' && answer.blockedReason, 'unspecified');
    });
  });

  it('a WayForPay payout with an invalid credential is not accepted, and the rail reports the credential', async () => {
    for (const change of [{ secretKey: new Secret('another') }, { merchantAccount: 'another' }]) {
      const wrong = bench.connect(change);
      const order = bench.order();
      assert.equal((await wrong.rail.send(order, noDeadline())).kind, 'not_accepted');
      assert.equal((await wrong.rail.ask(order, noDeadline())).kind, 'unknown');
      assert.deepEqual(wrong.refusedCredentials, ['wayforpay', 'wayforpay']);
      assert.deepEqual(await ask(order), { kind: 'not_found' });
      await wrong.close();
    }
    assert.deepEqual(bench.refusedCredentials, []);
  });

  it('a dropped connection leaves the outcome of a WayForPay payout unknown; a refused connection means that WayForPay did not accept it', async () => {
    await bench.faults({ down: true });
    assert.equal((await send(bench.order())).kind, 'unknown');
    assert.equal((await ask(bench.order())).kind, 'unknown');
    const nobody = bench.connect({ url: 'http://127.0.0.1:1' });
    const reason = 'no connection: ECONNREFUSED';
    assert.deepEqual(await nobody.rail.send(bench.order(), noDeadline()), { kind: 'not_accepted', reason });
    assert.equal((await nobody.rail.ask(bench.order(), noDeadline())).kind, 'unknown');
    await nobody.close();
  });

  it('a payout is in WayForPay’s list of its day', async () => {
    const day = bench.lister.dayOf(bench.clock.now());
    const [card, iban] = [bench.order(), bench.toIban({ money: { currency: 'UAH', minor: 200n } })];
    await send(card);
    await bench.faults({ payouts: 'decline' });
    await send(iban);
    const list = (of: string) => bench.lister.payoutsOf(of, new AbortController().signal);
    const listed = ({ reference, money }: PayoutOrder) => ({ reference, providerId: reference, money });
    assert.deepEqual(await list(day), {
      payouts: [
        { ...listed(card), state: 'executed' },
        { ...listed(iban), state: 'declined' },
      ],
      unreadable: [],
    });
    assert.deepEqual(await list(bench.lister.dayOf(bench.clock.now() - DAY_MS)), { payouts: [], unreadable: [] });
    await bench.faults({ down: true });
    await assert.rejects(list(day), { name: 'ListIncomplete' });
  });

  it('a payout reduces our balance at WayForPay', async () => {
    await send(bench.order());
    assert.deepEqual(await bench.float.read(noDeadline()), {
      ok: true,
      value: [{ currency: 'UAH', minor: 999_989_930n }],
    });
    const wrong = bench.connect({ secretKey: new Secret('another') });
    assert.deepEqual(await wrong.float.read(noDeadline()), { ok: false, error: 'WayForPay reports 1113' });
    await wrong.close();
    await bench.faults({ down: true });
    assert.equal((await bench.float.read(noDeadline())).ok, false);
  });

  it('a WayForPay response about a payout never contains the card number', async () => {
    for (const payouts of ['decline', 'refuse', 'no_float', 'answer_error', 'lose']) {
      await bench.faults({ payouts });
      assert.doesNotMatch(JSON.stringify(await send(bench.order(), deadlineAfter(150))), new RegExp(CARD));
    }
  });
});

describe('WayForPay’s notifications of payouts', () => {
  let bench: WayForPayUnderTest;
  before(async () => {
    bench = await openWayForPayUnderTest();
  });
  beforeEach(() => bench.reset());
  after(() => bench.close());

  /** Sends a payout and processes what is due next. */
  async function paid(faults: object, order = bench.order()): Promise<PayoutOrder> {
    await bench.faults(faults);
    await bench.rail.send(order, noDeadline());
    bench.clock.advance(100);
    return order;
  }
  const executedNews = ({ reference, money }: PayoutOrder) => [{ kind: 'executed', reference, money }];

  it('each final state of a WayForPay payout is reported, and acknowledged with our signature', async () => {
    const [card, iban] = [await paid({}), await paid({}, bench.toIban())];
    await bench.untilNotified(2);
    assert.deepEqual(bench.notified, [executedNews(card), executedNews(iban)]);
    bench.clock.advance(60 * SECOND_MS);
    await bench.untilNotified(2);
  });

  it('a pending WayForPay status is acknowledged and ignored, and the final status is reported', async () => {
    const order = await paid({ payouts: 'decline_later', reason_code: 1142 });
    await bench.untilNotified(1);
    bench.clock.advance(2 * SECOND_MS);
    const { reference, money } = order;
    const reason = 'WayForPay reports 1142: the credit was declined';
    const declined = [{ kind: 'declined', blockedReason: 'bank_declined', reason, reference, money }];
    assert.deepEqual(await bench.untilNotified(2), [[], declined]);
  });

  it('a payout that WayForPay returned is reported as reversed', async () => {
    const { reference, money } = await paid({ payouts: 'reverse_later' });
    await bench.untilNotified(1);
    bench.clock.advance(5 * SECOND_MS);
    const reversed = [{ kind: 'reversed', reason: 'returned to us by WayForPay', reference, money }];
    assert.deepEqual((await bench.untilNotified(2))[1], reversed);
  });

  it('a notification of WayForPay may arrive before the response', async () => {
    const order = bench.order();
    await bench.faults({ payouts: 'approve_notified_first' });
    await bench.rail.send(order, noDeadline());
    assert.deepEqual(await bench.untilNotified(1), [executedNews(order)]);
  });

  it('a duplicate WayForPay notification reports the same event again', async () => {
    const order = await paid({ callbacks: 'twice' });
    assert.deepEqual(await bench.untilNotified(2), [executedNews(order), executedNews(order)]);
  });

  it('a notification with WayForPay’s general signature is accepted', async () => {
    const order = await paid({ signing: 'general' });
    assert.deepEqual(await bench.untilNotified(1), [executedNews(order)]);
  });

  it('a notification of WayForPay with a different amount reports that amount', async () => {
    await paid({ callbacks: 'wrong_amount' });
    const [[news] = []] = (await bench.untilNotified(1)) as unknown as { money: object }[][];
    assert.deepEqual(news?.money, { currency: 'UAH', minor: 99_999_999n });
  });

  it('a notification of WayForPay signed with an invalid key is unauthentic', async () => {
    await paid({ callbacks: 'forged' });
    assert.deepEqual(await bench.untilNotified(1), [{ failure: 'unauthentic' }]);
  });
});
