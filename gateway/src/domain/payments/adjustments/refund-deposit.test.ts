import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ACT, PAID } from '../../../../test/support/form/card-payments.ts';
import { type LaterScene, openLaterScene } from '../../../../test/support/form/later-scene.ts';
import { NOON } from '../../../../test/support/payouts/stored-payouts.ts';
import { REFUND_BREAKS } from '../../../../test/support/postgres/invariant-breaks.ts';
import { withParts } from '../../../foundation/with-parts.ts';
import { INVARIANTS } from '../../../storage/invariants/verify-invariants.ts';
import { planFailure } from '../../deposits/plan-failure.ts';
import { settleAttempt } from '../attempts/settle-attempt.ts';
import { refundDeposit } from './refund-deposit.ts';

let scene: LaterScene;

before(async () => {
  scene = await openLaterScene();
});

after(() => scene.verifyAndClose());

describe('a refund', () => {
  it('a refund stays reserved until its provider executes it, and then causes an event of the deposit', async () => {
    const attempt = await scene.paid('walk', { 'fee_fixed.card.EUR': '1' });
    await scene.fund('walk', 100n);
    const refund = await scene.refunded(attempt, '40');
    assert.deepEqual(await scene.money('walk'), [6_000n, 4_000n, 0n]);
    await scene.sent(refund);
    assert.equal(await scene.ends(refund, 'executed'), 'settled');
    assert.deepEqual(await scene.money('walk'), [6_000n, 0n, 0n]);
    const events = await scene.events('walk');
    assert.deepEqual(
      events.map(({ type, order, transaction_id, status, amount, reference, detail }) => {
        return [type, order !== '', transaction_id, status, amount, reference, detail];
      }),
      [
        [
          'deposit.refunded',
          true,
          String(attempt.transactionId),
          'success',
          '40.00',
          refund.payoutId,
          'the payer wrote',
        ],
      ],
    );
    const { deposit, refunds, history, callbacks } = await scene.record(attempt);
    assert.deepEqual([deposit.state, deposit.received], ['success', 10_000n]);
    assert.deepEqual(
      refunds.map(({ payout, reason, attempt: number }) => [payout.state, reason, number]),
      [['success', 'the payer wrote', 1]],
    );
    assert.deepEqual([history.at(-1)?.event, history.at(-1)?.actor], ['refund_requested', 'operator']);
    assert.deepEqual(callbacks.map(({ subject }) => subject).sort(), ['deposit', 'event']);
    assert.equal(callbacks.find(({ subject }) => subject === 'event')?.subjectId, deposit.orderId);
  });

  it('a refund without an amount returns all remaining money, once', async () => {
    const attempt = await scene.paid('all');
    await scene.refunded(attempt, '30');
    assert.equal((await scene.refunded(attempt)).money.minor, 7_000n);
    assert.deepEqual(await scene.refund(attempt), { ok: false, error: { kind: 'nothing_left' } });
  });

  it('the id of a refund contains the payment and the number of the refund, so that it survives a restore', async () => {
    const [one, other] = [await scene.paid('named'), await scene.paid('named')];
    const first = await scene.refunded(one, '30');
    assert.equal(first.payoutId, `refund:${one.reference}:1`);
    await scene.sent(first);
    await scene.ends(first, 'declined');
    assert.equal((await scene.refunded(one, '30')).payoutId, `refund:${one.reference}:2`);
    assert.equal((await scene.refunded(other, '30')).payoutId, `refund:${other.reference}:1`);
  });

  it('a declined refund releases its money to the merchant’s debt first', async () => {
    const attempt = await scene.paid('refused');
    const refund = await scene.refunded(attempt, '40');
    await scene.fund('refused', -6_000n);
    await scene.adjustBy(attempt, 'charged_back', 'D1', 1_000n);
    assert.deepEqual(await scene.money('refused'), [0n, 4_000n, -1_000n]);
    await scene.sent(refund);
    await scene.ends(refund, 'declined');
    assert.deepEqual(await scene.money('refused'), [3_000n, 0n, 0n]);
    const reported = (await scene.events('refused')).map(({ type }) => type);
    assert.deepEqual(reported, ['deposit.charged_back']);
    assert.equal((await scene.refunded(attempt, '30')).money.minor, 3_000n, 'the operator can order it again');
  });

  it('an executed refund that is returned is reversed once, and can be ordered again', async () => {
    const attempt = await scene.paid('undone');
    const refund = await scene.refunded(attempt);
    const key = await scene.sent(refund);
    await scene.ends(refund, 'executed');
    assert.equal(await scene.adjustBy(attempt, 'refund_undone', key, 10_000n), 'recorded');
    assert.equal(await scene.adjustBy(attempt, 'refund_undone', key, null), 'known');
    assert.deepEqual(await scene.money('undone'), [10_000n, 0n, 0n]);
    const reported = (await scene.events('undone')).map(({ type }) => type);
    assert.deepEqual(reported.sort(), ['deposit.refund_undone', 'deposit.refunded']);
    assert.ok((await scene.refund(attempt)).ok);
  });

  it('a refund is counted once if its provider both responds and notifies, in either order', async () => {
    const attempt = await scene.paid('both-ways');
    const [first, second] = [await scene.refunded(attempt, '10'), await scene.refunded(attempt, '20')];
    const key = await scene.sent(first);
    await scene.ends(first, 'executed');
    assert.equal(await scene.adjustBy(attempt, 'refunded', key, 1_000n), 'known');
    const later = await scene.sent(second);
    assert.equal(await scene.adjustBy(attempt, 'refunded', later, 2_000n), 'recorded');
    assert.equal(await scene.ends(second, 'executed'), 'unchanged');
    assert.deepEqual(await scene.money('both-ways'), [7_000n, 0n, 0n]);
    const { adjustments } = await scene.record(attempt);
    assert.deepEqual(adjustments, []);
  });

  it('a refund in flight fails when its provider reports refund_undone', async () => {
    const attempt = await scene.paid('failed');
    const key = await scene.sent(await scene.refunded(attempt));
    assert.equal(await scene.adjustBy(attempt, 'refund_undone', key, 10_000n), 'recorded');
    assert.deepEqual(await scene.money('failed'), [10_000n, 0n, 0n]);
    assert.deepEqual(await scene.events('failed'), []);
  });

  it('a refund is not executed by a report with a different amount or for a different payment', async () => {
    const [attempt, other] = [await scene.paid('believed'), await scene.paid('believed')];
    const key = await scene.sent(await scene.refunded(attempt, '10'));
    assert.equal(await scene.adjustBy(attempt, 'refunded', key, 9_999n), 'excess');
    assert.equal(await scene.adjustBy(other, 'refunded', key, 1_000n), 'not_ours');
    assert.deepEqual(await scene.money('believed'), [19_000n, 1_000n, 0n]);
  });

  it('a refund does not appear in the merchant’s payout list or cause a payout callback', async () => {
    const attempt = await scene.paid('silent');
    const refund = await scene.refunded(attempt);
    await scene.sent(refund);
    await scene.ends(refund, 'executed');
    assert.deepEqual([refund.purpose, refund.method], ['refund', null]);
    const period = { from: 0, to: NOON * 2 };
    const of = { merchantId: 'silent', currency: 'EUR', payoutId: null, state: 'all', after: null, limit: 9 } as const;
    assert.deepEqual(await scene.bench.payouts.list({ ...of, ...period }), []);
    const { rows } = await scene.bench.owner.query(
      "select subject from callbacks where merchant_id = 'silent' and subject = 'payout'",
    );
    assert.deepEqual(rows, []);
  });
});

describe('rejected refunds', () => {
  const refused = (error: object) => ({ ok: false, error });
  const eur = (minor: bigint) => ({ currency: 'EUR', minor }) as const;

  it('a refund without a reason, a deposit or a valid amount is rejected', async () => {
    const attempt = await scene.paid('no');
    assert.deepEqual(
      await scene.refund(attempt, null, ' '),
      refused({ kind: 'words_rejected', word: 'reason', reason: 'is empty' }),
    );
    assert.deepEqual(await scene.refund({ ...attempt, transactionId: 1 }), refused({ kind: 'deposit_not_found' }));
    for (const amount of ['0', '1e3', '-1', '1,00', '0.001', '']) {
      assert.deepEqual(await scene.refund(attempt, amount), refused({ kind: 'invalid_amount' }), amount);
    }
  });

  it('a refund of an unpaid deposit, or through a rail without refunds, is rejected', async () => {
    const { cards, bench } = scene;
    cards.provider.says = ACT;
    const tried = await cards.attemptOnce(bench.merchant('open'));
    assert.ok(tried.ok);
    assert.deepEqual(await scene.refund(tried.value), refused({ kind: 'not_paid', state: 'pending' }));
    const { merchantId, transactionId } = await scene.paid('rail');
    const unable = withParts(refundDeposit, { ...scene.refundParts, rails: [cards.rail] });
    assert.deepEqual(
      await unable({ merchantId, transactionId, amount: null, reason: 'x' }),
      refused({ kind: 'rail_refunds_nothing', rail: 'card-rail' }),
    );
  });

  it('a failed deposit with a late payment can be refunded once that money is credited', async () => {
    const { cards, bench } = scene;
    cards.provider.says = ACT;
    const tried = await cards.attemptOnce(bench.merchant('late-money'));
    assert.ok(tried.ok);
    const attempt = tried.value;
    const at = bench.clock.now();
    await bench.store.settle({
      ...attempt,
      at,
      plan: ({ deposit }) =>
        planFailure(deposit, { reason: 'expired', actor: 'gateway', detail: '' }, { compose: bench.parts.compose, at }),
    });
    await settleAttempt(cards.partsOver(), cards.rail, attempt, PAID);
    assert.deepEqual(await scene.refund(attempt), refused({ kind: 'not_paid', state: 'fail' }));
    const [held] = (await scene.record(attempt)).transfers;
    assert.ok(held && (await bench.resolve(held)).ok);
    const refund = await scene.refunded(attempt);
    await scene.sent(refund);
    await scene.ends(refund, 'executed');
    const [, event] = await scene.events('late-money');
    assert.deepEqual([event?.['type'], event?.['status']], ['deposit.refunded', 'fail']);
  });

  it('a refund of more than the remaining money is rejected, even after a chargeback or another refund', async () => {
    const attempt = await scene.paid('left');
    await scene.fund('left', 50_000n);
    assert.deepEqual(await scene.refund(attempt, '100.01'), refused({ kind: 'more_than_left', left: eur(10_000n) }));
    await scene.adjustBy(attempt, 'charged_back', 'D1', 2_000n);
    await scene.refunded(attempt, '30');
    assert.deepEqual(await scene.refund(attempt, '50.01'), refused({ kind: 'more_than_left', left: eur(5_000n) }));
    await scene.adjustBy(attempt, 'chargeback_undone', 'D1', 2_000n);
    assert.equal((await scene.refunded(attempt)).money.minor, 7_000n);
  });

  it('a refund is rejected while the merchant’s available money is short or the merchant has a debt', async () => {
    const attempt = await scene.paid('poor');
    await scene.fund('poor', -9_000n);
    const short = { kind: 'insufficient_funds', available: eur(1_000n), owed: eur(0n) };
    assert.deepEqual(await scene.refund(attempt, '10.01'), refused(short));
    await scene.adjustBy(attempt, 'charged_back', 'D1', 2_000n);
    const owes = { kind: 'insufficient_funds', available: eur(0n), owed: eur(1_000n) };
    assert.deepEqual(await scene.refund(attempt, '0.01'), refused(owes));
  });
});

describe('a refund that competes for the same money', () => {
  it('only one of several concurrent full refunds is accepted', async () => {
    const attempt = await scene.paid('many');
    await scene.fund('many', 90_000n);
    const ordered = await Promise.all(Array.from({ length: 8 }, () => scene.refund(attempt)));
    assert.equal(ordered.filter(({ ok }) => ok).length, 1);
    assert.deepEqual(await scene.money('many'), [90_000n, 10_000n, 0n]);
  });

  it('a concurrent refund and chargeback never take more than the payment brought', async () => {
    for (let round = 0; round < 10; round++) {
      const merchantId = `race-${round}`;
      const attempt = await scene.paid(merchantId);
      const [ordered, reported] = await Promise.all([
        scene.refund(attempt),
        scene.adjustBy(attempt, 'charged_back', 'D1', 10_000n),
      ]);
      const money = await scene.money(merchantId);
      if (ordered.ok) assert.deepEqual([reported, money], ['excess', [0n, 10_000n, 0n]]);
      else assert.deepEqual([reported, money], ['recorded', [0n, 0n, 0n]]);
    }
  });

  it('a failed refund makes its money available to a chargeback that found no money', async () => {
    const attempt = await scene.paid('room');
    const refund = await scene.refunded(attempt, '70');
    assert.equal(await scene.adjustBy(attempt, 'charged_back', 'D1', 10_000n), 'excess');
    await scene.collectExcess();
    assert.deepEqual(await scene.money('room'), [0n, 7_000n, 0n]);
    await scene.sent(refund);
    await scene.ends(refund, 'declined');
    assert.deepEqual(await scene.money('room'), [7_000n, 0n, 0n]);
    await scene.fund('room', -1_000n);
    await Promise.all([scene.collectExcess(), scene.collectExcess()]);
    assert.deepEqual(await scene.money('room'), [0n, 0n, -1_000n]);
    const reported = (await scene.events('room')).map(({ type, amount }) => `${type} ${amount}`);
    assert.deepEqual(reported.sort(), ['deposit.charged_back 30.00', 'deposit.charged_back 70.00']);
    assert.equal(await scene.adjustBy(attempt, 'chargeback_undone', 'D1', 10_000n), 'recorded');
    assert.deepEqual(await scene.money('room'), [9_000n, 0n, 0n]);
  });

  it('a declined refund that is executed later becomes a debt of the merchant', async () => {
    const attempt = await scene.paid('late');
    const refund = await scene.refunded(attempt);
    await scene.sent(refund);
    await scene.ends(refund, 'declined');
    const second = await scene.refunded(attempt);
    await scene.sent(second);
    await scene.ends(second, 'executed');
    await scene.ends(refund, 'executed');
    assert.deepEqual(await scene.money('late'), [0n, 0n, -10_000n]);
    assert.equal(await scene.adjustBy(attempt, 'charged_back', 'D1', 1n), 'excess');
    assert.equal((await scene.events('late')).length, 2);
  });
});

it('a receipt whose refund was declined is refunded again after the operator moved it to another order', async () => {
  const { bench, cards } = scene;
  const owner = bench.merchant('moved');
  cards.provider.says = PAID;
  const unsigned = await cards.openedForm(owner, { orderId: 'N1', isSigned: false });
  const stranger = await cards.attemptOnce(owner, { session: unsigned });
  assert.ok(stranger.ok);
  const other = await scene.paid('moved');
  const declined = await scene.refunded(stranger.value);
  await scene.sent(declined);
  await scene.ends(declined, 'declined');
  assert.ok((await bench.open(owner, 'N1')).ok);
  const [held] = (await scene.record(stranger.value)).transfers;
  assert.equal(held?.state, 'held');
  const { deposit } = await scene.record(other);
  assert.ok((await bench.resolve(held, { merchantId: 'moved', orderId: deposit.orderId })).ok);
  const again = [await scene.refunded(other), await scene.refunded(other)];
  const receipt = held.transferKey;
  const ids = [`refund:${receipt}:2`, `refund:${other.reference}:1`];
  assert.deepEqual(again.map(({ payoutId }) => payoutId).sort(), ids.sort());
  await scene.ends(declined, 'executed');
  assert.deepEqual(await scene.money('moved'), [0n, 20_000n, -10_000n]);
  const { rows } = await bench.owner.query<{ refunded: string; refunded_late: string }>(
    'select refunded, refunded_late from receipt_balances where transfer_key = $1',
    [receipt],
  );
  assert.deepEqual(
    rows.map(({ refunded, refunded_late: late }) => [BigInt(refunded), BigInt(late)]),
    [[20_000n, 10_000n]],
  );
});

it('a receipt whose declined refund was executed at its former merchant is not refunded again', async () => {
  const { bench, cards } = scene;
  const owner = bench.merchant('moved-away');
  cards.provider.says = PAID;
  const unsigned = await cards.openedForm(owner, { orderId: 'N1', isSigned: false });
  const stranger = await cards.attemptOnce(owner, { session: unsigned });
  assert.ok(stranger.ok);
  const declined = await scene.refunded(stranger.value);
  await scene.sent(declined);
  await scene.ends(declined, 'declined');
  assert.ok((await bench.open(owner, 'N1')).ok);
  const [held] = (await scene.record(stranger.value)).transfers;
  assert.ok(held);
  const to = await scene.paid('moved-to');
  const { deposit } = await scene.record(to);
  assert.ok((await bench.resolve(held, { merchantId: 'moved-to', orderId: deposit.orderId })).ok);
  await scene.ends(declined, 'executed');
  await scene.refunded(to);
  const again = await scene.refund(to);
  assert.deepEqual(!again.ok && again.error, { kind: 'nothing_left' });
});

it('a receipt that the operator moved to another merchant cannot move back', async () => {
  const { bench, cards } = scene;
  const owner = bench.merchant('back-home');
  const next = bench.merchant('back-away');
  cards.provider.says = PAID;
  const stranger = await cards.attemptOnce(owner, {
    session: await cards.openedForm(owner, { orderId: 'N1', isSigned: false }),
  });
  const away = await cards.attemptOnce(next, {
    session: await cards.openedForm(next, { orderId: 'N2', isSigned: false }),
  });
  assert.ok(stranger.ok && away.ok);
  assert.ok((await bench.open(owner, 'N1')).ok);
  const [held] = (await scene.record(stranger.value)).transfers;
  assert.ok(held);
  assert.ok((await bench.resolve(held, { merchantId: 'back-away', orderId: 'N2' })).ok);
  assert.ok((await bench.open(next, 'N2')).ok);
  assert.equal((await bench.resolve(held, { merchantId: 'back-home', orderId: 'N1' })).ok, false);
  assert.equal(await scene.adjustBy(stranger.value, 'charged_back', 'D1', 10_000n), 'recorded');
  assert.equal(await scene.adjustBy(stranger.value, 'charged_back', 'D1', 10_000n), 'known');
  assert.deepEqual(await scene.money('back-home'), [0n, 0n, 0n]);
  assert.deepEqual(await scene.money('back-away'), [0n, 0n, 0n]);
});

describe('the invariants of adjustments and refunds', () => {
  it('each invariant of adjustments and refunds detects a planted violation', async () => {
    const attempt = await scene.paid('planted');
    await scene.adjustBy(attempt, 'charged_back', 'D/1%_', 1_000n);
    await scene.refunded(attempt, '10');
    const client = await scene.bench.owner.connect();
    for (const [name, breaking] of Object.entries(REFUND_BREAKS)) {
      const sql = INVARIANTS.find((invariant) => invariant.name === name)?.sql;
      assert.ok(sql, name);
      assert.deepEqual((await client.query(sql)).rows, [], `${name} holds before`);
      await client.query(`begin; ${breaking}`);
      assert.notDeepEqual((await client.query(sql)).rows, [], `${name} is found broken`);
      await client.query('rollback');
    }
    client.release();
  });
});
