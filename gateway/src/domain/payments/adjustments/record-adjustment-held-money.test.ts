import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { heldMoneyOf } from '../../../../test/support/form/held-money.ts';
import { type LaterScene, openLaterScene } from '../../../../test/support/form/later-scene.ts';

let scene: LaterScene;

before(async () => {
  scene = await openLaterScene();
});

after(() => scene.verifyAndClose());

const { held, otherDeposit, transferOf, movedTo, suspense, transferStateOf, brokenNames, openDifferences } =
  heldMoneyOf(() => scene);

describe('a chargeback of held money', () => {
  it('a chargeback of held money reduces the held money and not the merchant’s balance', async () => {
    const attempt = await held('held');
    assert.equal(await scene.adjustBy(attempt, 'charged_back', 'D1', 4_000n), 'recorded');
    assert.deepEqual([await suspense('held'), await scene.money('held')], [5_000n, [0n, 0n, 0n]]);
    assert.deepEqual(await transferStateOf(attempt), ['held', 5_000n]);
    assert.deepEqual(await scene.events('held'), []);
    assert.match((await scene.record(attempt)).history.at(-1)?.detail ?? '', /40\.00 EUR of it was held/);
  });

  it('a chargeback of all held money leaves no money that the operator can credit or return', async () => {
    const attempt = await held('all');
    assert.equal(await scene.adjustBy(attempt, 'charged_back', 'D1', null), 'recorded');
    assert.equal(await suspense('all'), 0n);
    const refused = { ok: false, error: { kind: 'not_held', state: 'taken_back' } };
    assert.deepEqual(await scene.bench.resolve(transferOf(attempt), await otherDeposit('all')), refused);
    assert.deepEqual(await scene.bench.returnTransfer(transferOf(attempt)), refused);
    const waiting = await scene.bench.records.held(1_000);
    assert.ok(!waiting.some(({ transferKey }) => transferKey === attempt.reference));
  });

  it('a chargeback of a part of held money lets the operator credit the rest only', async () => {
    const attempt = await held('part');
    await scene.adjustBy(attempt, 'charged_back', 'D1', 4_000n);
    const { state, received } = await movedTo(attempt, 'part');
    assert.deepEqual([state, received], ['success', 5_000n]);
    assert.deepEqual([await suspense('part'), await scene.money('part')], [0n, [5_000n, 0n, 0n]]);
    await scene.adjustBy(attempt, 'charged_back', 'D2', null);
    assert.deepEqual(await scene.money('part'), [0n, 0n, 0n]);
  });

  it('a reversed chargeback of held money holds the money again', async () => {
    const attempt = await held('won');
    await scene.adjustBy(attempt, 'charged_back', 'D1', null);
    assert.equal(await scene.adjustBy(attempt, 'chargeback_undone', 'D1', null), 'recorded');
    assert.deepEqual([await suspense('won'), await scene.money('won')], [9_000n, [0n, 0n, 0n]]);
    assert.deepEqual(await transferStateOf(attempt), ['held', 9_000n]);
    assert.deepEqual(await scene.events('won'), []);
  });

  it('a chargeback that is reversed after the rest was credited returns its money to the merchant that has the rest', async () => {
    const attempt = await held('before-move');
    await scene.adjustBy(attempt, 'charged_back', 'D1', 4_000n);
    await movedTo(attempt, 'after-move');
    assert.equal(await scene.adjustBy(attempt, 'chargeback_undone', 'D1', 4_000n), 'recorded');
    assert.deepEqual([await suspense('before-move'), await scene.money('before-move')], [0n, [0n, 0n, 0n]]);
    assert.deepEqual(await scene.money('after-move'), [9_000n, 0n, 0n]);
  });
});

describe('a chargeback of money that was credited to another order', () => {
  for (const [where, owner] of [
    ['of the same merchant', 'same'],
    ['of another merchant', 'other-owner'],
  ] as const) {
    it(`a chargeback of moved money debits the order ${where} that has the money`, async () => {
      const attempt = await held('same');
      const other = await movedTo(attempt, owner);
      const [before] = await scene.money(owner);
      assert.equal(await scene.adjustBy(attempt, 'charged_back', 'D1', null), 'recorded');
      assert.equal(await scene.adjustBy(attempt, 'charged_back', 'D1', null), 'known');
      assert.deepEqual(await scene.money(owner), [(before ?? 0n) - 9_000n, 0n, 0n]);
      const events = (await scene.events(owner)).filter(
        ({ transaction_id }) => transaction_id === String(other.transactionId),
      );
      assert.deepEqual(
        events.map(({ type, order, amount, reference }) => [type, order, amount, reference]),
        [['deposit.charged_back', other.orderId, '90.00', 'D1']],
      );
      const { adjustments, callbacks } = await scene.record(other);
      assert.deepEqual(
        adjustments.map(({ kind, posted }) => [kind, posted]),
        [['charged_back', 9_000n]],
      );
      assert.deepEqual(callbacks.map(({ subject }) => subject).sort(), ['deposit', 'event']);
      assert.match(
        (await scene.record(attempt)).history.at(-1)?.detail ?? '',
        new RegExp(`at ${owner}/${other.orderId}`),
      );
    });
  }

  it('a chargeback of money that was moved and spent becomes a debt, which its reversal repays first', async () => {
    const attempt = await held('spender');
    const other = await movedTo(attempt, 'spent-owner');
    await scene.fund('spent-owner', -8_000n);
    await scene.adjustBy(attempt, 'charged_back', 'D1', null);
    assert.deepEqual(await scene.money('spent-owner'), [0n, 0n, -8_000n]);
    assert.equal(await scene.adjustBy(attempt, 'chargeback_undone', 'D1', null), 'recorded');
    assert.deepEqual(await scene.money('spent-owner'), [1_000n, 0n, 0n]);
    const types = (await scene.record(other)).adjustments.map(({ kind }) => kind);
    assert.deepEqual(types.sort(), ['chargeback_undone', 'charged_back']);
  });

  it('a chargeback that is reported while the operator credits its money is applied once and debits the correct order', async () => {
    for (let round = 0; round < 6; round += 1) {
      const [home, owner] = [`race-home-${round}`, `race-owner-${round}`];
      const attempt = await held(home);
      const other = await otherDeposit(owner);
      const [, ...reported] = await Promise.all([
        scene.bench.resolve(transferOf(attempt), other),
        ...Array.from({ length: 4 }, () => scene.adjustBy(attempt, 'charged_back', 'D1', null)),
      ]);
      assert.deepEqual(reported.sort(), ['known', 'known', 'known', 'recorded']);
      assert.deepEqual([await suspense(home), await scene.money(owner)], [0n, [0n, 0n, 0n]]);
    }
  });
});

describe('a refund of money that was credited to another order', () => {
  it('a refund of moved money is ordered at its current order and sent through its original payment', async () => {
    const attempt = await held('refund-home');
    const other = await movedTo(attempt, 'refund-owner');
    assert.deepEqual(await scene.refund(attempt), {
      ok: false,
      error: { kind: 'moved', merchantId: 'refund-owner', orderId: other.orderId },
    });
    const refund = await scene.refunded(other, '30');
    assert.deepEqual([refund.merchantId, refund.beneficiary.fields['payment']], ['refund-owner', attempt.reference]);
    assert.deepEqual(await scene.money('refund-owner'), [6_000n, 3_000n, 0n]);
    const key = await scene.sent(refund);
    assert.equal(
      await scene.adjustBy(attempt, 'refunded', key, 3_000n),
      'recorded',
      'the provider reports it of the payment',
    );
    assert.deepEqual(await scene.money('refund-owner'), [6_000n, 0n, 0n]);
    assert.equal((await scene.refund(other, '60.01')).ok, false);
  });

  it('a refund and a chargeback together never take more than the payment, whichever comes first', async () => {
    const first = await held('both');
    const other = await movedTo(first, 'both-owner');
    await scene.refunded(other, '30');
    assert.equal(await scene.adjustBy(first, 'charged_back', 'D1', 9_000n), 'excess');
    assert.deepEqual(await scene.money('both-owner'), [0n, 3_000n, 0n]);
    const second = await held('both-2');
    const another = await movedTo(second, 'both-owner-2');
    await scene.adjustBy(second, 'charged_back', 'D1', 6_000n);
    assert.deepEqual(await scene.refund(another, '30.01'), {
      ok: false,
      error: { kind: 'more_than_left', left: { currency: 'EUR', minor: 3_000n } },
    });
    assert.ok((await scene.refund(another)).ok);
  });
});

describe('a chargeback beyond the remaining money', () => {
  it('a chargeback beyond the money that is left is a difference until a failed refund frees the money', async () => {
    const attempt = await scene.paid('rest');
    const refund = await scene.refunded(attempt, '40');
    await scene.sent(refund);
    assert.equal(await scene.adjustBy(attempt, 'charged_back', 'X1', 10_000n), 'excess');
    const name = `excess ${attempt.reference}/charged_back/X1`;
    assert.ok((await openDifferences()).includes(name));
    await scene.ends(refund, 'declined');
    await scene.collectExcess();
    assert.deepEqual(await scene.money('rest'), [0n, 0n, 0n]);
    assert.ok(!(await openDifferences()).includes(name));
  });

  it('the gateway does not collect money for an excess difference that a user resolved', async () => {
    const attempt = await scene.paid('decided');
    const refund = await scene.refunded(attempt, '40');
    await scene.sent(refund);
    await scene.adjustBy(attempt, 'charged_back', 'X1', 10_000n);
    const [open] = (await scene.differences.list({ rail: null, day: null, kind: 'excess', openOnly: true })).filter(
      ({ subject }) => subject.startsWith(attempt.reference),
    );
    assert.ok(open);
    assert.equal(await scene.differences.resolve(open, 'Ann', 'booked by hand', scene.bench.clock.now()), true);
    await scene.ends(refund, 'declined');
    await scene.collectExcess();
    assert.deepEqual(await scene.money('decided'), [4_000n, 0n, 0n]);
  });

  it('an excess difference is resolved once the provider reverses the chargeback', async () => {
    const attempt = await scene.paid('undone-excess');
    assert.equal(await scene.adjustBy(attempt, 'charged_back', 'X1', 12_000n), 'excess');
    await scene.adjustBy(attempt, 'chargeback_undone', 'X1', 12_000n);
    assert.ok(!(await openDifferences()).some((each) => each.includes(attempt.reference)));
  });

  it('a refund executed with a different amount or currency is a difference', async () => {
    const attempt = await scene.paid('refund-amount');
    const key = await scene.sent(await scene.refunded(attempt, '10'));
    assert.equal(await scene.adjustBy(attempt, 'refunded', key, 9_999n), 'excess');
    assert.equal(await scene.adjust(attempt, 'refunded', key, { currency: 'KZT', minor: 1_000n }), 'excess');
    assert.ok((await openDifferences()).includes(`refund_amount refunded/${key}`));
    assert.deepEqual(await scene.money('refund-amount'), [9_000n, 1_000n, 0n]);
  });
});

describe('the invariants of moved money', () => {
  it('the invariants detect a chargeback of moved money that no merchant paid', async () => {
    const attempt = await held('missed');
    await movedTo(attempt, 'missed-owner');
    await scene.adjustBy(attempt, 'charged_back', 'D1', null);
    const plant = `update deposit_adjustments set posted = 0, by_receipt = 0 where merchant_id = 'missed'`;
    await scene.bench.owner.query(plant);
    const broken = await brokenNames();
    await scene.bench.owner.query(
      `update deposit_adjustments set posted = 9000, by_receipt = 9000 where merchant_id = 'missed'`,
    );
    assert.deepEqual(broken, ['takings_are_of_one_report', 'receipts_are_what_their_provider_says']);
  });

  it('the invariants detect a reversed chargeback whose money returned to no balance', async () => {
    const attempt = await held('kept-back');
    await scene.adjustBy(attempt, 'charged_back', 'D1', 1_000n);
    await scene.adjustBy(attempt, 'chargeback_undone', 'D1', 1_000n);
    const plant = (minor: bigint) =>
      scene.bench.owner.query(
        `update deposit_adjustments set posted = $1, by_receipt = $1 where merchant_id = 'kept-back' and kind = 'chargeback_undone'`,
        [minor],
      );
    await plant(0n);
    const broken = await brokenNames();
    await plant(1_000n);
    assert.deepEqual(broken, ['takings_are_of_one_report', 'receipts_are_what_their_provider_says']);
  });
});
