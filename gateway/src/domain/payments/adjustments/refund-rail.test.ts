import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type LaterScene, openLaterScene } from '../../../../test/support/form/later-scene.ts';
import { NOWHERE_ELSE } from '../../../../test/support/payouts/scripted-rail.ts';
import { REFERENCE_KEY } from '../../../../test/support/tools/reference-key.ts';
import { stopAsTimeGoesBy, untilAsTimeGoesBy } from '../../../../test/support/tools/time-goes-by.ts';
import { DAY_MS } from '../../../foundation/clock.ts';
import type { Deadline } from '../../../foundation/deadline.ts';
import { createPayoutJobStore } from '../../../storage/payouts/payout-job-store.ts';
import { createPayoutDelivery } from '../../../worker/payouts/payout-delivery.ts';
import { SEND_GRACE_MS } from '../../../worker/payouts/send-claimed.ts';
import type { Payout } from '../../payouts/payout.ts';
import type { PayoutOrder } from '../../payouts/payout-rail.ts';
import { createPauseView } from '../../routing/pauses.ts';
import { orderToAsk } from '../attempts/ask-payments.ts';
import type { PaymentRail, RefundAnswer, RefundOrder } from '../payment-rail.ts';
import { createRefundRail, type FindPayment } from './refund-rail.ts';

type Status = RefundAnswer | { readonly kind: 'not_found' };

/** A provider that handles refunds as the test says, and records the orders. */
function provider(base: PaymentRail, says: { refund: RefundAnswer; ask?: Status }) {
  const orders: RefundOrder[] = [];
  const asked: RefundOrder[] = [];
  const script: { refund: RefundAnswer; ask: Status } = { ask: { kind: 'not_found' }, ...says };
  const rail: PaymentRail = {
    ...base,
    async refund(order) {
      orders.push(order);
      return script.refund;
    },
    async askRefund(order) {
      asked.push(order);
      return script.ask;
    },
  };
  return { rail, orders, asked, script };
}

/** Short enough that a busy machine sends an attempt before its deadline. */
const STEP_MS = SEND_GRACE_MS / 10;

const DEADLINE: Deadline = { signal: new AbortController().signal, isPast: () => false };

const order: PayoutOrder = {
  reference: '1040-AbCd1234',
  remittance: 'M1/refund:1040',
  purpose: 'refund',
  method: null,
  money: { currency: 'EUR', minor: 100n },
  beneficiary: { payment: '1001-AbCd1234' },
  sendUntil: 0,
  delayed: false,
};

describe('a rail with refunds', () => {
  let scene: LaterScene;
  let findPayment: FindPayment;
  before(async () => {
    scene = await openLaterScene();
    const { cards, bench } = scene;
    findPayment = async (rail, reference) => {
      const key = await cards.store.findByReference(rail, reference);
      const due = key && (await cards.store.findDue(key));
      return due && orderToAsk({ merchants: bench.parts.merchants }, due);
    };
  });
  after(() => scene.verifyAndClose());

  /** Lets the worker run until the refund has the wanted state or stage. */
  async function carriedOut(rail: PaymentRail, payout: Payout, wanted: { state?: string; stage?: string }) {
    const { bench, settle } = scene;
    const { clock } = bench;
    const refunds = createRefundRail(rail, findPayment);
    assert.ok(refunds);
    const delivery = createPayoutDelivery({
      rails: [refunds],
      jobs: createPayoutJobStore(bench.database, { ...clock, sleep: () => new Promise(setImmediate) }, REFERENCE_KEY),
      settle,
      vault: scene.cards.vault,
      merchant: async ({ merchantId }) => bench.merchant(merchantId),
      pauses: createPauseView([]),
      ...NOWHERE_ELSE,
      clock,
      clockIsRight: async () => true,
      onRailCall: () => {},
      onBreaker: () => {},
      onSealBroken: ({ payoutId }, why) => assert.fail(`${payoutId} ${why}`),
      onProblem: (problem, error) => assert.fail(`${problem} ${error}`),
    });
    delivery.start();
    const reached = await reaches(payout, wanted);
    await stopAsTimeGoesBy(clock, delivery);
    assert.ok(reached, JSON.stringify(wanted));
  }

  function reaches({ merchantId, payoutId }: Payout, wanted: { state?: string; stage?: string }) {
    const { bench } = scene;
    return untilAsTimeGoesBy(bench.clock, STEP_MS, async () => {
      const { rows } = await bench.owner.query<{ state: string; stage: string | null }>(
        `select p.state, j.stage from payouts as p left join payout_jobs as j using (merchant_id, payout_id)
         where merchant_id = $1 and payout_id = $2`,
        [merchantId, payoutId],
      );
      const { state, stage } = rows[0] ?? assert.fail('the refund no longer exists');
      return (wanted.state ?? state) === state && (wanted.stage ?? stage) === stage;
    });
  }

  const referenceOf = async ({ payoutId }: Payout) => {
    const { rows } = await scene.bench.owner.query<{ reference: string }>(
      'select distinct reference from payout_attempts where payout_id = $1',
      [payoutId],
    );
    assert.equal(rows.length, 1);
    return rows[0]?.reference ?? '';
  };

  it('refunds are compared with their provider by queries only if a query does not send anything', () => {
    const { rail } = provider(scene.cards.rail, { refund: { kind: 'refunded' } });
    const { askRefund, ...mute } = rail;
    assert.ok(askRefund);
    const repeating: PaymentRail = { ...mute, repeatRefund: async () => ({ kind: 'pending' }) };
    const compared = [rail, repeating, mute].map((each) => createRefundRail(each, findPayment)?.isReconciledByAsking);
    assert.deepEqual(compared, [true, false, false]);
  });

  it('a refund rail receives the payment and a separate reference for the refund and executes the refund once', async () => {
    const attempt = await scene.paid('given');
    const payout = await scene.refunded(attempt, '40');
    const { rail, orders } = provider(scene.cards.rail, { refund: { kind: 'refunded' } });
    await carriedOut(rail, payout, { state: 'success' });
    assert.deepEqual(await scene.money('given'), [6_000n, 0n, 0n]);
    assert.equal(orders.length, 1);
    const [order] = orders;
    assert.deepEqual(
      [order?.payment.reference, order?.payment.providerReference, order?.payment.money.minor, order?.money.minor],
      [attempt.reference, 'P1', 10_000n, 4_000n],
    );
    assert.match(order?.reference ?? '', /^P[0-9A-F]{28}$/);
    assert.equal(order?.reference, await referenceOf(payout));
  });

  it('a refund goes to the payment that it was accepted for, even if the attempt’s provider id changes later', async () => {
    const attempt = await scene.paid('redirected');
    const payout = await scene.refunded(attempt, '40');
    await scene.bench.owner.query(`update payment_attempts set provider_reference = 'ANOTHER' where reference = $1`, [
      attempt.reference,
    ]);
    const { rail, orders } = provider(scene.cards.rail, { refund: { kind: 'refunded' } });
    await carriedOut(rail, payout, { state: 'success' });
    assert.deepEqual(
      orders.map(({ payment }) => payment.providerReference),
      ['P1'],
    );
  });

  it('a refund goes to the payment in its seal, even if the directory of payments changes later', async () => {
    const [attempt, other] = [await scene.paid('mapped'), await scene.paid('other')];
    const payout = await scene.refunded(attempt, '40');
    await scene.bench.owner.query(
      'update payment_references set (merchant_id, transaction_id, attempt) = ($2, $3, $4) where reference = $1',
      [attempt.reference, other.merchantId, other.transactionId, other.attempt],
    );
    const { rail, orders } = provider(scene.cards.rail, { refund: { kind: 'refunded' } });
    await carriedOut(rail, payout, { state: 'success' });
    assert.deepEqual(
      orders.map(({ payment }) => payment.reference),
      [attempt.reference],
    );
  });

  it('a refund is sent again only after proof that the provider never received it', async () => {
    const payout = await scene.refunded(await scene.paid('silent'));
    const nothing = { kind: 'unknown', reason: 'no response' } as const;
    const silent = provider(scene.cards.rail, { refund: nothing, ask: nothing });
    await carriedOut(silent.rail, payout, { stage: 'unknown' });
    assert.equal(silent.orders.length, 1);
    Object.assign(silent.script, { refund: { kind: 'refunded' }, ask: { kind: 'not_found' } });
    await carriedOut(silent.rail, payout, { state: 'success' });
    assert.equal(silent.orders.length, 2);
    assert.equal(new Set(silent.orders.map(({ reference }) => reference)).size, 1);
  });

  it('a refund at a provider without status queries is settled by its notification', async () => {
    const attempt = await scene.paid('webhook');
    const payout = await scene.refunded(attempt);
    const { askRefund: _none, ...rail } = provider(scene.cards.rail, { refund: { kind: 'pending' } }).rail;
    await carriedOut(rail, payout, { stage: 'at_bank' });
    assert.equal(await scene.adjustBy(attempt, 'refunded', await referenceOf(payout), 10_000n), 'recorded');
    assert.equal(await scene.adjustBy(attempt, 'refunded', await referenceOf(payout), 10_000n), 'known');
    assert.deepEqual(await scene.money('webhook'), [0n, 0n, 0n]);
  });

  it('the provider’s message to the payer about a refund stays after later status queries', async () => {
    const payout = await scene.refunded(await scene.paid('order'));
    const refund = { kind: 'pending', note: 'the payer needs the word blue' } as const;
    const { rail, script } = provider(scene.cards.rail, { refund, ask: { kind: 'pending' } });
    await carriedOut(rail, payout, { stage: 'at_bank' });
    await carriedOut({ ...rail, refund: async () => assert.fail('the refund was sent twice') }, payout, {
      stage: 'at_bank',
    });
    const { rows } = await scene.bench.owner.query('select detail from payout_attempts where payout_id = $1', [
      payout.payoutId,
    ]);
    assert.deepEqual(rows, [{ detail: refund.note }]);
    script.ask = { kind: 'refunded' };
    await carriedOut(rail, payout, { state: 'success' });
  });

  it('a refund that its provider declines is returned to the merchant', async () => {
    const payout = await scene.refunded(await scene.paid('refuses'));
    const { rail } = provider(scene.cards.rail, { refund: { kind: 'refused', reason: 'too old' } });
    await carriedOut(rail, payout, { state: 'blocked' });
    assert.deepEqual(await scene.money('refuses'), [10_000n, 0n, 0n]);
  });

  it('a rail without refunds is not a refund rail', async () => {
    const { rail } = provider(scene.cards.rail, { refund: { kind: 'pending' } });
    const { askRefund: _none, ...unasked } = rail;
    assert.equal(createRefundRail(scene.cards.rail, findPayment), undefined);
    const refunds = createRefundRail(unasked, findPayment);
    assert.deepEqual(refunds?.askAfterMs, [DAY_MS]);
    assert.equal((await refunds?.ask(order, DEADLINE))?.kind, 'unknown');
  });

  it('a query about a refund that is missing after a restore uses the start of the recovery window', async () => {
    const payment = (await scene.paid('in doubt')).reference;
    const { rail, asked } = provider(scene.cards.rail, { refund: { kind: 'refunded' } });
    const refunds = createRefundRail(rail, findPayment);
    const known = { ...order, beneficiary: { payment }, sendUntil: 9 * DAY_MS };
    await refunds?.ask(known, DEADLINE);
    await refunds?.ask({ ...known, writtenFrom: 2 * DAY_MS }, DEADLINE);
    const ages = asked.map(({ startedAt }) => startedAt + rail.timeoutMs);
    assert.deepEqual(ages, [9 * DAY_MS, 2 * DAY_MS]);
  });

  it('a refund is not sent to the provider while the gateway cannot look up its payment', async () => {
    const { rail, orders } = provider(scene.cards.rail, { refund: { kind: 'refunded' }, ask: { kind: 'refunded' } });
    const refunds = createRefundRail(rail, async () => Promise.reject(new Error('no database')));
    assert.equal((await refunds?.send(order, DEADLINE))?.kind, 'not_accepted');
    assert.equal((await refunds?.ask(order, DEADLINE))?.kind, 'unknown');
    assert.deepEqual(orders, []);
  });
});
