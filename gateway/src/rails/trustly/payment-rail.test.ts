/**
 * Runs payments against Trustly's simulator over HTTP. Both use one clock that the test moves. Trustly's book proves
 * who was charged.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { deadlineAfter, noDeadline } from '../../../test/support/tools/deadlines.ts';
import type { PaymentAnswer, PaymentOrder, PaymentStatus, RefundOrder } from '../../domain/payments/payment-rail.ts';
import { DAY_MS, HOUR_MS } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import { openTrustlyUnderTest, type TrustlyUnderTest } from './rail-under-test.ts';

describe('payments over Trustly', () => {
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

  it('a Trustly payment opens a page for its payer, and its Deposit contains the fields of the order', async () => {
    const order = await opened();
    assert.match(order.providerReference, /^\d+$/);
    assert.equal(new URL(order.kept).origin, bench.url);
    assert.equal((await fetch(order.kept)).status, 200);
    const [entry] = (await bench.control('book'))['entries'] as Record<string, unknown>[];
    const sent = ['messageId', 'payer', 'amount', 'statement', 'successUrl', 'failUrl', 'urlTarget'];
    assert.deepEqual(
      sent.map((name) => entry?.[name]),
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

  it('each payer of each merchant has a distinct and constant EndUserID at Trustly', async () => {
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

  it('a Trustly payment needs neither a phone number nor an address', async () => {
    frameOf(await start(bench.order({ merchantName: 'Магазин' }, { phone: '', ip: '' })));
  });

  it('a payer’s return from Trustly leaves the payment pending', async () => {
    const order = await opened();
    for (const trustly of ['success', 'fail', 'x']) {
      const answer = await bench.rail.handleReturn(order, { fields: { trustly } }, noDeadline());
      assert.deepEqual(answer, {
        kind: 'pending',
        isAuthorised: false,
        keep: order.kept,
        providerReference: order.providerReference,
      });
    }
  });

  for (const deposits of ['accept_unanswered', 'lose']) {
    it(`a Trustly payment after a timeout (${deposits}) is not found, because its payer saw no page`, async () => {
      await faults({ deposits });
      const order = bench.order();
      const answer = await bench.rail.start(order, null, deadlineAfter(150));
      assert.deepEqual(answer, { kind: 'unknown', reason: 'no response in time' });
      assert.deepEqual(await ask(order), { kind: 'not_found' });
      await faults({ deposits: 'accept' });
      assert.deepEqual(await ask(order), { kind: 'not_found' }, 'asking opens no page');
    });
  }

  const repeated = [{ deposits: 'accept_500' }, { answer_500: 1 }, { answer_500: 2 }];
  for (const fault of repeated) {
    it(`a repeated Trustly Deposit returns the same page and opens one order (${JSON.stringify(fault)})`, async () => {
      await faults(fault);
      const order = bench.order();
      const first = frameOf(await start(order));
      assert.deepEqual(frameOf(await start(order)), first);
      assert.equal((await summary())['orders'], 1);
      await bench.control('act', { orderid: first.providerReference, behaviour: 'pay' });
      assert.deepEqual([(await summary())['credits'], (await summary())['charged_over_once']], [1, []]);
    });
  }

  it('a Trustly Deposit has an unknown outcome after repeated 500s, even if a later response is an error', async () => {
    await faults({ answer_500: 3 });
    assert.deepEqual(await start(bench.order()), { kind: 'unknown', reason: 'HTTP 500' });
    await faults({ answer_500: 1, deposits: 'refuse' });
    const reason = 'Trustly reports 638 ERROR_ENDUSER_IS_BLOCKED';
    assert.deepEqual(await start(bench.order()), { kind: 'unknown', reason });
  });

  it('a Trustly Deposit whose MessageID belongs to a different call has an unknown outcome', async () => {
    const order = bench.order();
    await start(order);
    const reason = 'Trustly reports 637 ERROR_DUPLICATE_MESSAGE_ID';
    assert.deepEqual(await start({ ...order, merchantName: 'Another name' }), { kind: 'unknown', reason });
    assert.equal((await summary())['orders'], 1);
  });

  it('a Deposit that Trustly rejects is declined with its reason', async () => {
    await faults({ deposits: 'refuse' });
    const common = { kind: 'refused', providerReference: '' };
    assert.deepEqual(await start(bench.order()), {
      ...common,
      refusal: 'suspected_fraud',
      canRetry: false,
      detail: 'Trustly reports 638 ERROR_ENDUSER_IS_BLOCKED',
    });
    await faults({ deposits: 'accept' });
    const details = {
      refusal: 'payer_details',
      canRetry: true,
      detail: 'Trustly reports 623 ERROR_INVALID_PARAMETERS',
    };
    assert.deepEqual(await start(bench.order({}, { email: '' })), { ...common, ...details });
    await faults({ deposits: 'error_620' });
    assert.deepEqual(await start(bench.order()), { kind: 'unknown', reason: 'Trustly reports 620 ERROR_UNKNOWN' });
    assert.equal((await summary())['orders'], 0);
  });

  const strangers: readonly (readonly [what: string, change: object, why: string])[] = [
    ['another password', { password: new Secret('another') }, 'Trustly reports 616 ERROR_INVALID_CREDENTIALS'],
    ['another user', { username: 'another' }, 'Trustly reports 616 ERROR_INVALID_CREDENTIALS'],
    ['a key that Trustly does not know', {}, 'Trustly reports 636 ERROR_UNABLE_TO_VERIFY_RSA_SIGNATURE'],
  ];
  for (const [what, change, reason] of strangers) {
    it(`a Trustly Deposit with ${what} is not accepted, and the rail reports the credential`, async () => {
      const keys =
        Object.keys(change).length > 0 ? {} : { privateKeyFile: join(bench.folder, 'another-private-key.pem') };
      const stranger = bench.connect({ ...change, ...keys });
      const order = bench.order();
      assert.deepEqual(await stranger.rail.start(order, null, noDeadline()), { kind: 'not_accepted', reason });
      assert.deepEqual(stranger.refusedCredentials, ['trustly']);
      assert.equal((await summary())['orders'], 0);
      await stranger.close();
    });
  }

  it('a page URL in a response without Trustly’s signature is not shown to the payer', async () => {
    await faults({ deposits: 'foreign_key' });
    assert.deepEqual(await start(bench.order()), { kind: 'unknown', reason: 'the response is not signed by Trustly' });
  });

  it('a Trustly payment without a readable key is not sent and not accepted', async () => {
    const nowhere = join(bench.folder, 'nowhere.pem');
    for (const change of [{ privateKeyFile: nowhere, simulated: false }, { publicKeyFile: nowhere }]) {
      const keyless = bench.connect(change);
      const answer = await keyless.rail.start(bench.order(), null, noDeadline());
      assert.ok(answer.kind === 'not_accepted' && /check TRUSTLY_(?:PRIVATE|PUBLIC)_KEY_FILE$/.test(answer.reason));
      await keyless.close();
    }
    assert.equal((await summary())['orders'], 0);
  });

  it('a dropped connection leaves the outcome of a Trustly payment unknown; a refused connection means that Trustly did not accept it', async () => {
    await faults({ down: true });
    assert.equal((await start(bench.order())).kind, 'unknown');
    const nobody = bench.connect({ url: 'http://127.0.0.1:1/api/1' });
    const answer = await nobody.rail.start(bench.order(), null, noDeadline());
    assert.deepEqual(answer, { kind: 'not_accepted', reason: 'no connection: ECONNREFUSED' });
    await nobody.close();
  });

  describe('queries about an order without a notification', () => {
    beforeEach(() => faults({ notifications: 'off' }));

    it('a status query finds the money in Trustly’s ledger after its settlement', async () => {
      const [order, other] = [await paid(), await paid()];
      const calls = bench.clock.now();
      assert.deepEqual(frameOf(await ask(order)).url, order.kept, 'the payer may still be at the page');
      assert.equal((await ask({ ...order, kept: '' })).kind, 'unknown', 'nothing settles immediately');
      bench.clock.advance(HOUR_MS);
      const { providerReference } = order;
      const money = { currency: 'EUR', minor: 10_050n };
      assert.deepEqual(await ask(order), { kind: 'paid', money, payerAccount: '', providerReference });
      bench.clock.advance(3 * DAY_MS - (bench.clock.now() - calls));
      assert.equal((await ask({ ...other, kept: '' })).kind, 'paid');
    });

    it('a status query returns the amount that Trustly’s ledger shows, not the requested amount', async () => {
      const order = await opened();
      await bench.control('act', { orderid: order.providerReference, behaviour: 'pay_twice' });
      bench.clock.advance(HOUR_MS);
      const answer = await ask(order);
      assert.deepEqual(answer.kind === 'paid' && answer.money, { currency: 'EUR', minor: 20_100n });
    });

    it('a Trustly order stays unknown while the ledger does not list an entry for it, even if other payers have paid', async () => {
      const [order, failing] = [await opened(), await opened()];
      await bench.control('act', { orderid: failing.providerReference, behaviour: 'pay_and_fail' });
      await paid();
      bench.clock.advance(HOUR_MS);
      const reason = 'Trustly reports the end of an order by notification; its ledger has no entry so far';
      for (const unlisted of [order, failing, { ...order, reference: '9-ZzZz9999' }]) {
        assert.deepEqual(await ask(unlisted), { kind: 'unknown', reason });
      }
    });
  });

  describe('refunds over Trustly', () => {
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
    const repeatRefund = (order: RefundOrder) => bench.rail.repeatRefund?.(order, noDeadline());

    it('partial Trustly refunds are accepted up to the paid amount, and another refund is rejected', async () => {
      const payment = await paid();
      assert.deepEqual(await refund(refundOf(payment, 5_000n)), { kind: 'refunded' });
      assert.deepEqual(await refund(refundOf(payment, 5_050n)), { kind: 'refunded' });
      const reason = 'Trustly reports 615 ERROR_INVALID_AMOUNT';
      assert.deepEqual(await refund(refundOf(payment, 1n)), { kind: 'refused', reason });
      assert.equal((await summary())['balance'], '0.00');
    });

    it('a Trustly refund of an unpaid order is rejected', async () => {
      const answer = await refund(refundOf(await opened(), 1n));
      assert.deepEqual(answer, { kind: 'refused', reason: 'Trustly reports 623 ERROR_INVALID_PARAMETERS' });
    });

    for (const mode of ['accept_unanswered', 'lose', 'accept_500']) {
      it(`a Trustly refund whose response was lost (${mode}) is executed once, even if it is sent repeatedly`, async () => {
        const order = refundOf(await paid(), 4_000n);
        await faults({ refunds: mode });
        assert.equal((await refund(order, deadlineAfter(150)))?.kind, 'unknown');
        await faults({ refunds: 'accept' });
        for (let times = 0; times < 3; times++) assert.deepEqual(await repeatRefund(order), { kind: 'refunded' });
        await faults({ refunds: 'refuse' });
        assert.equal((await repeatRefund(refundOf(order.payment, 1n)))?.kind, 'unknown');
        const { refunds: given, refunded_amount } = await summary();
        assert.deepEqual([given, refunded_amount], [1, '40.00']);
      });
    }

    it('a Trustly refund with an unusable response stays unknown', async () => {
      const order = refundOf(await paid(), 4_000n);
      for (const mode of ['foreign_key', 'error_620']) {
        await faults({ refunds: mode });
        assert.equal((await refund(refundOf(order.payment, 1n)))?.kind, 'unknown', mode);
      }
      const nobody = bench.connect({ url: 'http://127.0.0.1:1/api/1' });
      assert.equal((await nobody.rail.refund?.(order, noDeadline()))?.kind, 'not_accepted');
      assert.equal((await nobody.rail.repeatRefund?.(order, noDeadline()))?.kind, 'unknown');
      await nobody.close();
    });
  });
});
