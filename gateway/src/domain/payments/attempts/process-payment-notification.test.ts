import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  ACT,
  type CardPayments,
  DECIDING,
  openCardPayments,
  PAID,
  REFUSED,
  SILENT,
  verifyAndClose,
} from '../../../../test/support/form/card-payments.ts';
import { ok } from '../../../foundation/result.ts';
import { withParts } from '../../../foundation/with-parts.ts';
import { createDifferenceStore } from '../../../storage/differences/difference-store.ts';
import { type ProcessNotificationParts, processNotification } from '../../notifications/process-notification.ts';
import type { PaymentNews, PaymentRail } from '../payment-rail.ts';
import type { LaterOutcome } from './ask-payments.ts';
import type { PaymentAttempt } from './payment-attempt.ts';
import { processPaymentNotification } from './process-payment-notification.ts';

let payments: CardPayments;
let later: LaterOutcome[] = [];
let recorded: string[] = [];

before(async () => {
  payments = await openCardPayments();
});
beforeEach(() => {
  later = [];
  recorded = [];
});
after(() => verifyAndClose(payments));

function takerOver(rail: PaymentRail = payments.rail) {
  const parts = payments.partsOver(payments.store, rail);
  return withParts(processPaymentNotification, {
    ...parts,
    async recordAdjustment(_key, news) {
      recorded.push(news.kind);
      return later.shift() ?? 'recorded';
    },
  });
}

/** An attempt whose provider answered the first call with a step for the payer. */
async function acting(name: string, rail: PaymentRail = payments.rail): Promise<PaymentAttempt> {
  payments.provider.says = ACT;
  const result = await payments.attemptOnce(payments.bench.merchant(name), {
    parts: payments.partsOver(payments.store, rail),
  });
  assert.ok(result.ok);
  return result.value;
}

const notify = (news: PaymentNews, rail?: PaymentRail) => takerOver(rail)('card-rail', news);
const stateOf = async (attempt: PaymentAttempt) => (await payments.store.findDue(attempt))?.attempt.state;
const depositOf = async (attempt: PaymentAttempt) => (await payments.store.findDue(attempt))?.deposit.state;

describe('a provider’s notification of a payment', () => {
  it('a payment notification is applied once, even if twenty copies arrive concurrently', async () => {
    const attempt = await acting('notified');
    const { reference } = attempt;
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => notify({ ...PAID, reference } as PaymentNews)));
    assert.equal(outcomes.filter(({ kind }) => kind === 'recorded').length, 1);
    assert.equal(outcomes.filter(({ kind }) => kind === 'known').length, 19);
    assert.equal(await depositOf(attempt), 'success');
    assert.equal((await payments.bench.ledger.balances('notified', 'EUR')).available, 10_000n);
  });

  it('the record of a payment’s money states whether a notification or a response brought it', async () => {
    const { reference } = await acting('found-by');
    await notify({ ...PAID, reference } as PaymentNews);
    payments.provider.says = PAID;
    await payments.attemptOnce(payments.bench.merchant('found-by'));
    const rows = await payments.bench.database.prepared<{ found_by: string }>(
      'found-by-of-test',
      `select found_by from incoming_transfers where merchant_id = $1 order by found_by`,
      ['found-by'],
    );
    assert.deepEqual(
      rows.map(({ found_by }) => found_by),
      ['answer', 'notification'],
    );
  });

  it('a notified decline after the payment has no effect', async () => {
    const attempt = await acting('in-order');
    await notify({ ...PAID, reference: attempt.reference } as PaymentNews);
    assert.equal((await notify({ ...REFUSED, reference: attempt.reference } as PaymentNews)).kind, 'known');
    assert.equal(await stateOf(attempt), 'paid');
  });

  it('a notified payment overrides an earlier decline', async () => {
    const attempt = await acting('out-of-order');
    await notify({ ...REFUSED, reference: attempt.reference } as PaymentNews);
    assert.equal((await notify({ ...DECIDING, reference: attempt.reference } as PaymentNews)).kind, 'known');
    await notify({ ...PAID, reference: attempt.reference } as PaymentNews);
    assert.equal(await depositOf(attempt), 'success');
  });

  const differencesOf = async (attempt: PaymentAttempt) => {
    const filter = { rail: attempt.rail, day: null, kind: null, openOnly: true } as const;
    const listed = await createDifferenceStore(payments.bench.database).list(filter);
    const own = listed.filter(({ transactionId }) => transactionId === attempt.transactionId);
    return own.map(({ kind, ours, theirs }) => `${kind}: ${ours}; ${theirs}`);
  };

  for (const [what, change, expected] of [
    ['another amount', { money: { currency: 'EUR', minor: 1n } }, 'transfer_amount: 100.00 EUR; 0.01 EUR'],
    ['another currency', { money: { currency: 'USD', minor: 10_000n } }, 'transfer_amount: 100.00 EUR; 100.00 USD'],
    ['another id', { providerReference: 'P2' }, 'contradiction: paid as P1; paid as P2, 100.00 EUR'],
  ] as const)
    it(`a repeated payment notification with ${what} opens a difference and moves no money`, async () => {
      const name = `repeated with ${what}`;
      const attempt = await acting(name);
      const { reference } = attempt;
      await notify({ ...PAID, reference } as PaymentNews);
      await notify({ ...PAID, reference } as PaymentNews);
      assert.deepEqual(await differencesOf(attempt), []);
      assert.equal((await notify({ ...PAID, ...change, reference } as PaymentNews)).kind, 'known');
      assert.deepEqual(await differencesOf(attempt), [expected]);
      assert.equal((await payments.bench.ledger.balances(name, 'EUR')).available, 10_000n);
    });

  it('a notified decline of a paid payment opens a difference, unless it is about another attempt at the provider', async () => {
    const attempt = await acting('refused-after-paid');
    const { reference } = attempt;
    await notify({ ...PAID, reference } as PaymentNews);
    await notify({ ...REFUSED, reference, providerReference: 'P2' } as PaymentNews);
    assert.deepEqual(await differencesOf(attempt), []);
    await notify({ ...REFUSED, reference, providerReference: 'P1', detail: 'no money' } as PaymentNews);
    assert.deepEqual(await differencesOf(attempt), ['contradiction: paid as P1; refused: no money']);
  });

  it('a notified payment of a different amount is held, and the deposit stays pending', async () => {
    const attempt = await acting('other-amount');
    await notify({ ...PAID, money: { currency: 'EUR', minor: 1n }, reference: attempt.reference } as PaymentNews);
    assert.equal(await depositOf(attempt), 'pending');
    const { available = 0n, suspense } = await payments.bench.ledger.balances('other-amount', 'EUR');
    assert.deepEqual([available, suspense], [0n, 1n]);
  });

  it('a payment notification with an unknown reference is not acknowledged', async () => {
    assert.deepEqual(await notify({ ...PAID, reference: '1-nobody00' } as PaymentNews), { kind: 'unknown_reference' });
  });

  it('an unproved payment notification makes the gateway query the provider, and stays unconfirmed until the provider responds', async () => {
    const attempt = await acting('asked');
    const { reference } = attempt;
    payments.provider.says = SILENT;
    const silent = await notify({ kind: 'ask', reference });
    assert.deepEqual(silent, { kind: 'unconfirmed', reason: 'the provider did not respond' });
    assert.deepEqual([await stateOf(attempt)], ['acting'], 'a silent provider leaves the payer’s step');
    payments.provider.says = PAID;
    assert.deepEqual(await notify({ kind: 'ask', reference }), { kind: 'recorded' });
    assert.equal(await depositOf(attempt), 'success');
    assert.equal((await notify({ kind: 'ask', reference })).kind, 'known');
  });

  it('a notification signed for all merchants is trusted only with the payment’s id from the provider', async () => {
    const rail = { ...payments.rail, newsNeedProviderReference: true };
    const attempt = await acting('bound', rail);
    const { reference } = attempt;
    const foreign = await notify({ ...PAID, reference, providerReference: 'another' } as PaymentNews, rail);
    assert.deepEqual([foreign.kind, await depositOf(attempt)], ['unknown_reference', 'pending']);
    await notify({ ...PAID, reference } as PaymentNews, rail);
    assert.equal(await depositOf(attempt), 'success');
  });

  it('the gateway queries an attempt without the provider’s id before it trusts a notification signed for all merchants', async () => {
    const rail = { ...payments.rail, newsNeedProviderReference: true };
    payments.provider.says = SILENT;
    const parts = payments.partsOver(payments.store, rail);
    const result = await payments.attemptOnce(payments.bench.merchant('unnamed'), { parts });
    assert.ok(result.ok);
    const { reference } = result.value;
    const forged = { ...PAID, reference, providerReference: 'P9' } as PaymentNews;
    assert.equal((await notify(forged, rail)).kind, 'unknown_reference');
    payments.provider.says = ACT;
    assert.equal((await notify(forged, rail)).kind, 'unknown_reference');
    assert.equal((await notify({ ...PAID, reference } as PaymentNews, rail)).kind, 'recorded');
  });

  it('a debit of an unconfirmed payment makes the gateway query the payment first', async () => {
    const attempt = await acting('too-early');
    const debited = {
      kind: 'debited',
      reference: attempt.reference,
      providerReference: 'P1',
      key: '1',
      money: null,
      detail: '',
    } as const;
    later = ['not_paid', 'not_paid'];
    assert.equal((await notify(debited)).kind, 'unconfirmed');
    payments.provider.says = PAID;
    later = ['not_paid', 'recorded'];
    assert.equal((await notify(debited)).kind, 'recorded');
    assert.deepEqual([await depositOf(attempt), recorded], ['success', Array(4).fill('debited')]);
    later = ['known'];
    assert.equal((await notify(debited)).kind, 'known');
    later = ['not_ours'];
    assert.equal((await notify(debited)).kind, 'unknown_reference');
  });

  it('an unconfirmed notification is returned with its payment once the payment’s attempt has ended', async () => {
    const attempt = await acting('ended-before');
    const { merchantId, transactionId, reference } = attempt;
    await notify({ ...REFUSED, reference } as PaymentNews);
    const money = { currency: 'EUR', minor: 10_000n } as const;
    const back = { kind: 'charged_back', reference, providerReference: 'P1', key: '1', money, detail: '' } as const;
    payments.provider.says = SILENT;
    later = ['not_paid', 'not_paid'];
    const { kind, ended } = await notify(back);
    assert.deepEqual([kind, ended], ['unconfirmed', { merchantId, transactionId }]);
  });

  /** The outcome of a notification with this news, and whether a difference keeps it. */
  async function notifyWhole(news: PaymentNews): Promise<readonly [string, boolean]> {
    let result: readonly [string, boolean] | undefined;
    const parts: Partial<ProcessNotificationParts> = {
      processPayment: takerOver(),
      recordForgotten: async () => false,
      differences: createDifferenceStore(payments.bench.database),
      clock: payments.bench.clock,
      onNotification: ({ kind }, isKept) => {
        result = [kind, isKept];
      },
    };
    const acknowledgement = { status: 200, contentType: 'text/plain', body: 'OK' };
    const read = () => ok({ news: [{ kind: 'payment', news } as const], acknowledgement });
    const raw = { body: Buffer.alloc(0), headers: {} } as never;
    await processNotification(
      parts as ProcessNotificationParts,
      { name: 'card-rail', malformedStatus: 400, read },
      raw,
    );
    assert.ok(result);
    return result;
  }

  it('an unconfirmed chargeback of a finished payment stays a difference when another notification is repeated', async () => {
    const attempt = await acting('ended-and-repeated');
    const { reference } = attempt;
    const refused = { ...REFUSED, reference } as PaymentNews;
    await notify(refused);
    const money = { currency: 'EUR', minor: 10_000n } as const;
    const back = { kind: 'charged_back', reference, providerReference: 'P1', key: '1', money, detail: '' } as const;
    payments.provider.says = SILENT;
    later = ['not_paid', 'not_paid'];
    assert.deepEqual(await notifyWhole(back), ['unconfirmed', true]);
    const open = ['unconfirmed: the provider has not confirmed the payment yet; charged_back, 100.00 EUR'];
    assert.deepEqual(await differencesOf(attempt), open);
    assert.deepEqual(await notifyWhole(refused), ['known', false]);
    payments.provider.says = REFUSED;
    assert.deepEqual(await notifyWhole({ kind: 'ask', reference }), ['known', false]);
    assert.deepEqual(await differencesOf(attempt), open);
    assert.deepEqual(await notifyWhole(back), ['recorded', false]);
    assert.deepEqual(await differencesOf(attempt), []);
  });

  it('a notification without an outcome about a finished payment is not a difference while its provider is down', async () => {
    const attempt = await acting('ended-and-asked');
    const { reference } = attempt;
    await notify({ ...REFUSED, reference } as PaymentNews);
    payments.provider.says = SILENT;
    assert.deepEqual(await notifyWhole({ kind: 'ask', reference }), ['unconfirmed', false]);
    assert.deepEqual(await differencesOf(attempt), []);
  });

  it('a query about a payment also records the refunds in the provider’s response', async () => {
    const attempt = await acting('both');
    payments.provider.says = {
      ...PAID,
      kind: 'paid',
      money: { currency: 'EUR', minor: 10_000n },
      payerAccount: '',
      providerReference: 'P1',
      later: [{ kind: 'refunded', key: 'D1', money: null, detail: '' }],
    };
    await notify({ kind: 'ask', reference: attempt.reference });
    assert.deepEqual([await depositOf(attempt), recorded], ['success', ['refunded']]);
  });
});
