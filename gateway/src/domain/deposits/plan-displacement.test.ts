import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ACT, cardOf, PAID, REFUSED } from '../../../test/support/form/card-payments.ts';
import { type LaterScene, openLaterScene } from '../../../test/support/form/later-scene.ts';
import type { MerchantChange } from '../../../test/support/merchants/merchant-named.ts';
import { MINUTE_MS } from '../../foundation/clock.ts';
import { balanceOf } from '../ledger/transfer.ts';
import type { PaymentAttempt } from '../payments/attempts/payment-attempt.ts';
import { settleAttempt } from '../payments/attempts/settle-attempt.ts';
import type { FormSession } from '../payments/form-session.ts';
import type { PaidAnswer, PaymentAnswer } from '../payments/payment-rail.ts';

const FEES = { 'fee_fixed.card.EUR': '1' };

let scene: LaterScene;

before(async () => {
  scene = await openLaterScene();
});
after(() => scene.verifyAndClose());

type Settings = MerchantChange['settings'];

/** A payer opens a form for order N17 and submits it. The provider gives `answer`. */
async function submit(
  merchantId: string,
  answer: PaymentAnswer,
  change: Partial<FormSession> = {},
  settings?: Settings,
) {
  const { cards } = scene;
  const merchant = cards.bench.merchant(merchantId, settings);
  const session = await cards.openedForm(merchant, { orderId: 'N17', ...change });
  cards.provider.says = answer;
  return cards.attemptOnce(merchant, { session, card: cardOf(`4${String(++cardNumbers).padStart(15, '0')}`) });
}
let cardNumbers = 0;

async function submitted(...parameters: Parameters<typeof submit>): Promise<PaymentAttempt> {
  const tried = await submit(...parameters);
  assert.ok(tried.ok, JSON.stringify(!tried.ok && tried.error.kind));
  return tried.value;
}

const UNSIGNED = { isSigned: false } as const;

const receive = (attempt: PaymentAttempt, news: PaymentAnswer) =>
  settleAttempt(scene.cards.partsOver(), scene.cards.rail, attempt, news);

async function standing(attempt: PaymentAttempt) {
  const { deposit, transfers, callbacks } = await scene.record(attempt);
  return {
    deposit: [deposit.state, deposit.failReason, deposit.displacedBy],
    transfers: transfers.map(({ state, mismatch }) => `${state} ${mismatch ?? ''}`.trim()),
    callbacks: callbacks.filter(({ subject }) => subject === 'deposit').map(({ payload }) => payload['co_inv_st']),
  };
}

/** Available, owed, fees and suspense, in cents. */
async function accounts(merchantId: string): Promise<bigint[]> {
  const balances = await scene.bench.ledger.balances(merchantId, 'EUR');
  return (['available', 'owed', 'fees', 'suspense'] as const).map((account) => balanceOf(balances, account));
}

async function resolve(attempt: PaymentAttempt) {
  const resolved = await scene.bench.resolve({ rail: attempt.rail, transferKey: attempt.reference });
  assert.ok(resolved.ok);
}

describe('a paid deposit of an unsigned form', () => {
  it('a signed form takes over the order of a paid unsigned form', async () => {
    const stranger = await submitted('signed', PAID, UNSIGNED, FEES);
    assert.deepEqual(await accounts('signed'), [9_900n, 0n, 100n, 0n]);
    const own = await submitted('signed', ACT, {}, FEES);
    assert.deepEqual(await accounts('signed'), [0n, 0n, 0n, 10_000n], 'the hold includes the fee');
    assert.deepEqual(await standing(stranger), {
      deposit: ['success', null, own.transactionId],
      transfers: ['held displaced'],
      callbacks: ['success'],
    });
    await receive(own, PAID);
    assert.deepEqual(await standing(own), {
      deposit: ['success', null, null],
      transfers: ['credited'],
      callbacks: ['success'],
    });
    assert.deepEqual(await accounts('signed'), [9_900n, 0n, 100n, 10_000n]);
    assert.ok(scene.alerts.some((alert) => /^transfer_held: card-rail \S+: displaced$/.test(alert)));
    assert.deepEqual(await scene.events('signed'), [
      { type: 'deposit.displaced', order: 'N17', amount: '99.00', displaced_by: String(own.transactionId) },
    ]);
  });

  it('a paid deposit of an unsigned form loses its order to a host-to-host request', async () => {
    const stranger = await submitted('wired', PAID, UNSIGNED);
    const opened = await scene.bench.open(scene.bench.merchant('wired'), 'N17');
    assert.ok(opened.ok);
    assert.deepEqual((await standing(stranger)).deposit, ['success', null, opened.value.transactionId]);
    assert.deepEqual(await accounts('wired'), [0n, 0n, 0n, 10_000n]);
    const again = await scene.bench.open(scene.bench.merchant('wired'), 'N17');
    assert.ok(!again.ok && again.error.kind === 'order_exists');
  });

  it('a paid deposit of an unsigned form keeps its order when another unsigned form requests it', async () => {
    await submitted('kept', PAID, UNSIGNED);
    const tried = await submit('kept', PAID, UNSIGNED);
    assert.ok(!tried.ok && tried.error.kind === 'order_paid');
    assert.deepEqual(await accounts('kept'), [10_000n, 0n, 0n, 0n]);
  });

  it('a deposit is displaced once: the signed form that took its order keeps it, paid or not', async () => {
    const stranger = await submitted('once', PAID, UNSIGNED);
    const first = await submitted('once', ACT);
    const second = await submit('once', ACT);
    assert.ok(!second.ok && second.error.kind === 'in_flight');
    await receive(first, PAID);
    for (const change of [{}, UNSIGNED]) {
      const late = await submit('once', ACT, change);
      assert.ok(!late.ok && late.error.kind === 'order_paid');
    }
    assert.deepEqual((await standing(stranger)).deposit, ['success', null, first.transactionId]);
    assert.deepEqual(await accounts('once'), [10_000n, 0n, 0n, 10_000n]);
  });

  it('a displaced deposit’s spent money becomes a debt of the merchant, until the operator credits it again', async () => {
    const stranger = await submitted('spent', PAID, UNSIGNED, FEES);
    await scene.fund('spent', -9_000n);
    await submitted('spent', ACT, {}, FEES);
    assert.deepEqual(await accounts('spent'), [0n, -9_000n, 0n, 10_000n]);
    await resolve(stranger);
    assert.deepEqual(await accounts('spent'), [900n, 0n, 100n, 0n]);
    assert.deepEqual((await standing(stranger)).transfers, ['credited twice']);
  });

  it('the operator can credit displaced money to the deposit that now holds the order, which then succeeds', async () => {
    const stranger = await submitted('moved', PAID, UNSIGNED);
    const own = await submitted('moved', REFUSED);
    const to = { merchantId: 'moved', orderId: 'N17' };
    assert.ok((await scene.bench.resolve({ rail: stranger.rail, transferKey: stranger.reference }, to)).ok);
    assert.deepEqual((await standing(own)).deposit, ['success', null, null]);
    assert.deepEqual(await accounts('moved'), [10_000n, 0n, 0n, 0n]);
  });

  it('a refund of a displaced deposit is rejected until its money is credited again', async () => {
    const stranger = await submitted('refunded', PAID, UNSIGNED);
    await submitted('refunded', ACT);
    assert.deepEqual(await scene.refund(stranger), { ok: false, error: { kind: 'displaced' } });
    await resolve(stranger);
    assert.equal((await scene.refunded(stranger)).money.minor, 10_000n);
    assert.deepEqual(await accounts('refunded'), [0n, 0n, 0n, 0n]);
  });

  it('a displaced deposit keeps the rest of a payment that was refunded in part', async () => {
    const stranger = await submitted('part', PAID, UNSIGNED);
    await scene.adjustBy(stranger, 'charged_back', 'D1', 4_000n);
    await submitted('part', ACT);
    assert.deepEqual(await accounts('part'), [6_000n, 0n, 0n, 0n]);
    assert.equal((await standing(stranger)).deposit[0], 'success');
    const [event] = (await scene.events('part')).filter(({ type }) => type === 'deposit.displaced');
    assert.equal(event?.['amount'], '0.00');
    assert.equal(await scene.adjustBy(stranger, 'charged_back', 'D2', 6_000n), 'recorded');
    assert.deepEqual(await accounts('part'), [0n, 0n, 0n, 0n]);
  });

  it('a displaced deposit keeps a payment whose refund is in flight, and money that the operator credited', async () => {
    const refunding = await submitted('refunding', PAID, UNSIGNED);
    const refund = await scene.refunded(refunding, '10');
    await submitted('refunding', ACT);
    assert.deepEqual(await accounts('refunding'), [9_000n, 0n, 0n, 0n]);
    await scene.sent(refund);
    await scene.ends(refund, 'declined');
    assert.deepEqual(await accounts('refunding'), [10_000n, 0n, 0n, 0n]);

    const short = { ...(PAID as PaidAnswer), money: { currency: 'EUR', minor: 9_000n } } as const;
    const resolved = await submitted('by-hand', short, UNSIGNED);
    await resolve(resolved);
    const own = await submitted('by-hand', ACT);
    assert.deepEqual((await standing(resolved)).deposit, ['success', null, own.transactionId]);
    assert.deepEqual(await accounts('by-hand'), [9_000n, 0n, 0n, 0n]);
  });

  it('a displaced deposit moves every payment that was credited to it into suspense', async () => {
    const settings = { mismatch_policy: 'credit', ...FEES };
    const receipt = (receiptKey: string) => ({ ...(PAID as PaidAnswer), receiptKey });
    const stranger = await submitted('both', receipt('E1'), UNSIGNED, settings);
    await receive(stranger, receipt('E2'));
    assert.deepEqual((await standing(stranger)).transfers, ['credited', 'credited twice']);
    await scene.fund('both', -15_000n);
    await submitted('both', ACT, {}, settings);
    assert.deepEqual((await standing(stranger)).transfers, ['held displaced', 'held displaced']);
    assert.deepEqual(await accounts('both'), [0n, -15_000n, 0n, 20_000n]);
  });
});

describe('an unpaid deposit of an unsigned form', () => {
  it('an unpaid displaced deposit fails without a callback, and later money is held under every policy', async () => {
    const settings = { mismatch_policy: 'credit', other_payer_policy: 'credit' };
    const stranger = await submitted('late', ACT, UNSIGNED, settings);
    const own = await submitted('late', ACT, {}, settings);
    await receive(stranger, PAID);
    assert.deepEqual(await standing(stranger), {
      deposit: ['fail', 'displaced', own.transactionId],
      transfers: ['held displaced'],
      callbacks: [],
    });
    assert.deepEqual(await accounts('late'), [0n, 0n, 0n, 10_000n]);
    assert.deepEqual(await scene.events('late'), []);
  });

  it('no other unsigned form can take the order of an unsigned form until thirty minutes after its payer left', async () => {
    const { clock } = scene.bench;
    const left = await submitted('left', ACT, UNSIGNED);
    clock.advance(30 * MINUTE_MS - 1);
    const early = await submit('left', ACT, UNSIGNED);
    assert.ok(!early.ok && early.error.kind === 'order_in_use');
    clock.advance(1);
    const next = await submitted('left', ACT, UNSIGNED);
    await receive(left, PAID);
    await receive(next, PAID);
    assert.deepEqual((await standing(left)).transfers, ['held displaced']);
    assert.deepEqual((await standing(next)).transfers, ['credited']);
  });

  it('an unsigned form succeeds when its money arrives after thirty minutes and its order is still free', async () => {
    const left = await submitted('free', ACT, UNSIGNED);
    scene.bench.clock.advance(30 * MINUTE_MS + 1);
    await receive(left, PAID);
    assert.deepEqual((await standing(left)).deposit, ['success', null, null]);
  });

  it('an unsigned form with a held shortfall loses its order to a signed form', async () => {
    const short = { ...(PAID as PaidAnswer), money: { currency: 'EUR', minor: 1n } } as const;
    const stranger = await submitted('short', short, UNSIGNED);
    const own = await submitted('short', PAID);
    assert.deepEqual((await standing(own)).deposit, ['success', null, null]);
    assert.deepEqual((await standing(stranger)).transfers, ['held short']);
    assert.deepEqual(await accounts('short'), [10_000n, 0n, 0n, 1n]);
  });
});
