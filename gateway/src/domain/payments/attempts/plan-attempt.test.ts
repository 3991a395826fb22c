import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testDeposit } from '../../../../test/support/deposits/test-deposit.ts';
import { testAttempt } from '../../../../test/support/form/test-attempt.ts';
import { merchantNamed } from '../../../../test/support/merchants/merchant-named.ts';
import { MINUTE_MS, SECOND_MS } from '../../../foundation/clock.ts';
import type { Deposit } from '../../deposits/deposit.ts';
import type { PayerStep } from '../payment-rail.ts';
import { type AttemptState, isInFlight, type PaymentAttempt } from './payment-attempt.ts';
import { type AttemptNews, type AttemptPlan, planAttempt } from './plan-attempt.ts';

const INTERVALS = { askAfterMs: [5 * SECOND_MS, MINUTE_MS], notFoundProofMs: MINUTE_MS } as const;
const compose = {
  deposit: (deposit: Deposit) => ({ co_inv_st: deposit.state }),
  event: (deposit: Deposit) => ({ order: deposit.orderId }),
  displaced: (deposit: Deposit) => ({ order: deposit.orderId }),
};
const deposit = testDeposit({ paymentType: 'card', money: { currency: 'EUR', minor: 10_000n } });
const AT = deposit.createdAt + MINUTE_MS;
const STEP: PayerStep = { kind: 'redirect', url: 'https://bank.example/' };
const PAID = {
  kind: 'paid',
  money: { currency: 'EUR', minor: 10_000n },
  payerAccount: '411111******1111',
  providerReference: 'P1',
} as const;
const REFUSED = {
  kind: 'refused',
  refusal: 'insufficient_funds',
  canRetry: true,
  detail: '51',
  providerReference: 'P1',
} as const;

function attempt(state: AttemptState, change: Partial<PaymentAttempt> = {}): PaymentAttempt {
  return testAttempt({ state, step: state === 'acting' ? STEP : null, askAt: AT, ...change });
}

function plan(from: PaymentAttempt, news: AttemptNews, at = AT, of: Deposit = deposit): AttemptPlan | undefined {
  return planBeside([], from, news, at, of);
}

function planBeside(others: readonly PaymentAttempt[], from: PaymentAttempt, news: AttemptNews, at = AT, of = deposit) {
  const facts = { deposit: of, attempt: from, others, balances: {} };
  return planAttempt(facts, news, {
    intervals: INTERVALS,
    merchant: merchantNamed('M1', { eventUrl: 'https://shop.example/events' }),
    compose,
    at,
  });
}

const stateAfter = (state: AttemptState, news: AttemptNews) => plan(attempt(state), news)?.change.state;

describe('a provider’s response about an attempt', () => {
  it('a paid attempt completes its deposit from every earlier state, and a duplicate has no effect', () => {
    for (const state of ['starting', 'acting', 'deciding', 'unknown', 'refused', 'abandoned'] as const) {
      const planned = plan(attempt(state), PAID);
      assert.equal(planned?.change.state, 'paid', state);
      assert.deepEqual(planned.receipt?.plan.change?.state, 'success', state);
      assert.equal(planned.receipt.plan.callbacks.length, 1);
    }
    assert.equal(plan(attempt('paid', { receipts: [''] }), PAID), undefined, 'a duplicate answer');
  });

  it('a payer’s return that the provider rejected leaves the attempt in its state', () => {
    for (const state of ['starting', 'acting', 'deciding', 'unknown'] as const) {
      const from = attempt(state);
      const change = plan(from, { kind: 'no_effect', reason: 'HTTP 422' })?.change;
      assert.deepEqual([change?.state, change?.step, change?.detail], [state, from.step, 'HTTP 422']);
    }
    for (const state of ['paid', 'refused', 'abandoned'] as const)
      assert.equal(plan(attempt(state), { kind: 'no_effect', reason: 'HTTP 422' }), undefined, state);
  });

  it('a payment of a different amount is held, and the deposit stays pending', () => {
    const planned = plan(attempt('deciding'), { ...PAID, money: { currency: 'EUR', minor: 9_999n } });
    assert.deepEqual([planned?.change.state, planned?.receipt?.plan.transfer.state], ['paid', 'held']);
    assert.equal(planned?.receipt?.plan.change, null);
  });

  it('a payment in a different currency is held, whatever its amount and the merchant’s policies', () => {
    const takesAll = merchantNamed('M1', { settings: { mismatch_policy: 'credit', other_payer_policy: 'credit' } });
    for (const minor of [9_999n, 10_000n, 10_001n]) {
      for (const stood of [deposit, { ...deposit, state: 'success', finishedAt: AT } as const]) {
        const news = { ...PAID, money: { currency: 'KZT', minor } } as const;
        const facts = { deposit: stood, attempt: attempt('deciding'), others: [], balances: {} };
        const receipt = planAttempt(facts, news, { intervals: INTERVALS, merchant: takesAll, compose, at: AT })?.receipt
          ?.plan;
        assert.deepEqual(receipt?.transfer, { state: 'held', mismatch: 'other_currency' });
        assert.deepEqual([receipt?.change, receipt?.callbacks], [null, []]);
        assert.deepEqual(
          receipt?.journals.map(({ currency }) => currency),
          ['KZT'],
        );
      }
    }
  });

  it('a payment costs the fee of the payment type that brought the money, whatever the payer tried later', () => {
    const fees = { 'fee_fixed.card.EUR': '1', 'fee_fixed.open_banking.EUR': '7' };
    const facts = {
      deposit: { ...deposit, paymentType: 'open_banking', rail: 'bank' } as const,
      attempt: attempt('abandoned', { paymentType: 'card' }),
      others: [attempt('acting', { attempt: 2, paymentType: 'open_banking', rail: 'bank' })],
      balances: {},
    };
    const planned = planAttempt(facts, PAID, {
      intervals: INTERVALS,
      merchant: merchantNamed('M1', { settings: fees }),
      compose,
      at: AT,
    });
    assert.equal(planned?.receipt?.plan.change?.fee, 100n);
  });

  it('the fee of a receipt never exceeds its amount, even with a high fixed fee', () => {
    for (const settings of [
      { 'fee_fixed.card.EUR': '150' },
      { 'fee_fixed.card.EUR': '60', 'fee_percent.card.EUR': '50' },
    ]) {
      const facts = { deposit, attempt: attempt('deciding'), others: [], balances: {} };
      const receipt = planAttempt(facts, PAID, {
        intervals: INTERVALS,
        merchant: merchantNamed('M1', { settings }),
        compose,
        at: AT,
      })?.receipt?.plan;
      assert.equal(receipt?.change?.fee, 10_000n);
      const posted = receipt?.journals.flatMap(({ transfers }) => transfers.map(({ kind, amount }) => [kind, amount]));
      assert.deepEqual(posted, [['deposit_fee', 10_000n]]);
    }
  });

  it('a second receipt with a different key is recorded as a duplicate payment, and a repeated receipt has no effect', () => {
    const paid = (receiptKey?: string) => (receiptKey === undefined ? PAID : { ...PAID, receiptKey });
    const success: Deposit = { ...deposit, state: 'success', received: 10_000n, finishedAt: AT };
    const after = (receipts: string[], news: AttemptNews) => plan(attempt('paid', { receipts }), news, AT, success);
    const second = after(['E1'], paid('E2'));
    assert.deepEqual(
      [second?.receipt?.transfer.transferKey, second?.receipt?.plan.transfer.state, second?.change.receipts],
      ['1001-AbCd1234/E2', 'held', ['E1', 'E2']],
    );
    for (const known of [after(['E1', 'E2'], paid('E2')), after(['E1'], paid()), after([''], paid('E1'))])
      assert.equal(known, undefined);
  });

  it('a payment by a different payer is held, unless the merchant’s other_payer_policy credits it', () => {
    const fromAnother = { ...PAID, isFromAnother: true };
    const held = plan(attempt('acting'), fromAnother);
    assert.deepEqual(held?.receipt?.plan.transfer, { state: 'held', mismatch: 'other_payer' });
    const facts = { deposit, attempt: attempt('acting'), others: [], balances: {} };
    const takes = merchantNamed('M1', { settings: { other_payer_policy: 'credit' } });
    const credited = planAttempt(facts, fromAnother, { intervals: INTERVALS, merchant: takes, compose, at: AT });
    assert.equal(credited?.receipt?.plan.change?.state, 'success');
  });

  it('a decline of the last allowed attempt fails the deposit as declined', () => {
    const last = attempt('deciding', { attempt: 5 });
    const ended = [1, 2, 3, 4].map((number) => attempt('refused', { attempt: number }));
    const end = planBeside(ended, last, REFUSED)?.end;
    assert.deepEqual([end?.change?.state, end?.change?.failReason, end?.callbacks.length], ['fail', 'declined', 1]);
    assert.equal(planBeside(ended.slice(1), { ...last, attempt: 4 }, REFUSED)?.end, null);
  });

  it('a deposit whose last attempt was declined waits for an earlier attempt that a provider still holds', () => {
    const given = attempt('deciding', { attempt: 1 });
    const ended = [2, 3, 4].map((number) => attempt('refused', { attempt: number }));
    const last = attempt('deciding', { attempt: 5 });
    assert.equal(planBeside([given, ...ended], last, REFUSED)?.end, null);
    const end = planBeside([...ended, attempt('refused', { attempt: 5 })], given, REFUSED)?.end;
    assert.equal(end?.change?.failReason, 'declined');
  });

  it('a silent provider does not change the payer’s step and is queried when the payer’s time ends', () => {
    const acting = attempt('acting', { asks: 3 });
    const late = deposit.closesAt - SECOND_MS;
    const planned = plan(acting, { kind: 'unknown', reason: 'timed out', reporter: 'inquiry' }, late);
    assert.deepEqual(
      [planned?.change.state, planned?.change.step, planned?.change.askAt],
      ['acting', STEP, deposit.closesAt],
    );
  });

  it('a payment made in time succeeds even if the provider decides late', () => {
    const planned = plan(attempt('deciding'), PAID, deposit.closesAt + MINUTE_MS);
    assert.equal(planned?.receipt?.plan.transfer.mismatch, null);
  });

  it('a decline ends the attempt and not the deposit', () => {
    const planned = plan(attempt('deciding'), REFUSED);
    assert.deepEqual(
      [planned?.change.state, planned?.change.refusal, planned?.change.canRetry, planned?.receipt],
      ['refused', 'insufficient_funds', true, null],
    );
    assert.equal(planned?.change.askAt, null);
  });

  it('the payer keeps seeing the attempt’s step until the provider’s next response', () => {
    const step = { kind: 'step', step: STEP, keep: 'k', providerReference: 'P1' } as const;
    const planned = plan(attempt('starting'), step);
    assert.deepEqual([planned?.change.state, planned?.change.step, planned?.change.kept], ['acting', STEP, 'k']);
    const pending = { kind: 'pending', isAuthorised: true, keep: 'k', providerReference: 'P1' } as const;
    const decided = plan(attempt('acting'), pending);
    assert.deepEqual(
      [decided?.change.state, decided?.change.step, decided?.change.isAuthorised],
      ['deciding', null, true],
    );
  });

  it('a timed-out attempt has an unknown outcome, and the provider is queried at growing intervals', () => {
    const silent = { kind: 'unknown', reason: 'timed out', askedAt: 0 } as const;
    assert.equal(stateAfter('starting', silent), 'unknown');
    const first = plan(attempt('unknown'), silent);
    assert.equal(first?.change.askAt, AT + MINUTE_MS);
    const deciding = plan(attempt('deciding', { asks: 7 }), silent);
    assert.deepEqual([deciding?.change.state, deciding?.change.askAt], ['deciding', AT + MINUTE_MS]);
    const step = { kind: 'step', step: STEP, keep: '', providerReference: '', askedAt: 0 } as const;
    const acting = plan(attempt('acting'), step);
    assert.deepEqual([acting?.change.state, acting?.change.askAt], ['acting', AT + MINUTE_MS]);
  });

  it('only status queries increase an attempt’s query count, and an authorisation resets it', () => {
    const pending = { kind: 'pending', isAuthorised: true, keep: '', providerReference: '' } as const;
    const asksAfter = (was: boolean, news: AttemptNews) =>
      plan(attempt('deciding', { asks: 3, isAuthorised: was }), news)?.change.asks;
    assert.equal(asksAfter(true, { ...pending, askedAt: 0 }), 4);
    assert.equal(asksAfter(true, pending), 3);
    assert.equal(asksAfter(true, { ...pending, isAuthorised: false }), 3);
    assert.equal(asksAfter(false, pending), 0);
  });

  it('not_found refuses an attempt only after the proof delay, and never once the provider has assigned an id', () => {
    const provedAt = attempt('unknown').sendUntil + MINUTE_MS;
    const notFound = (askedAt: number) => ({ kind: 'not_found', askedAt }) as const;
    const readLate = provedAt + MINUTE_MS;
    assert.equal(plan(attempt('unknown'), notFound(provedAt - 1), readLate)?.change.state, 'unknown');
    assert.equal(plan(attempt('unknown'), notFound(provedAt), readLate)?.change.state, 'refused');
    const known = attempt('deciding', { providerReference: 'P1' });
    assert.equal(
      plan(known, notFound(provedAt), readLate)?.change.state,
      'deciding',
      'the provider has assigned an id',
    );
  });

  it('not_accepted refuses an attempt after the first call and leaves a later call unresolved', () => {
    const notAccepted = { kind: 'not_accepted', reason: 'no connection' } as const;
    assert.equal(stateAfter('starting', notAccepted), 'refused');
    assert.equal(stateAfter('acting', notAccepted), 'unknown');
    assert.equal(stateAfter('deciding', notAccepted), 'deciding');
  });

  it('an attempt can be abandoned only while the payer must act', () => {
    const abandoned = { kind: 'not_found', reporter: 'deadline' } as const;
    assert.equal(stateAfter('acting', abandoned), 'abandoned');
    for (const state of ['starting', 'deciding', 'unknown'] as const) assert.equal(stateAfter(state, abandoned), state);
    for (const state of ['paid', 'refused'] as const) assert.equal(stateAfter(state, abandoned), undefined);
  });

  it('an attempt in flight always has a time for the next query, and a finished attempt never has', () => {
    const news: AttemptNews[] = [PAID, REFUSED, { kind: 'unknown', reason: '' }, { kind: 'not_found' }];
    for (const state of ['starting', 'acting', 'deciding', 'unknown'] as const) {
      for (const each of news) {
        const change = plan(attempt(state), each)?.change;
        assert.ok(change, `${state} ${each.kind}`);
        assert.equal(change.askAt !== null, isInFlight(change), `${state} ${each.kind}`);
        assert.equal(change.finishedAt === null, isInFlight(change), `${state} ${each.kind}`);
      }
    }
  });
});
