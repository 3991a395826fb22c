import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type DepositBench, openDepositBench } from '../../../../test/support/deposits/stored-deposits.ts';
import { limitParts } from '../../../../test/support/form/limit-parts.ts';
import { testPayer } from '../../../../test/support/form/test-payer.ts';
import { testFormSession, testPaymentRail } from '../../../../test/support/form/test-payment-rail.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../foundation/clock.ts';
import { createSeededRandom } from '../../../foundation/random.ts';
import { verifyInvariants } from '../../../storage/invariants/verify-invariants.ts';
import { createPaymentStore } from '../../../storage/payments/payment-store.ts';
import { expireDeposits } from '../../deposits/expire-deposits.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import { createToken, hashOfToken } from '../form-session.ts';
import type { PayerStep, PaymentAnswer, PaymentOrder, PaymentRail, PaymentStatus } from '../payment-rail.ts';
import type { PaymentStore, SessionRecord } from '../payment-store.ts';
import { askDuePayments } from './ask-payments.ts';
import { handleReturn } from './handle-return.ts';
import type { PaymentAttempt } from './payment-attempt.ts';
import type { PaymentParts, SubmittedPayment } from './payment-parts.ts';
import { startAttempt } from './start-attempt.ts';

const STEP: PayerStep = { kind: 'redirect', url: 'https://bank.example/' };
const ACT: PaymentAnswer = { kind: 'step', step: STEP, keep: 'kept', providerReference: 'P1' };
const DECIDING: PaymentAnswer = { kind: 'pending', isAuthorised: true, keep: '', providerReference: 'P1' };
const REFUSED: PaymentAnswer = {
  kind: 'refused',
  refusal: 'declined',
  canRetry: true,
  detail: '',
  providerReference: 'P1',
};
const SILENT: PaymentAnswer = { kind: 'unknown', reason: 'timed out' };
const PAID: PaymentAnswer = {
  kind: 'paid',
  money: { currency: 'EUR', minor: 10_000n },
  payerAccount: 'DE89',
  providerReference: 'P1',
};

const payer = testPayer({ userId: 'u1', firstName: 'José', lastName: 'Muñoz', email: 'j@example.com', country: 'DE' });

let bench: DepositBench;
let store: PaymentStore;
let parts: PaymentParts;
const random = createSeededRandom('payers');

/** The provider's next responses, and the calls that it received. */
let script: (PaymentAnswer | PaymentStatus)[] = [];
let asked: (readonly [call: string, order: PaymentOrder])[] = [];

function answer(call: string, order: PaymentOrder) {
  asked.push([call, order]);
  const next = script.shift();
  assert.ok(next, `the provider is asked to ${call} and has nothing to say`);
  return next;
}

const rail = testPaymentRail({
  name: 'test-rail',
  paymentType: 'open_banking',
  start: async (order) => answer('start', order) as PaymentAnswer,
  handleReturn: async (order) => answer('handle_return', order) as PaymentAnswer,
  ask: async (order) => answer('ask', order) as PaymentStatus,
});

before(async () => {
  bench = await openDepositBench();
  store = createPaymentStore(bench.database, bench.clock);
  parts = {
    store,
    rails: [rail],
    merchants: bench.parts.merchants,
    compose: bench.parts.compose,
    compareReport: async () => {},
    clock: bench.clock,
    random,
    nextTransactionId: () => bench.payouts.nextTransactionId(),
    canEmail: false,
    clockIsRight: async () => true,
    limits: limitParts(),
    onOpened: () => {},
    onEnded: () => {},
    onSettled: () => {},
    onRailCall: () => {},
  };
});

beforeEach(() => {
  script = [];
  asked = [];
});

after(async () => {
  const broken = (await verifyInvariants(bench.database)).filter(({ holds }) => !holds);
  await bench.close();
  assert.deepEqual(broken, []);
});

interface Visit {
  readonly wanted: SubmittedPayment;
  /** A rail with its own name, so that a test does not meet the open attempts of other tests. */
  readonly rail: PaymentRail;
  readonly parts: PaymentParts;
  look(): Promise<SessionRecord>;
}

async function visit(merchant: Merchant): Promise<Visit> {
  const now = bench.clock.now();
  const { merchantId } = merchant;
  const session = testFormSession({ merchantId, sessionId: random.uuid(), createdAt: now });
  const token = createToken(random);
  await store.openSession(session, hashOfToken(token));
  const returnUrl = ({ attempt }: PaymentAttempt) => `https://pay.example/return/${attempt}`;
  const wanted: SubmittedPayment = {
    session,
    attemptsSeen: 9,
    merchant,
    paymentType: 'open_banking',
    payer,
    card: null,
    returnUrl,
  };
  const own = { ...rail, name: merchant.merchantId };
  return {
    wanted,
    rail: own,
    parts: { ...parts, rails: [own] },
    async look() {
      const record = await store.findSession(hashOfToken(token));
      assert.ok(record);
      return record;
    },
  };
}

async function tried(of: Visit, said: PaymentAnswer): Promise<PaymentAttempt> {
  script = [said];
  const result = await startAttempt(of.parts, of.wanted);
  assert.ok(result.ok, JSON.stringify(!result.ok && result.error.kind));
  return result.value;
}

const asking = (of: Visit) => ({ ...of.parts, recordAdjustment: async () => 'recorded' as const });
const askDue = (of: Visit) => askDuePayments(asking(of), of.rail, 100);
const state = async (of: Visit) => {
  const { deposit, attempts } = await of.look();
  return [deposit?.state, attempts.at(-1)?.state];
};
const expire = () =>
  expireDeposits({ ...bench.parts, store: bench.store, onEnded: () => {} }, new AbortController().signal);

describe('a payer’s attempt', () => {
  it('an attempt is paid when its payer returns and the provider reports a payment', async () => {
    const of = await visit(bench.merchant('walk'));
    const attempt = await tried(of, ACT);
    assert.deepEqual([attempt.state, attempt.step], ['acting', STEP]);
    const [, order] = asked[0] ?? [];
    assert.deepEqual([order?.reference, order?.returnUrl], [attempt.reference, 'https://pay.example/return/1']);
    const { deposit } = await of.look();
    assert.ok(deposit);
    script = [PAID];
    const paid = await handleReturn(of.parts, attempt, deposit, of.wanted, { fields: {} });
    assert.equal(paid.state, 'paid');
    assert.equal(asked[1]?.[1].kept, 'kept');
    assert.deepEqual(await state(of), ['success', 'paid']);
  });

  it('an attempt is committed before the gateway calls the provider', async () => {
    const of = await visit(bench.merchant('committed'));
    const sending: PaymentRail = {
      ...of.rail,
      async start(order) {
        const key = await store.findByReference(of.rail.name, order.reference);
        assert.ok(key);
        assert.equal((await store.find(key))?.state, 'starting');
        return ACT;
      },
    };
    assert.ok((await startAttempt({ ...of.parts, rails: [sending] }, of.wanted)).ok);
  });

  it('a sender that resumes after the attempt’s deadline does not charge the payer', async () => {
    const of = await visit(bench.merchant('late'));
    const sleepy = (sleptMs: number): PaymentParts => ({
      ...of.parts,
      store: {
        ...store,
        async begin(request) {
          const begun = await store.begin(request);
          bench.clock.advance(sleptMs);
          return begun;
        },
      },
    });
    const late = await startAttempt(sleepy(2 * SECOND_MS + 1), of.wanted);
    assert.ok(late.ok);
    assert.deepEqual([late.value.state, late.value.canRetry, asked.length], ['refused', true, 0]);
    script = [PAID];
    const inTime = await startAttempt(sleepy(2 * SECOND_MS), of.wanted);
    assert.equal(inTime.ok && inTime.value.state, 'paid');
  });

  it('a payer’s return is not forwarded if its response could come after the attempt is abandoned', async () => {
    const of = await visit(bench.merchant('late return'));
    const attempt = await tried(of, ACT);
    const { deposit } = await of.look();
    assert.ok(deposit);
    const comeBack = () => handleReturn(of.parts, attempt, deposit, of.wanted, { fields: {} });
    bench.clock.advance(deposit.closesAt - bench.clock.now() - rail.timeoutMs);
    script = [ACT];
    assert.equal((await comeBack()).state, 'acting');
    assert.equal(asked.length, 2);
    bench.clock.advance(1);
    assert.equal((await comeBack()).state, 'acting');
    assert.equal(asked.length, 2);
  });

  it('pressing the pay button several times calls the provider once', async () => {
    const of = await visit(bench.merchant('pressed'));
    script = [ACT];
    const results = await Promise.all(Array.from({ length: 8 }, () => startAttempt(of.parts, of.wanted)));
    assert.equal(results.filter(({ ok }) => ok).length, 1);
    assert.equal(asked.length, 1);
  });

  it('a repeated press after the first attempt ended does not start a second attempt', async () => {
    const of = await visit(bench.merchant('again'));
    const pressed = { ...of.wanted, attemptsSeen: 0 };
    script = [REFUSED];
    assert.ok((await startAttempt(of.parts, pressed)).ok);
    const again = await startAttempt(of.parts, pressed);
    assert.equal(!again.ok && again.error.kind, 'out_of_date');
    script = [PAID];
    assert.ok((await startAttempt(of.parts, { ...pressed, attemptsSeen: 1 })).ok);
  });

  it('an attempt is rejected if its type is disabled, the merchant is suspended, or the time is over', async () => {
    const refusalOf = async (merchant: Merchant, afterMs = 0) => {
      const of = await visit(merchant);
      bench.clock.advance(afterMs);
      const result = await startAttempt(of.parts, of.wanted);
      return !result.ok && result.error.kind;
    };
    assert.equal(
      await refusalOf(bench.merchant('off', { disabled_payment_types: 'open_banking' })),
      'method_unavailable',
    );
    assert.equal(await refusalOf({ ...bench.merchant('suspended'), state: 'suspended' }), 'merchant_disabled');
    assert.equal(await refusalOf(bench.merchant('slow'), HOUR_MS), 'session_expired');
    assert.equal(asked.length, 0);
  });

  it('a payer who closes the browser has paid once the provider confirms it', async () => {
    const of = await visit(bench.merchant('closed'));
    await tried(of, ACT);
    bench.clock.advance(6 * SECOND_MS);
    script = [PAID];
    await askDue(of);
    assert.deepEqual(await state(of), ['success', 'paid']);
  });
});

describe('a silent provider', () => {
  it('the gateway queries a silent provider until it reports the outcome, even after the payer’s time', async () => {
    const of = await visit(bench.merchant('silent'));
    assert.equal((await tried(of, SILENT)).state, 'unknown');
    bench.clock.advance(2 * HOUR_MS);
    await expire();
    assert.deepEqual(await state(of), ['pending', 'unknown'], 'a provider may have the payment');
    script = [DECIDING];
    await askDue(of);
    await expire();
    assert.deepEqual(await state(of), ['pending', 'deciding']);
    bench.clock.advance(MINUTE_MS);
    script = [PAID];
    await askDue(of);
    assert.deepEqual(await state(of), ['success', 'paid']);
  });

  it('a second attempt may begin only after proof that the provider never received the first', async () => {
    const of = await visit(bench.merchant('proof'));
    await tried(of, SILENT);
    script = [{ kind: 'not_found' }];
    bench.clock.advance(6 * SECOND_MS);
    await askDue(of);
    const again = await startAttempt(of.parts, of.wanted);
    assert.equal(!again.ok && again.error.kind, 'in_flight');
    script = [{ kind: 'not_found' }];
    bench.clock.advance(2 * MINUTE_MS);
    await askDue(of);
    assert.deepEqual(await state(of), ['pending', 'refused']);
    assert.equal((await tried(of, PAID)).state, 'paid');
  });
});

describe('an attempt whose payer does not act', () => {
  it('an attempt whose payer does not act ends first, and then its deposit expires', async () => {
    const of = await visit(bench.merchant('asleep'));
    await tried(of, ACT);
    bench.clock.advance(HOUR_MS + 2 * MINUTE_MS);
    await expire();
    assert.deepEqual(await state(of), ['pending', 'acting'], 'the gateway asks the provider first');
    script = [ACT];
    await askDue(of);
    assert.deepEqual(await state(of), ['pending', 'abandoned']);
    await expire();
    assert.deepEqual(await state(of), ['fail', 'abandoned']);
    assert.equal((await of.look()).deposit?.failReason, 'expired');
  });

  it('an attempt is abandoned when its deposit closes, not at the expiry that the payer sees', async () => {
    const of = await visit(bench.merchant('between'));
    await tried(of, ACT);
    const { deposit } = await of.look();
    assert.ok(deposit);
    const cancelling: PaymentRail = { ...of.rail, cancel: async (order) => answer('cancel', order) as PaymentStatus };
    bench.clock.advance(deposit.closesAt - bench.clock.now() - 1);
    script = [ACT];
    await askDuePayments(asking(of), cancelling, 100);
    assert.deepEqual([asked.at(-1)?.[0], await state(of)], ['ask', ['pending', 'acting']]);
    bench.clock.advance(1);
    script = [ACT];
    await askDuePayments(asking(of), cancelling, 100);
    assert.deepEqual([asked.at(-1)?.[0], await state(of)], ['cancel', ['pending', 'abandoned']]);
  });

  it('a process with an inaccurate clock does not abandon an attempt or act on "not found"', async () => {
    const [acting, unknown] = [await visit(bench.merchant('off acting')), await visit(bench.merchant('off unknown'))];
    await tried(acting, ACT);
    await tried(unknown, { kind: 'unknown', reason: 'a timeout' });
    bench.clock.advance(HOUR_MS + 2 * MINUTE_MS);
    const clockIsRight = async () => false;
    for (const each of [acting, unknown]) {
      script = [{ kind: 'not_found' }];
      const cancelling: PaymentRail = {
        ...each.rail,
        cancel: async (order) => answer('cancel', order) as PaymentStatus,
      };
      await askDuePayments({ ...asking(each), clockIsRight }, cancelling, 100);
      assert.equal(asked.at(-1)?.[0], 'ask');
    }
    assert.deepEqual(
      [await state(acting), await state(unknown)],
      [
        ['pending', 'acting'],
        ['pending', 'unknown'],
      ],
    );
  });

  it('an attempt is abandoned when the provider rejects the cancellation of its step', async () => {
    const of = await visit(bench.merchant('refused end'));
    await tried(of, ACT);
    bench.clock.advance(HOUR_MS + 2 * MINUTE_MS);
    const refusing: PaymentRail = { ...of.rail, cancel: async () => ({ kind: 'no_effect', reason: 'HTTP 422' }) };
    await askDuePayments(asking(of), refusing, 100);
    assert.deepEqual(await state(of), ['pending', 'abandoned']);
    await expire();
    assert.deepEqual(await state(of), ['fail', 'abandoned']);
  });

  it('a late attempt is cancelled at the provider, and succeeds if the provider reports a payment', async () => {
    const of = await visit(bench.merchant('cancelled'));
    await tried(of, ACT);
    bench.clock.advance(HOUR_MS + 2 * MINUTE_MS);
    const cancelling: PaymentRail = { ...of.rail, cancel: async () => PAID as PaymentStatus };
    await askDuePayments(asking(of), cancelling, 100);
    assert.deepEqual(await state(of), ['success', 'paid']);
  });
});
