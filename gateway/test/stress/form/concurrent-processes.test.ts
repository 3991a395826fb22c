/** Money of the hosted form when many processes act concurrently, or when a process stops midway. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { askOne } from '../../../src/domain/payments/attempts/ask-payments.ts';
import { abandonAttempt } from '../../../src/domain/payments/attempts/leave-payment.ts';
import type { PaymentAttempt } from '../../../src/domain/payments/attempts/payment-attempt.ts';
import { processPaymentNotification } from '../../../src/domain/payments/attempts/process-payment-notification.ts';
import { settleAttempt } from '../../../src/domain/payments/attempts/settle-attempt.ts';
import type { PaidAnswer, PaymentNews, PaymentStatus } from '../../../src/domain/payments/payment-rail.ts';
import type { PaymentStore } from '../../../src/domain/payments/payment-store.ts';
import { withParts } from '../../../src/foundation/with-parts.ts';
import type { Database, Queryable } from '../../../src/storage/core/database.ts';
import { INVARIANTS } from '../../../src/storage/invariants/verify-invariants.ts';
import { createPaymentStore } from '../../../src/storage/payments/payment-store.ts';
import { ACT, cardOf, DECIDING, PAID, REFUSED, SILENT } from '../../support/form/card-payments.ts';
import { type LaterScene, openLaterScene } from '../../support/form/later-scene.ts';

let scene: LaterScene;

before(async () => {
  scene = await openLaterScene();
});
after(() => scene.verifyAndClose());

const PAID_ANSWER = PAID as PaidAnswer;
/** Each payer has a different card and address, so that no attempt limit applies. */
const payerOf = (index: number) => ({ card: cardOf(`5${`${index}`.padStart(15, '0')}`), ip: `192.0.2.${index}` });

const recordAdjustment = async () => 'recorded' as const;
const partsOver = (store: PaymentStore = scene.cards.store) => scene.cards.partsOver(store);

/** Creates an attempt that waits for the payer's next step, on a new form unless a session is given. */
async function acting(merchantId: string, settings = {}, session?: Awaited<ReturnType<typeof form>>) {
  const { cards } = scene;
  cards.provider.says = ACT;
  const tried = await cards.attemptOnce(cards.bench.merchant(merchantId, settings), session ? { session } : {});
  assert.ok(tried.ok, JSON.stringify(!tried.ok && tried.error.kind));
  return tried.value;
}

const form = (merchantId: string) => scene.cards.openedForm(scene.cards.bench.merchant(merchantId));

async function due(attempt: PaymentAttempt) {
  const found = await scene.cards.store.findDue(attempt);
  assert.ok(found);
  return found;
}

async function states(attempt: PaymentAttempt) {
  const found = await due(attempt);
  return [found.attempt.state, found.deposit.state];
}

const receive = (attempt: PaymentAttempt, news: Parameters<typeof settleAttempt>[3], store?: PaymentStore) =>
  settleAttempt(partsOver(store), scene.cards.rail, attempt, news);

/** Returns a database on which statement `last` of a transaction (counted from 1) fails as if the process had died. */
function stoppingAt(last: number, database: Database): Database {
  return {
    ...database,
    transaction: (work) =>
      database.transaction((transaction) => {
        let statements = 0;
        const stop = () => {
          statements += 1;
          if (statements === last) throw new Error('stopped');
        };
        const stopping: Queryable = {
          async query(text, values) {
            stop();
            return transaction.query(text, values);
          },
          async prepared(name, text, values) {
            stop();
            return transaction.prepared(name, text, values);
          },
        };
        return work(stopping);
      }),
  };
}

describe('simultaneous events of one payment', () => {
  it('a payment is credited once when two processes record its events at the same time', async () => {
    const attempt = await acting('race');
    const { cards } = scene;
    const other = createPaymentStore(scene.bench.database, scene.bench.clock);
    const take = withParts(processPaymentNotification, { ...partsOver(other), recordAdjustment });
    const { reference } = attempt;
    const { deposit } = await due(attempt);
    cards.provider.says = PAID;
    const acts: readonly (() => Promise<unknown>)[] = [
      () => receive(attempt, PAID),
      () => receive(attempt, PAID, other),
      () => take('card-rail', { ...PAID_ANSWER, reference }),
      () => take('card-rail', { ...REFUSED, reference } as PaymentNews),
      () => askOne({ ...partsOver(other), recordAdjustment }, cards.rail, { attempt, deposit }),
      () => scene.adjustBy(attempt, 'charged_back', 'D1', 4_000n),
    ];
    await Promise.all(Array.from({ length: 48 }, (_, index) => acts[index % acts.length]?.()));
    await scene.adjustBy(attempt, 'charged_back', 'D1', 4_000n);
    assert.deepEqual(await states(attempt), ['paid', 'success']);
    assert.deepEqual(await scene.money('race'), [6_000n, 0n, 0n]);
    assert.equal((await scene.record(attempt)).transfers.length, 1);
  });

  it('simultaneous refunds, chargebacks, debits and their reversals never take more than the payment', async () => {
    const paid = await Promise.all(Array.from({ length: 6 }, () => scene.paid('all-at-once')));
    await Promise.all(
      paid.flatMap((attempt) => [
        scene.refund(attempt, '60'),
        scene.refund(attempt, '60'),
        scene.adjustBy(attempt, 'charged_back', 'C', 7_000n),
        scene.adjustBy(attempt, 'chargeback_undone', 'C', 7_000n),
        scene.adjustBy(attempt, 'debited', 'D', 10_000n),
        scene.adjustBy(attempt, 'refunded', 'R', 3_000n),
        scene.adjustBy(attempt, 'refund_undone', 'R', 3_000n),
        scene.collectExcess(),
        scene.paysOut('all-at-once', 100n),
      ]),
    );
    const { rows } = await scene.bench.owner.query<{ left: bigint }>(
      "select amount - taken_back - refunded as left from receipt_balances where merchant_id = 'all-at-once'",
    );
    assert.ok(rows.length === 6 && rows.every(({ left }) => left >= 0n));
  });
});

describe('a payment that arrives in several receipts', () => {
  const SEVERAL: PaidAnswer = {
    ...PAID_ANSWER,
    receiptKey: 'E1',
    providerReference: 'E1',
    further: [{ money: PAID_ANSWER.money, payerAccount: '', receiptKey: 'E2' }],
  };

  it('either all receipts of a payment are recorded or none, at whichever statement the process stops', async () => {
    const attempt = await acting('stops');
    for (let last = 1; ; last += 1) {
      const stopping = createPaymentStore(stoppingAt(last, scene.bench.database), scene.bench.clock);
      const isDone = await receive(attempt, SEVERAL, stopping).then(
        () => true,
        () => false,
      );
      if (isDone) break;
      assert.deepEqual(await states(attempt), ['acting', 'pending'], `stopped at statement ${last}`);
      assert.deepEqual(await scene.money('stops'), [0n, 0n, 0n]);
    }
    const { transfers, deposit } = await scene.record(attempt);
    assert.deepEqual(transfers.map(({ state, mismatch }) => [state, mismatch]).sort(), [
      ['credited', null],
      ['held', 'twice'],
    ]);
    assert.deepEqual([deposit.state, deposit.received], ['success', 10_000n]);
    assert.deepEqual((await due(attempt)).attempt.receipts, ['E1', 'E2']);
  });

  it('a payment keeps the provider’s reference of its first receipt, which its refund uses', async () => {
    const attempt = await acting('first');
    await receive(attempt, { ...SEVERAL, further: [] });
    await receive(attempt, {
      ...SEVERAL,
      receiptKey: 'E2',
      providerReference: 'E2',
      further: [{ money: PAID_ANSWER.money, payerAccount: '', receiptKey: 'E1' }],
    });
    const { attempt: stands } = await due(attempt);
    assert.deepEqual([stands.providerReference, stands.receipts], ['E1', ['E1', 'E2']]);
  });
});

describe('an attempt that the payer abandoned', () => {
  it('a deposit stays open for an abandoned attempt that its provider still has, until the provider decides', async () => {
    const settings = { form_attempts: '2' };
    const session = await form('given-up');
    const first = await acting('given-up', settings, session);
    const silent = { ...scene.cards.rail, ask: async () => SILENT as PaymentStatus };
    await abandonAttempt({ ...partsOver(), rails: [silent] }, first, (await due(first)).deposit);
    const second = await acting('given-up', settings, session);
    await receive(first, DECIDING);
    await receive(second, REFUSED);
    assert.deepEqual(await states(second), ['refused', 'pending']);
    await receive(first, PAID);
    assert.deepEqual(await states(first), ['paid', 'success']);
    assert.deepEqual(await scene.money('given-up'), [10_000n, 0n, 0n]);
  });
});

describe('an order that many forms and requests compete for', () => {
  it('an order that many forms and requests compete for is paid at most once', async () => {
    const { bench, cards } = scene;
    const owner = bench.merchant('wanted');
    const other = createPaymentStore(bench.database, bench.clock);
    cards.provider.says = PAID;
    const sessions = await Promise.all(
      Array.from({ length: 32 }, async (_, index) => {
        const session = {
          ...(await form('wanted')),
          sessionId: cards.partsOver().random.uuid(),
          orderId: `N${index % 4}`,
          isSigned: index % 3 === 0,
          visitorHash: Buffer.from([index % 5]),
        };
        await cards.store.openSession(session, Buffer.from(`wanted-${index}`));
        return session;
      }),
    );
    const tries = sessions.map((session, index) => async () => {
      const parts = partsOver(index % 2 === 0 ? cards.store : other);
      const tried = await cards.attemptOnce(owner, {
        session,
        parts,
        card: cardOf(`4${`${index}`.padStart(15, '0')}`),
      });
      if (tried.ok) await receive(tried.value, PAID, other);
    });
    const requests = [0, 1, 2, 3].map((index) => () => bench.open(owner, `N${index}`));
    await Promise.all([...tries, ...requests].map((act) => act()));
    const { rows } = await bench.owner.query(
      `select order_id, count(*) filter (where state = 'success' and displaced_by is null)::int as successes from deposits
       where merchant_id = 'wanted' group by 1`,
    );
    assert.equal(rows.length, 4);
    assert.ok(rows.every(({ successes }) => successes <= 1));
  });
});

describe('an order that an unsigned form is paying while the merchant signs for it', () => {
  it('a contested order goes to the signed request in either order', async () => {
    const { bench, cards } = scene;
    const owner = bench.merchant('signed-for');
    const orders = Array.from({ length: 20 }, (_, index) => `N${index}`);
    cards.provider.says = ACT;
    const strangers = await Promise.all(
      orders.map(async (orderId, index) => {
        const session = await cards.openedForm(owner, { orderId, isSigned: false });
        const tried = await cards.attemptOnce(owner, { session, ...payerOf(index) });
        assert.ok(tried.ok);
        return tried.value;
      }),
    );
    const signed = await Promise.all(orders.map((orderId) => cards.openedForm(owner, { orderId })));
    await Promise.all([
      ...strangers.map((attempt) => receive(attempt, PAID)),
      ...signed.map(async (session, index) =>
        index % 2 === 0 ? cards.attemptOnce(owner, { session, ...payerOf(index) }) : bench.open(owner, session.orderId),
      ),
    ]);
    const balances = await bench.ledger.balances('signed-for', 'EUR');
    assert.deepEqual([balances.available ?? 0n, balances.owed ?? 0n, balances.suspense], [0n, 0n, 200_000n]);
    for (const attempt of strangers) {
      const { deposit, transfers } = await scene.record(attempt);
      assert.notEqual(deposit.displacedBy, null);
      assert.deepEqual(
        transfers.map(({ state, mismatch }) => [state, mismatch]),
        [['held', 'displaced']],
      );
    }
  });

  it('an order paid on an unsigned form goes to one of forty simultaneous signed requests', async () => {
    const { bench, cards } = scene;
    const owner = bench.merchant('forty');
    cards.provider.says = PAID;
    const session = await cards.openedForm(owner, { orderId: 'N1', isSigned: false });
    assert.ok((await cards.attemptOnce(owner, { session })).ok);
    cards.provider.says = ACT;
    const signed = await Promise.all(
      Array.from({ length: 20 }, () => cards.openedForm(owner, { orderId: 'N1', visitorHash: Buffer.from('x') })),
    );
    const results = await Promise.all([
      ...signed.map(async (session, index) => (await cards.attemptOnce(owner, { session, ...payerOf(index) })).ok),
      ...signed.map(async () => (await bench.open(owner, 'N1')).ok),
    ]);
    assert.equal(results.filter((isOk) => isOk).length, 1);
    assert.equal((await scene.events('forty')).length, 1);
    const { available, suspense } = await bench.ledger.balances('forty', 'EUR');
    assert.deepEqual([available, suspense], [0n, 10_000n]);
  });
});

describe('money in another currency', () => {
  it('a payment in another currency does not end a deposit and is held in suspense in its currency', async () => {
    for (const policy of ['hold', 'credit'] as const) {
      const attempt = await acting(`currency-${policy}`, { mismatch_policy: policy, other_payer_policy: 'credit' });
      await receive(attempt, { ...PAID_ANSWER, money: { currency: 'KZT', minor: 10_000n } });
      assert.deepEqual(await states(attempt), ['paid', 'pending']);
      const balances = await scene.bench.ledger.balances(attempt.merchantId, 'KZT');
      assert.deepEqual([balances.suspense, balances.available], [10_000n, undefined]);
    }
  });
});

describe('the verify command', () => {
  const BREAKS: Readonly<Record<string, readonly string[]>> = {
    paid_attempts_brought_money: [
      `update payment_attempts set receipts = '{}' where merchant_id = 'planted'`,
      `update payment_attempts set receipts = '{"",""}' where merchant_id = 'planted'`,
      `update payment_attempts set receipts = '{E9}' where merchant_id = 'planted'`,
      `update payment_attempts set state = 'refused' where merchant_id = 'planted'`,
      `delete from incoming_transfers where merchant_id = 'planted'`,
      `insert into incoming_transfers (merchant_id, rail, transfer_key, transaction_id, pay_to, currency, amount, originator,
         mismatch, state, found_by, booked_at, recorded_at)
       select merchant_id, rail, transfer_key || '/E2', transaction_id, pay_to, currency, amount, originator,
         'twice', 'held', found_by, booked_at, recorded_at
       from incoming_transfers where merchant_id = 'planted'`,
    ],
    succeeded_deposits_were_paid: [
      `delete from incoming_transfers where merchant_id = 'planted';
       delete from payment_attempts where merchant_id = 'planted';
       update deposits set displaced_by = 1 where merchant_id = 'planted'`,
      `update incoming_transfers set currency = 'KZT' where merchant_id = 'planted'`,
      `update incoming_transfers set state = 'given_up' where merchant_id = 'planted'`,
      `update deposits set received = received - 1 where merchant_id = 'planted'`,
    ],
    credited_deposits_have_ended: [
      `update deposits set state = 'pending', finished_at = null where merchant_id = 'planted'`,
      `update incoming_transfers set currency = 'KZT' where merchant_id = 'planted'`,
    ],
    orders_succeed_once: [
      `delete from deposit_orders where merchant_id = 'planted'`,
      `update deposits set displaced_by = 1 where merchant_id = 'planted'`,
      `insert into deposits select merchant_id, transaction_id + 1000000, uuid, order_id, payment_type, currency, amount, amount_text,
         payer, rail, pay_to, beneficiary, state, fail_reason, received, fee, created_at, expires_at, closes_at, finished_at
       from deposits where merchant_id = 'planted'`,
    ],
    takings_are_posted: [
      `delete from ledger_transfers where merchant_id = 'planted' and kind = 'taken_back'`,
      `delete from receipt_takings where merchant_id = 'planted'`,
      `update receipt_takings set amount = amount + 1 where merchant_id = 'planted'`,
    ],
    takings_are_of_one_report: [
      `delete from deposit_adjustments where merchant_id = 'planted'`,
      `update deposit_adjustments set by_receipt = 0 where merchant_id = 'planted'`,
    ],
    receipts_are_what_their_provider_says: [
      `update deposit_adjustments set amount = amount + 1 where merchant_id = 'planted'`,
      `update incoming_transfers set amount = 3999 where merchant_id = 'planted'`,
    ],
    no_more_goes_back_than_came: [`update incoming_transfers set amount = 3999 where merchant_id = 'planted'`],
  };

  it('gateway verify reports each planted inconsistency, and no inconsistency before it was planted', async () => {
    const attempt = await scene.paid('planted');
    await scene.adjustBy(attempt, 'charged_back', 'D1', 4_000n);
    const client = await scene.bench.owner.connect();
    try {
      for (const [name, breakings] of Object.entries(BREAKS)) {
        const sql = INVARIANTS.find((invariant) => invariant.name === name)?.sql;
        assert.ok(sql, name);
        assert.deepEqual((await client.query(sql)).rows, [], `${name} holds before the change`);
        for (const breaking of breakings) {
          await client.query(`begin; ${breaking}`);
          assert.notDeepEqual((await client.query(sql)).rows, [], `${name}: ${breaking}`);
          await client.query('rollback');
        }
      }
    } finally {
      client.release(true);
    }
  });
});
