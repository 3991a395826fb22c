import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ACT, PAID } from '../../../../test/support/form/card-payments.ts';
import { type LaterScene, openLaterScene } from '../../../../test/support/form/later-scene.ts';
import { verifyInvariants } from '../../../storage/invariants/verify-invariants.ts';
import type { PaymentAttempt } from '../attempts/payment-attempt.ts';
import { settleAttempt } from '../attempts/settle-attempt.ts';
import type { LaterNews, PaidAnswer } from '../payment-rail.ts';

let scene: LaterScene;

before(async () => {
  scene = await openLaterScene();
});

after(() => scene.verifyAndClose());

/** A payment that came in two receipts of 100.00 EUR: E1, which is credited, and E2, which is held. */
async function paidTwice(merchantId: string): Promise<PaymentAttempt> {
  const { cards, bench } = scene;
  cards.provider.says = ACT;
  const tried = await cards.attemptOnce(bench.merchant(merchantId));
  assert.ok(tried.ok);
  const paid = PAID as PaidAnswer;
  const further = [{ money: paid.money, payerAccount: '', receiptKey: 'E2' }];
  await settleAttempt(cards.partsOver(), cards.rail, tried.value, { ...paid, receiptKey: 'E1', further });
  const due = await cards.store.findDue(tried.value);
  assert.ok(due);
  return due.attempt;
}

const posted = async (attempt: PaymentAttempt) =>
  (await scene.record(attempt)).adjustments.map(({ kind, posted: minor }) => [kind, minor]);

describe('a provider’s report after a payment’s result', () => {
  const TAKING: readonly LaterNews['kind'][] = ['refunded', 'charged_back', 'debited'];
  for (const kind of TAKING) {
    it(`a payment reported as ${kind} is debited from the merchant, and the deposit keeps its state`, async () => {
      const attempt = await scene.paid(`takes-${kind}`);
      assert.equal(await scene.adjustBy(attempt, kind, 'D1', 4_000n), 'recorded');
      assert.deepEqual(await scene.money(attempt.merchantId), [6_000n, 0n, 0n]);
      const [event] = await scene.events(attempt.merchantId);
      assert.deepEqual(
        [event?.['type'], event?.['transaction_id'], event?.['status'], event?.['amount'], event?.['reference']],
        [`deposit.${kind}`, String(attempt.transactionId), 'success', '40.00', 'D1'],
      );
      const { deposit, history, callbacks } = await scene.record(attempt);
      assert.equal(deposit.state, 'success');
      const last = history.at(-1);
      assert.deepEqual(
        [last?.event, last?.toState, last?.actor, last?.detail],
        [kind, 'success', 'card-rail', 'D1: 40.00 EUR'],
      );
      assert.deepEqual(callbacks.map(({ subject }) => subject).sort(), ['deposit', 'event']);
    });

    it(`a payment reported as ${kind} repeatedly and concurrently is debited once`, async () => {
      const attempt = await scene.paid(`twice-${kind}`);
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => scene.adjustBy(attempt, kind, 'D1', 4_000n)));
      assert.deepEqual(outcomes.sort(), [...Array(7).fill('known'), 'recorded']);
      assert.equal(await scene.adjustBy(attempt, kind, 'D1', 4_000n), 'known');
      assert.deepEqual(await scene.money(attempt.merchantId), [6_000n, 0n, 0n]);
      assert.equal((await scene.events(attempt.merchantId)).length, 1);
    });
  }

  it('a chargeback without an amount takes all remaining money', async () => {
    const attempt = await scene.paid('all');
    await scene.adjustBy(attempt, 'refunded', 'R1', 3_000n);
    assert.equal(await scene.adjustBy(attempt, 'charged_back', 'D1', null), 'recorded');
    assert.deepEqual(await posted(attempt), [
      ['charged_back', 7_000n],
      ['refunded', 3_000n],
    ]);
    assert.deepEqual(await scene.money('all'), [0n, 0n, 0n]);
  });

  it('a chargeback debits the full received amount, and the gateway keeps the fee', async () => {
    const attempt = await scene.paid('fee', { 'fee_fixed.card.EUR': '2' });
    assert.deepEqual(await scene.money('fee'), [9_800n, 0n, 0n]);
    await scene.adjustBy(attempt, 'charged_back', 'D1', null);
    assert.deepEqual(await scene.money('fee'), [0n, 0n, -200n]);
  });

  it('a chargeback of spent money becomes a debt, which blocks payouts until it is paid', async () => {
    const attempt = await scene.paid('spent');
    await scene.fund('spent', -9_000n);
    assert.equal(await scene.adjustBy(attempt, 'charged_back', 'D1', 10_000n), 'recorded');
    assert.deepEqual(await scene.money('spent'), [0n, 0n, -9_000n]);
    assert.equal(await scene.paysOut('spent', 1n), 'insufficient_funds');
    assert.equal((await scene.paid('spent')).state, 'paid');
    assert.deepEqual(await scene.money('spent'), [1_000n, 0n, 0n], 'the next payment paid the debt first');
    assert.equal(await scene.paysOut('spent', 500n), 'created');
  });

  it('a reversed chargeback returns the money, first to the merchant’s debt', async () => {
    const attempt = await scene.paid('undone');
    await scene.fund('undone', -10_000n);
    await scene.adjustBy(attempt, 'charged_back', 'D1', 10_000n);
    await scene.fund('undone', 4_000n);
    assert.deepEqual(await scene.money('undone'), [0n, 0n, -6_000n]);
    assert.equal(await scene.adjustBy(attempt, 'chargeback_undone', 'D1', 10_000n), 'recorded');
    assert.equal(await scene.adjustBy(attempt, 'chargeback_undone', 'D1', 10_000n), 'known');
    assert.deepEqual(await scene.money('undone'), [4_000n, 0n, 0n]);
    const types = (await scene.events('undone')).map(({ type, amount }) => `${type} ${amount}`);
    assert.deepEqual(types, ['deposit.chargeback_undone 100.00', 'deposit.charged_back 100.00']);
  });

  it('a payment can be charged back again after a reversed chargeback', async () => {
    const attempt = await scene.paid('again');
    await scene.adjustBy(attempt, 'charged_back', 'D1', 10_000n);
    await scene.adjustBy(attempt, 'chargeback_undone', 'D1', 10_000n);
    assert.equal(await scene.adjustBy(attempt, 'charged_back', 'D1/2', 10_000n), 'recorded');
    assert.deepEqual(await scene.money('again'), [0n, 0n, 0n]);
  });

  it('neither a refund nor its reversal moves money if the reversal is reported first', async () => {
    const attempt = await scene.paid('early');
    assert.equal(await scene.adjustBy(attempt, 'refund_undone', 'R1', 4_000n), 'excess');
    assert.equal(await scene.adjustBy(attempt, 'refunded', 'R1', 4_000n), 'recorded');
    assert.deepEqual(await scene.money('early'), [10_000n, 0n, 0n]);
    assert.deepEqual(await scene.events('early'), []);
    assert.equal(
      await scene.adjustBy(attempt, 'refunded', 'R2', 4_000n),
      'recorded',
      'a refund with another key counts',
    );
    assert.deepEqual(await scene.money('early'), [6_000n, 0n, 0n]);
  });

  it('a chargeback takes at most the remaining money, and alerts the operator about the rest', async () => {
    const attempt = await scene.paid('excess');
    await scene.adjustBy(attempt, 'refunded', 'R1', 4_000n);
    assert.equal(await scene.adjustBy(attempt, 'charged_back', 'D1', 10_000n), 'excess');
    assert.deepEqual(await scene.money('excess'), [0n, 0n, 0n]);
    assert.deepEqual(await posted(attempt), [
      ['charged_back', 6_000n],
      ['refunded', 4_000n],
    ]);
    assert.match(scene.alerts.at(-1) ?? '', /^deposit_excess: excess \S+: charged_back D1, reported by card-rail$/);
    const { history } = await scene.record(attempt);
    assert.equal(history.at(-1)?.detail, 'D1: 100.00 EUR, of which 60.00 EUR moved now');
    assert.equal(await scene.adjustBy(attempt, 'debited', 'X1', 1n), 'excess');
    assert.equal(await scene.adjustBy(attempt, 'chargeback_undone', 'D1', 10_000n), 'recorded');
    assert.deepEqual(await scene.money('excess'), [6_000n, 0n, 0n], 'the reversal returns only the amount taken');
  });

  it('a recorded chargeback that is reported again with another amount moves no money', async () => {
    const attempt = await scene.paid('amounts');
    assert.equal(await scene.adjustBy(attempt, 'charged_back', 'D1', 4_000n), 'recorded');
    assert.equal(await scene.adjustBy(attempt, 'charged_back', 'D1', 6_000n), 'excess');
    assert.equal(await scene.adjustBy(attempt, 'charged_back', 'D1', 6_000n), 'excess');
    assert.equal(await scene.adjust(attempt, 'charged_back', 'D1', { currency: 'USD', minor: 4_000n }), 'excess');
    assert.equal(await scene.adjustBy(attempt, 'charged_back', 'D1', null), 'known');
    assert.deepEqual(await scene.money('amounts'), [6_000n, 0n, 0n]);
    const open = await scene.differences.list({ rail: null, day: null, kind: 'reversal_amount', openOnly: true });
    assert.deepEqual(
      open
        .filter(({ merchantId }) => merchantId === 'amounts')
        .map(({ ours, theirs }) => [ours, theirs])
        .sort(),
      [
        ['charged_back 40.00 EUR', 'charged_back 40.00 USD'],
        ['charged_back 40.00 EUR', 'charged_back 60.00 EUR'],
      ],
    );
  });

  it('a chargeback in a currency other than the payment moves no money', async () => {
    const attempt = await scene.paid('currency');
    assert.equal(await scene.adjust(attempt, 'charged_back', 'D1', { currency: 'USD', minor: 100n }), 'excess');
    assert.deepEqual(await scene.money('currency'), [10_000n, 0n, 0n]);
  });

  it('a reversal in a currency other than its chargeback does not resolve a shortfall', async () => {
    const attempt = await scene.paid('undone-otherwise');
    assert.equal(await scene.adjustBy(attempt, 'charged_back', 'D1', 14_000n), 'excess');
    assert.equal(
      await scene.adjust(attempt, 'chargeback_undone', 'D1', { currency: 'USD', minor: 4_000n }),
      'excess',
      'the reversal moves nothing',
    );
    const open = await scene.differences.list({ rail: null, day: null, kind: 'excess', openOnly: true });
    const subjects = open.filter(({ merchantId }) => merchantId === 'undone-otherwise').map(({ theirs }) => theirs);
    assert.deepEqual(subjects.sort(), ['chargeback_undone 40.00 USD', 'charged_back 140.00 EUR']);
  });

  it('a chargeback of an unpaid attempt is reported as not_paid, and of an unknown attempt as not_ours', async () => {
    const { cards, bench } = scene;
    cards.provider.says = ACT;
    const tried = await cards.attemptOnce(bench.merchant('unpaid'));
    assert.ok(tried.ok);
    assert.equal(await scene.adjustBy(tried.value, 'charged_back', 'D1', 10_000n), 'not_paid');
    assert.equal(await scene.adjustBy({ ...tried.value, attempt: 9 }, 'charged_back', 'D1', 10_000n), 'not_ours');
  });

  it('a reversed chargeback returns only the chargeback’s money when a debit was reported under the same key', async () => {
    const attempt = await paidTwice('one-key');
    await scene.adjustBy(attempt, 'debited', 'K1', 10_000n, 'E1');
    await scene.adjustBy(attempt, 'charged_back', 'K1', 10_000n, 'E2');
    await scene.adjustBy(attempt, 'chargeback_undone', 'K1', 10_000n);
    const { available, suspense } = await scene.bench.ledger.balances('one-key', 'EUR');
    assert.deepEqual([available, suspense], [0n, 10_000n]);
  });

  it('a chargeback of a receipt that has not arrived moves no money and does not break an invariant', async () => {
    const attempt = await scene.paid('not-arrived');
    assert.equal(await scene.adjustBy(attempt, 'charged_back', 'D1', 4_000n, 'E2'), 'excess');
    assert.deepEqual(await scene.money('not-arrived'), [10_000n, 0n, 0n]);
    const broken = (await verifyInvariants(scene.bench.database)).filter(({ holds }) => !holds);
    assert.deepEqual(broken, []);
  });
});
