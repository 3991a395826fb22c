import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DepositBench, openDepositBench, STORE_OPTIONS } from '../../../test/support/deposits/stored-deposits.ts';
import { testDeposit } from '../../../test/support/deposits/test-deposit.ts';
import { UNCOUNTED } from '../../../test/support/form/limit-parts.ts';
import { NOON } from '../../../test/support/payouts/stored-payouts.ts';
import { countTransactions } from '../../../test/support/postgres/counted-transactions.ts';
import { planDisplacement } from '../../domain/deposits/plan-displacement.ts';
import type { PaymentAttempt } from '../../domain/payments/attempts/payment-attempt.ts';
import { planAttempt } from '../../domain/payments/attempts/plan-attempt.ts';
import { createToken, type FormSession, hashOfToken } from '../../domain/payments/form-session.ts';
import type { PaymentAnswer } from '../../domain/payments/payment-rail.ts';
import type { AttemptRequest, BeginOutcome, PaymentStore } from '../../domain/payments/payment-store.ts';
import { destroyOldSessions } from '../../domain/payments/sessions/destroy-old-sessions.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, systemClock } from '../../foundation/clock.ts';
import { createSeededRandom } from '../../foundation/random.ts';
import type { Database } from '../core/database.ts';
import { createDepositStore } from '../deposits/deposit-store.ts';
import { verifyInvariants } from '../invariants/verify-invariants.ts';
import { createPaymentStore } from './payment-store.ts';

const RAIL = 'test-rail';
const INTERVALS = { askAfterMs: [5 * SECOND_MS, MINUTE_MS], notFoundProofMs: MINUTE_MS } as const;
const PAID: PaymentAnswer = {
  kind: 'paid',
  money: { currency: 'EUR', minor: 10_000n },
  payerAccount: '411111******1111',
  providerReference: 'P1',
};
const REFUSED: PaymentAnswer = {
  kind: 'refused',
  refusal: 'declined',
  canRetry: true,
  detail: '05',
  providerReference: 'P1',
};

let bench: DepositBench;
let store: PaymentStore;
const random = createSeededRandom('forms');
let attempts = 0;

before(async () => {
  bench = await openDepositBench();
  store = createPaymentStore(bench.database, bench.clock);
});

after(async () => {
  const broken = (await verifyInvariants(bench.database)).filter(({ holds }) => !holds);
  await bench.close();
  assert.deepEqual(broken, []);
});

async function session(
  merchantId: string,
  orderId: string,
  isSigned = true,
): Promise<{ session: FormSession; token: string }> {
  bench.merchant(merchantId);
  const opened: FormSession = {
    merchantId,
    sessionId: random.uuid(),
    orderId,
    money: { currency: 'EUR', minor: 10_000n },
    amountText: '100',
    isSigned,
    visitorHash: null,
    language: 'uk',
    paymentType: null,
    parameters: { item_name: 'Чай', country: 'UA' },
    transactionId: null,
    createdAt: NOON,
    expiresAt: NOON + HOUR_MS,
  };
  const token = createToken(random);
  await store.openSession(opened, hashOfToken(token));
  return { session: opened, token };
}

async function begin(of: FormSession, mostAttempts = 3, over: PaymentStore = store): Promise<BeginOutcome> {
  const { merchantId, orderId, money, amountText } = of;
  const transactionId = await bench.payouts.nextTransactionId();
  const times = { createdAt: NOON, expiresAt: NOON + HOUR_MS, closesAt: NOON + HOUR_MS };
  const form = {
    merchantId,
    orderId,
    money,
    amountText,
    transactionId,
    uuid: random.uuid(),
    payTo: '',
    beneficiary: '',
  };
  const deposit = testDeposit({ ...form, ...times, paymentType: 'card', rail: RAIL });
  const reference = `${transactionId}-AbCd${String(++attempts).padStart(4, '0')}`;
  const call = { startedAt: NOON, sendUntil: NOON + 10 * SECOND_MS, askAt: NOON + 15 * SECOND_MS };
  const attempt = { rail: RAIL, paymentType: 'card', reference, ...call } as const;
  const displacing = { ...bench.parts, merchant: bench.merchant(merchantId), at: NOON };
  const displace: AttemptRequest['displace'] = (facts) => planDisplacement(facts, { by: transactionId }, displacing);
  return over.begin({
    session: of,
    deposit,
    displace,
    attempt,
    card: null,
    counted: UNCOUNTED,
    wallet: null,
    receiptTo: null,
    attemptsSeen: 9,
    mostAttempts,
  });
}

async function begun(of: FormSession): Promise<PaymentAttempt> {
  const outcome = await begin(of);
  assert.ok(outcome.kind === 'begun', outcome.kind);
  return outcome.attempt;
}

async function settle(attempt: PaymentAttempt, answer: PaymentAnswer) {
  const owner = bench.merchant(attempt.merchantId);
  const at = NOON + MINUTE_MS;
  const [outcome] = await store.settle({
    ...attempt,
    at,
    plans: [
      (facts) =>
        planAttempt(facts, answer, { intervals: INTERVALS, merchant: owner, compose: bench.parts.compose, at }),
    ],
  });
  assert.ok(outcome);
  return outcome;
}

const eur = async (merchantId: string) => (await bench.ledger.balances(merchantId, 'EUR')).available ?? 0n;

describe('a form session', () => {
  it('the store finds a form session only by its token, unchanged since it was opened', async () => {
    const { session: opened, token } = await session('token', 'N1');
    assert.deepEqual(await store.findSession(hashOfToken(token)), { session: opened, deposit: null, attempts: [] });
    assert.equal(await store.findSession(hashOfToken(createToken(random))), undefined);
  });

  it('a form session becomes one deposit with one attempt, even after many concurrent submits', async () => {
    const { session: opened, token } = await session('double', 'N1');
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => begin(opened)));
    const kinds = outcomes.map(({ kind }) => kind).sort();
    assert.deepEqual(kinds, ['begun', ...Array(9).fill('in_flight')]);
    const record = await store.findSession(hashOfToken(token));
    assert.deepEqual([record?.attempts.length, record?.deposit?.state], [1, 'pending']);
    assert.equal(record?.session.transactionId, record?.deposit?.transactionId);
  });

  it('a form session is rejected for an order that is being paid or was paid', async () => {
    const first = await session('orders', 'N1');
    const attempt = await begun(first.session);
    const second = await session('orders', 'N1', false);
    assert.equal((await begin(second.session)).kind, 'order_in_use');
    await settle(attempt, PAID);
    assert.equal((await begin(second.session)).kind, 'order_paid');
    assert.equal((await begin(first.session)).kind, 'ended');

    const failed = await session('orders', 'N2');
    const { transactionId } = await begun(failed.session);
    const at = NOON + HOUR_MS;
    const change = { state: 'fail', failReason: 'expired', received: 0n, fee: 0n, finishedAt: at } as const;
    const { deposit } = (await store.findSession(hashOfToken(failed.token))) ?? {};
    assert.ok(deposit);
    const history = {
      at,
      event: 'expired',
      fromState: 'pending',
      toState: 'fail',
      actor: 'gateway',
      detail: '',
    } as const;
    const callback = { merchantId: 'orders', subject: 'deposit', subjectId: 'N2', payload: {}, state: 'due' } as const;
    const callbacks = [{ ...callback, callbackId: `deposit_${transactionId}_x`, createdAt: at }];
    await bench.store.settle({ ...deposit, at, plan: () => ({ change, journals: [], history, callbacks }) });
    assert.equal((await begin((await session('orders', 'N2')).session)).kind, 'begun');
  });
});

describe('the personal data of payers', () => {
  it('personal data is destroyed a day after an unused form session, and ninety days after a used session', async () => {
    const unused = await session('kept', 'N1');
    const used = await session('kept', 'N2');
    const attempt = await begun(used.session);
    const destroyAt = (now: number) =>
      destroyOldSessions({ payments: store, clock: { ...bench.clock, now: () => now } }, new AbortController().signal);
    const are = async () =>
      Promise.all([unused, used].map(async ({ token }) => (await store.findSession(hashOfToken(token))) !== undefined));
    const over = NOON + HOUR_MS;
    await destroyAt(over + DAY_MS);
    assert.deepEqual(await are(), [true, true]);
    await destroyAt(over + DAY_MS + 1);
    assert.deepEqual(await are(), [false, true]);
    await destroyAt(over + 90 * DAY_MS + 1);
    assert.deepEqual(await are(), [false, false]);
    assert.equal((await store.findDue(attempt))?.deposit.state, 'pending', 'the deposit stays pending');
    const { rows } = await bench.owner.query("select from form_tokens where merchant_id = 'kept'");
    assert.equal(rows.length, 0);
  });
});

describe('an order with several forms', () => {
  const endOf = async (token: string) => {
    const record = await store.findSession(hashOfToken(token));
    return [record?.deposit?.state, record?.deposit?.failReason];
  };

  it('an order that a payer opens a second time continues as the same payment', async () => {
    const first = await session('again', 'N1');
    const attempt = await begun(first.session);
    const second = await session('again', 'N1');
    const outcome = await begin(second.session);
    assert.ok(outcome.kind === 'in_flight');
    assert.deepEqual(outcome.attempt, attempt);
    const record = await store.findSession(hashOfToken(second.token));
    assert.equal(record?.deposit?.transactionId, attempt.transactionId);
  });

  it('an order of an unsigned form moves to the merchant’s signed form', async () => {
    const anybody = await session('unsigned', 'N1', false);
    const attempt = await begun(anybody.session);
    const signed = await session('unsigned', 'N1');
    const own = await begun(signed.session);
    assert.deepEqual(await endOf(anybody.token), ['fail', 'displaced']);
    await settle(attempt, PAID);
    await settle(own, PAID);
    assert.deepEqual(await endOf(signed.token), ['success', null]);
    const { available, suspense } = await bench.ledger.balances('unsigned', 'EUR');
    assert.deepEqual([available, suspense], [10_000n, 10_000n]);
  });

  it('an order of an unsigned form moves to a host-to-host request, even if the request is repeated', async () => {
    const owner = bench.merchant('wired');
    const anybody = await session('wired', 'N1', false);
    await begun(anybody.session);
    const counting = countTransactions(bench.database);
    const deposits = createDepositStore(counting, bench.clock, STORE_OPTIONS);
    const results = await Promise.all(Array.from({ length: 40 }, () => bench.open(owner, 'N1', 10_000n, deposits)));
    assert.equal(results.filter(({ ok }) => ok).length, 1);
    assert.equal(counting.begun(), 1);
    assert.deepEqual(await endOf(anybody.token), ['fail', 'displaced']);
    assert.equal((await begin((await session('wired', 'N1')).session)).kind, 'order_in_use');
  });
});

describe('an attempt of a payer', () => {
  it('a payer’s attempt begins once when the response to its commit is lost, even if the session’s commit lost its response too', async () => {
    let lost = 0;
    const losesFirst = async <Result>(committed: Promise<Result>) => {
      const result = await committed;
      if (lost++ === 0) throw Object.assign(new Error('the answer is lost'), { code: 'ECONNRESET' });
      return result;
    };
    const losing = {
      ...bench.database,
      transaction: (work) => losesFirst(bench.database.transaction(work)),
    } as Database;
    const { session: opened, token } = await session('lost', 'N1');
    await store.openSession(opened, hashOfToken(token));
    const outcome = await begin(opened, 3, createPaymentStore(losing, systemClock));
    assert.equal(lost, 2);
    const record = await store.findSession(hashOfToken(token));
    assert.equal(record?.attempts.length, 1);
    assert.deepEqual(outcome.kind === 'begun' && outcome.attempt, record?.attempts[0]);
  });

  it('a paid attempt completes its deposit once, in the same commit', async () => {
    const { session: opened, token } = await session('paid', 'N1');
    const attempt = await begun(opened);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => settle(attempt, PAID)));
    assert.equal(outcomes.filter(({ kind }) => kind === 'settled').length, 1);
    const record = await store.findSession(hashOfToken(token));
    assert.deepEqual([record?.deposit?.state, record?.attempts[0]?.state], ['success', 'paid']);
    assert.equal(await eur('paid'), 10_000n);
  });

  it('a declined attempt leaves its deposit open for more attempts up to the limit', async () => {
    const { session: opened, token } = await session('tries', 'N1');
    for (let attempt = 1; attempt <= 3; attempt++) await settle(await begun(opened), REFUSED);
    assert.equal((await begin(opened)).kind, 'too_many_attempts');
    const record = await store.findSession(hashOfToken(token));
    assert.deepEqual(
      record?.attempts.map(({ state, refusal }) => [state, refusal]),
      Array(3).fill(['refused', 'declined']),
    );
    assert.equal(record?.deposit?.state, 'pending');
  });

  it('a second paid attempt of one order is held for the operator', async () => {
    const { session: opened } = await session('both', 'N1');
    const first = await begun(opened);
    await settle(first, REFUSED);
    await settle(await begun(opened), PAID);
    assert.equal((await settle(first, PAID)).kind, 'settled');
    assert.equal(await eur('both'), 10_000n);
    assert.equal((await bench.ledger.balances('both', 'EUR')).suspense, 10_000n);
  });

  it('an attempt is found by its provider’s reference', async () => {
    const attempt = await begun((await session('found', 'N1')).session);
    const { merchantId, transactionId } = attempt;
    assert.deepEqual(await store.findByReference(RAIL, attempt.reference), { merchantId, transactionId, attempt: 1 });
    assert.equal(await store.findByReference(RAIL, 'other'), undefined);
  });

  it('only one of two processes claims a due attempt for a status query', async () => {
    const attempt = await begun((await session('due', 'N1')).session);
    const due = async (now: number) => {
      const claimed = await store.claimDue(RAIL, now, now + MINUTE_MS, 1_000);
      return claimed.filter(({ deposit }) => deposit.merchantId === 'due').length;
    };
    assert.equal(await due(NOON + 14 * SECOND_MS), 0);
    const claims = await Promise.all([due(NOON + 15 * SECOND_MS), due(NOON + 15 * SECOND_MS)]);
    assert.equal(claims[0] + claims[1], 1);
    assert.equal(await due(NOON + 75 * SECOND_MS), 1, 'the lease has expired');
    await settle(attempt, REFUSED);
    assert.equal(await due(NOON + HOUR_MS), 0);
  });
});
