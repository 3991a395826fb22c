/** The plan of every report about an attempt in every state. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testDeposit } from '../../../../test/support/deposits/test-deposit.ts';
import { testAttempt } from '../../../../test/support/form/test-attempt.ts';
import { merchantNamed } from '../../../../test/support/merchants/merchant-named.ts';
import { MINUTE_MS, SECOND_MS } from '../../../foundation/clock.ts';
import type { PayerStep } from '../payment-rail.ts';
import { ATTEMPT_REPORTERS } from './attempt-transitions.ts';
import { ATTEMPT_STATES, type AttemptState, isInFlight, type PaymentAttempt } from './payment-attempt.ts';
import { type AttemptNews, type AttemptPlan, planAttempt } from './plan-attempt.ts';

const INTERVALS = { askAfterMs: [5 * SECOND_MS, MINUTE_MS], notFoundProofMs: MINUTE_MS } as const;
const STEP: PayerStep = { kind: 'redirect', url: 'https://bank.example/' };
const COMPOSE = { deposit: () => ({}), event: () => ({}), displaced: () => ({}) };
const OPEN = testDeposit({ paymentType: 'card', money: { currency: 'EUR', minor: 10_000n } });
const DEPOSITS = [
  OPEN,
  { ...OPEN, state: 'success', finishedAt: 5 } as const,
  { ...OPEN, state: 'fail', failReason: 'expired', finishedAt: 5 } as const,
];
const AT = OPEN.createdAt + MINUTE_MS;

const PAID = { kind: 'paid', money: OPEN.money, payerAccount: '', providerReference: 'P1' } as const;
const NEWS: readonly AttemptNews[] = [
  PAID,
  { ...PAID, money: { currency: 'EUR', minor: 1n } },
  { ...PAID, receiptKey: 'second' },
  { kind: 'refused', refusal: 'declined', canRetry: true, detail: '', providerReference: 'P1' },
  { kind: 'step', step: STEP, keep: 'k', providerReference: 'P1' },
  { kind: 'pending', isAuthorised: true, keep: 'k', providerReference: 'P1' },
  { kind: 'not_accepted', reason: 'no connection' },
  { kind: 'unknown', reason: 'timed out' },
  { kind: 'no_effect', reason: 'HTTP 422' },
  { kind: 'not_found', askedAt: 0 },
  { kind: 'not_found', askedAt: AT + MINUTE_MS },
];

function attemptIn(state: AttemptState): PaymentAttempt {
  const isOpen = isInFlight({ state });
  return testAttempt({
    state,
    step: state === 'acting' ? STEP : null,
    receipts: state === 'paid' ? ['first'] : [],
    askAt: isOpen ? AT : null,
    finishedAt: isOpen ? null : AT,
  });
}

const CASES = ATTEMPT_STATES.flatMap((state) =>
  ATTEMPT_REPORTERS.flatMap((reporter) =>
    NEWS.flatMap((news) =>
      DEPOSITS.map((deposit) => ({ deposit, attempt: attemptIn(state), news: { ...news, reporter } })),
    ),
  ),
);

function planOf({ deposit, attempt, news }: (typeof CASES)[number]): AttemptPlan | undefined {
  const facts = { deposit, attempt, others: [], balances: {} };
  return planAttempt(facts, news, { intervals: INTERVALS, merchant: merchantNamed('M1'), compose: COMPOSE, at: AT });
}

function inWords({ deposit, attempt, news }: (typeof CASES)[number]): string {
  return [deposit.state, attempt.state, news.reporter, news.kind].join(' ');
}

it('every planned attempt has either a payer’s step, a next query or an end', () => {
  for (const each of CASES) {
    const change = planOf(each)?.change;
    if (!change) continue;
    assert.equal(change.step !== null, change.state === 'acting', inWords(each));
    assert.equal(change.askAt !== null, isInFlight(change), inWords(each));
    assert.equal(change.finishedAt === null, isInFlight(change), inWords(each));
    assert.equal(change.refusal !== null, change.state === 'refused', inWords(each));
  }
});

it('a replay of any report changes neither an attempt’s state nor its money', () => {
  for (const each of CASES) {
    const first = planOf(each);
    if (!first) continue;
    const second = planOf({ ...each, attempt: { ...each.attempt, ...first.change } });
    assert.equal(second?.change.state ?? first.change.state, first.change.state, inWords(each));
    assert.equal(second?.receipt ?? null, null, inWords(each));
  }
});

it('a plan adds a receipt if and only if it marks the attempt as paid', () => {
  for (const each of CASES) {
    const plan = planOf(each);
    if (!plan) continue;
    const added = plan.change.receipts.length - each.attempt.receipts.length;
    assert.equal(added, plan.receipt ? 1 : 0, inWords(each));
    if (plan.receipt) assert.equal(plan.change.state, 'paid', inWords(each));
  }
});

it('two reports in either order leave an attempt paid if one of them is a payment', () => {
  const payment = { ...PAID, reporter: 'provider' } as const;
  for (const each of CASES.filter(({ deposit, attempt }) => deposit === OPEN && attempt.state !== 'paid')) {
    const after = (attempt: PaymentAttempt, news: (typeof each)['news']) => {
      return { ...attempt, ...planOf({ ...each, attempt, news })?.change };
    };
    assert.equal(after(after(each.attempt, payment), each.news).state, 'paid', inWords(each));
    assert.equal(after(after(each.attempt, each.news), payment).state, 'paid', inWords(each));
  }
});
