/** The rail over Trustly's simulator over HTTP, both on one clock that the test moves; Trustly's book proves who was charged. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { deadlineAfter, noDeadline } from '../../../test/support/deadlines.ts';
import type { PaymentAnswer, PaymentOrder, PaymentStatus, RefundOrder } from '../../domain/payments/payment-rail.ts';
import { DAY_MS, HOUR_MS } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import { openTrustlyUnderTest, type TrustlyUnderTest } from './rail-under-test.ts';

describe('the rail over Trustly', () => {
  let bench: TrustlyUnderTest;

  before(async () => {
    bench = await openTrustlyUnderTest();
  });
  beforeEach(() => bench.reset());
  after(() => bench.close());

  const start = (order: PaymentOrder) => bench.rail.start(order, null, noDeadline());
  const ask = (order: PaymentOrder) => bench.rail.ask(order, noDeadline());
  const summary = () => bench.control('summary');
  const faults = (which: object) => bench.control('faults', which);

  function frameOf(answer: PaymentAnswer | PaymentStatus) {
    assert.ok(answer.kind === 'step' && answer.step.kind === 'frame', JSON.stringify(answer));
    return { url: answer.step.url, keep: answer.keep, providerReference: answer.providerReference };
  }

  /** An order whose page is open. */
  async function opened(change: Partial<PaymentOrder> = {}): Promise<PaymentOrder> {
    const order = bench.order(change);
    const { keep, providerReference } = frameOf(await start(order));
    return { ...order, kept: keep, providerReference };
  }

  async function paid(change: Partial<PaymentOrder> = {}): Promise<PaymentOrder> {
    const order = await opened(change);
    await bench.control('act', { orderid: order.providerReference, behaviour: 'pay' });
    return order;
  }

  it('has a page opened for the payer, told in Trustly’s fields', async () => {
    const order = await opened();
    assert.match(order.providerReference, /^\d+$/);
    assert.equal(new URL(order.kept).origin, bench.url);
    assert.equal((await fetch(order.kept)).status, 200);
    const [entry] = (await bench.control('book'))['entries'] as Record<string, unknown>[];
    const told = ['messageId', 'payer', 'amount', 'statement', 'successUrl', 'failUrl', 'urlTarget'];
    assert.deepEqual(
      told.map((name) => entry?.[name]),
      [
        order.reference,
        'Aino Öberg',
        '100.50',
        'Unique Shop Ltd',
        'https://pay.example/payment/form/token/back?attempt=secret&trustly=success',
        'https://pay.example/payment/form/token/back?attempt=secret&trustly=fail',
        '_top',
      ],
    );
  });

  it('tells Trustly of the same payer of the same merchant as one, and of no other so', async () => {
    const endUser = async (change: Partial<PaymentOrder>, userId: string) => {
      await start(bench.order(change, { userId }));
      const { entries } = (await bench.control('book')) as { entries: Record<string, string>[] };
      return entries.at(-1)?.['endUserId'];
    };
    const first = await endUser({}, 'u-1');
    assert.equal(await endUser({}, 'u-1'), first);
    assert.notEqual(await endUser({}, 'u-2'), first);
    assert.notEqual(await endUser({ merchantName: 'Another' }, 'u-1'), first);
    assert.notEqual(await endUser({}, ''), await endUser({}, ''));
  });

  it('needs neither a phone number nor an address, nor a merchant’s name that a bank can print', async () => {
    frameOf(await start(bench.order({ merchantName: 'Магазин' }, { phone: '', ip: '' })));
  });

  it('takes the payer’s coming back for his own word', async () => {
    const order = await opened();
    for (const trustly of ['success', 'fail', 'x']) {
      const answer = await bench.rail.goOn(order, { fields: { trustly } }, noDeadline());
      assert.deepEqual(answer, {
        kind: 'pending',
        isAuthorised: false,
        keep: order.kept,
        providerReference: order.providerReference,
      });
    }
  });

  for (const deposits of ['take_unanswered', 'lose']) {
    it(`after a time-out (${deposits}) knows that the payer saw no page, so that nobody can pay`, async () => {
      await faults({ deposits });
      const order = bench.order();
      const answer = await bench.rail.start(order, null, deadlineAfter(150));
      assert.deepEqual(answer, { kind: 'unknown', reason: 'no answer in time' });
      assert.deepEqual(await ask(order), { kind: 'not_found' });
      await faults({ deposits: 'take' });
      assert.deepEqual(await ask(order), { kind: 'not_found' }, 'asking opens no page');
    });
  }

  const repeated = [{ deposits: 'take_500' }, { answer_500: 1 }, { answer_500: 2 }];
  for (const fault of repeated) {
    it(`gets the page by the same call again (${JSON.stringify(fault)}), and opens one order only`, async () => {
      await faults(fault);
      const order = bench.order();
      const first = frameOf(await start(order));
      assert.deepEqual(frameOf(await start(order)), first);
      assert.equal((await summary())['orders'], 1);
      await bench.control('act', { orderid: first.providerReference, behaviour: 'pay' });
      assert.deepEqual([(await summary())['credits'], (await summary())['charged_over_once']], [1, []]);
    });
  }

  it('takes a 500 for unknown in the end, and concludes nothing from what a later call is answered', async () => {
    await faults({ answer_500: 3 });
    assert.deepEqual(await start(bench.order()), { kind: 'unknown', reason: 'HTTP 500' });
    await faults({ answer_500: 1, deposits: 'refuse' });
    const reason = 'Trustly says 638 ERROR_ENDUSER_IS_BLOCKED';
    assert.deepEqual(await start(bench.order()), { kind: 'unknown', reason });
  });

  it('learns nothing when Trustly has the MessageID under another call', async () => {
    const order = bench.order();
    await start(order);
    const reason = 'Trustly says 637 ERROR_DUPLICATE_MESSAGE_ID';
    assert.deepEqual(await start({ ...order, merchantName: 'Another name' }), { kind: 'unknown', reason });
    assert.equal((await summary())['orders'], 1);
  });

  it('is refused by Trustly, and says for what', async () => {
    await faults({ deposits: 'refuse' });
    const common = { kind: 'refused', providerReference: '' };
    assert.deepEqual(await start(bench.order()), {
      ...common,
      refusal: 'suspected_fraud',
      canRetry: false,
      detail: 'Trustly says 638 ERROR_ENDUSER_IS_BLOCKED',
    });
    await faults({ deposits: 'take' });
    const details = { refusal: 'payer_details', canRetry: true, detail: 'Trustly says 623 ERROR_INVALID_PARAMETERS' };
    assert.deepEqual(await start(bench.order({}, { email: '' })), { ...common, ...details });
    await faults({ deposits: 'error_620' });
    assert.deepEqual(await start(bench.order()), { kind: 'unknown', reason: 'Trustly says 620 ERROR_UNKNOWN' });
    assert.equal((await summary())['orders'], 0);
  });

  const strangers: readonly (readonly [what: string, change: object, why: string])[] = [
    ['another password', { password: new Secret('another') }, 'Trustly says 616 ERROR_INVALID_CREDENTIALS'],
    ['another user', { username: 'another' }, 'Trustly says 616 ERROR_INVALID_CREDENTIALS'],
    ['a key that Trustly does not know', {}, 'Trustly says 636 ERROR_UNABLE_TO_VERIFY_RSA_SIGNATURE'],
  ];
  for (const [what, change, reason] of strangers) {
    it(`with ${what} knows that nothing was taken, says so and alarms`, async () => {
      const keys =
        Object.keys(change).length > 0 ? {} : { privateKeyFile: join(bench.folder, 'another-private-key.pem') };
      const stranger = bench.connect({ ...change, ...keys });
      const order = bench.order();
      assert.deepEqual(await stranger.rail.start(order, null, noDeadline()), { kind: 'not_taken', reason });
      assert.deepEqual(stranger.refusedCredentials, ['trustly']);
      assert.equal((await summary())['orders'], 0);
      await stranger.close();
    });
  }

  it('shows no page that Trustly did not sign', async () => {
    await faults({ deposits: 'foreign_key' });
    assert.deepEqual(await start(bench.order()), { kind: 'unknown', reason: 'the answer is not signed by Trustly' });
  });

  it('without a key that can be read asks nothing, and knows it', async () => {
    const nowhere = join(bench.folder, 'nowhere.pem');
    for (const change of [{ privateKeyFile: nowhere, simulated: false }, { publicKeyFile: nowhere }]) {
      const keyless = bench.connect(change);
      const answer = await keyless.rail.start(bench.order(), null, noDeadline());
      assert.ok(answer.kind === 'not_taken' && /check TRUSTLY_(?:PRIVATE|PUBLIC)_KEY_FILE$/.test(answer.reason));
      await keyless.close();
    }
    assert.equal((await summary())['orders'], 0);
  });

  it('learns nothing from a connection that breaks, and that nothing was taken from one that was never made', async () => {
    await faults({ down: true });
    assert.equal((await start(bench.order())).kind, 'unknown');
    const nobody = bench.connect({ url: 'http://127.0.0.1:1/api/1' });
    const answer = await nobody.rail.start(bench.order(), null, noDeadline());
    assert.deepEqual(answer, { kind: 'not_taken', reason: 'no connection: ECONNREFUSED' });
    await nobody.close();
  });

  describe('asked about an order whose notification never came', () => {
    beforeEach(() => faults({ notifications: 'off' }));

    it('finds the money in the ledger once it has settled', async () => {
      const [order, other] = [await paid(), await paid()];
      const calls = bench.clock.now();
      assert.deepEqual(frameOf(await ask(order)).url, order.kept, 'the payer may still be at the page');
      assert.equal((await ask({ ...order, kept: '' })).kind, 'unknown', 'nothing settles at once');
      bench.clock.advance(HOUR_MS);
      const { providerReference } = order;
      const money = { currency: 'EUR', minor: 10_050n };
      assert.deepEqual(await ask(order), { kind: 'paid', money, payerAccount: '', providerReference });
      bench.clock.advance(3 * DAY_MS - (bench.clock.now() - calls));
      assert.equal((await ask({ ...other, kept: '' })).kind, 'paid');
    });

    it('says what came, and not what was asked for', async () => {
      const order = await opened();
      await bench.control('act', { orderid: order.providerReference, behaviour: 'pay_twice' });
      bench.clock.advance(HOUR_MS);
      const answer = await ask(order);
      assert.deepEqual(answer.kind === 'paid' && answer.money, { currency: 'EUR', minor: 20_100n });
    });

    it('knows nothing as long as nothing is listed, whoever else has paid', async () => {
      const [order, failing] = [await opened(), await opened()];
      await bench.control('act', { orderid: failing.providerReference, behaviour: 'pay_and_fail' });
      await paid();
      bench.clock.advance(HOUR_MS);
      const reason = 'Trustly tells by itself how an order ended; its ledger has nothing so far';
      for (const unlisted of [order, failing, { ...order, reference: '9-ZzZz9999' }]) {
        assert.deepEqual(await ask(unlisted), { kind: 'unknown', reason });
      }
    });
  });

  describe('a refund', () => {
    let refunds = 0;
    const refundOf = (payment: PaymentOrder, minor: bigint): RefundOrder => {
      return {
        payment,
        reference: `${++refunds}-ReFu1234`,
        money: { currency: 'EUR', minor },
        startedAt: payment.startedAt,
      };
    };
    const refund = (order: RefundOrder, deadline = noDeadline()) => bench.rail.refund?.(order, deadline);
    const askRefund = (order: RefundOrder) => bench.rail.askRefund?.(order, noDeadline());

    it('gives back in parts, and never more than was paid', async () => {
      const payment = await paid();
      assert.deepEqual(await refund(refundOf(payment, 5_000n)), { kind: 'refunded' });
      assert.deepEqual(await refund(refundOf(payment, 5_050n)), { kind: 'refunded' });
      const reason = 'Trustly says 615 ERROR_INVALID_AMOUNT';
      assert.deepEqual(await refund(refundOf(payment, 1n)), { kind: 'refused', reason });
      assert.equal((await summary())['balance'], '0.00');
    });

    it('of what was not paid is refused', async () => {
      const answer = await refund(refundOf(await opened(), 1n));
      assert.deepEqual(answer, { kind: 'refused', reason: 'Trustly says 623 ERROR_INVALID_PARAMETERS' });
    });

    for (const mode of ['take_unanswered', 'lose', 'take_500']) {
      it(`is given once after a call without an answer (${mode}), however often it is asked for`, async () => {
        const order = refundOf(await paid(), 4_000n);
        await faults({ refunds: mode });
        assert.equal((await refund(order, deadlineAfter(150)))?.kind, 'unknown');
        await faults({ refunds: 'take' });
        for (let times = 0; times < 3; times++) assert.deepEqual(await askRefund(order), { kind: 'refunded' });
        await faults({ refunds: 'refuse' });
        assert.equal((await askRefund(refundOf(order.payment, 1n)))?.kind, 'unknown');
        const { refunds: given, refunded_amount } = await summary();
        assert.deepEqual([given, refunded_amount], [1, '40.00']);
      });
    }

    it('whose answer proves nothing stays unknown', async () => {
      const order = refundOf(await paid(), 4_000n);
      for (const mode of ['foreign_key', 'error_620']) {
        await faults({ refunds: mode });
        assert.equal((await refund(refundOf(order.payment, 1n)))?.kind, 'unknown', mode);
      }
      const nobody = bench.connect({ url: 'http://127.0.0.1:1/api/1' });
      assert.equal((await nobody.rail.refund?.(order, noDeadline()))?.kind, 'not_taken');
      assert.equal((await nobody.rail.askRefund?.(order, noDeadline()))?.kind, 'unknown');
      await nobody.close();
    });
  });
});
