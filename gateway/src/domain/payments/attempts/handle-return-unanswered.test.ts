import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import {
  ACT,
  type CardPayments,
  openCardPayments,
  PAID,
  payer,
  SILENT,
  verifyAndClose,
} from '../../../../test/support/form/card-payments.ts';
import { HOUR_MS, MINUTE_MS } from '../../../foundation/clock.ts';
import { expireDeposits } from '../../deposits/expire-deposits.ts';
import type { NoEffect, PaymentAnswer, PaymentRail, PaymentStatus } from '../payment-rail.ts';
import { askDuePayments } from './ask-payments.ts';
import { handleReturn } from './handle-return.ts';
import { abandonAttempt } from './leave-payment.ts';
import type { PaymentParts } from './payment-parts.ts';

let payments: CardPayments;
before(async () => {
  payments = await openCardPayments();
});
after(() => verifyAndClose(payments));

const NO_EFFECT = { kind: 'no_effect', reason: 'HTTP 422' } as const;
const SECOND_STEP = { ...ACT, keep: 'second' } as PaymentAnswer;

/** A card attempt whose payer is at the bank. */
async function atTheBank(name: string) {
  const { bench, store, provider, partsOver, openedForm, attemptOnce } = payments;
  const merchant = bench.merchant(name);
  const session = await openedForm(merchant);
  const rail: PaymentRail = { ...payments.rail, name, returnActs: true };
  const partsOf = (change: Partial<PaymentRail> = {}): PaymentParts => partsOver(store, { ...rail, ...change });
  provider.says = ACT;
  const begun = await attemptOnce(merchant, { session, parts: partsOf() });
  assert.ok(begun.ok && begun.value.state === 'acting');
  const key = begun.value;
  const look = async () => {
    const found = await store.findDue(key);
    assert.ok(found);
    return found;
  };
  const goes = (change: Partial<PaymentRail>) => ({
    ...partsOf(change),
    recordAdjustment: async () => 'recorded' as const,
  });
  const start = await look();
  const wanted = { session, merchant, payer, returnUrl: () => 'https://pay.example/return' };
  const comeBack = async (says: () => Promise<PaymentAnswer | NoEffect>, from = start) =>
    handleReturn(partsOf({ handleReturn: says }), from.attempt, from.deposit, wanted, { fields: {} });
  const crash = (from = start) => assert.rejects(comeBack(() => Promise.reject(new Error('the process died')), from));
  return {
    look,
    comeBack,
    crash,
    /** The payer leaves the attempt, and the provider says this about it. */
    leave: (says: () => Promise<PaymentStatus>) => abandonAttempt(goes({ cancel: says }), start.attempt, start.deposit),
    askDue: (says: PaymentAnswer) => {
      provider.says = says;
      return askDuePayments(goes({}), { ...rail }, 100);
    },
    state: async () => {
      const { attempt, deposit } = await look();
      return [deposit.state, attempt.state];
    },
  };
}

it('a payer cannot abandon an attempt while a return of theirs has no recorded response', async () => {
  const { crash, leave, state } = await atTheBank('died');
  await crash();
  for (const says of [ACT, SILENT, { kind: 'not_found' } as const])
    assert.equal((await leave(async () => says as PaymentStatus)).state, 'acting', says.kind);
  assert.equal((await leave(async () => PAID as PaymentStatus)).state, 'paid');
  assert.deepEqual(await state(), ['success', 'paid']);
});

it('an attempt with an open return is not abandoned at its deadline, and late money pays it', async () => {
  const { crash, askDue, state } = await atTheBank('died late');
  const { bench } = payments;
  await crash();
  bench.clock.advance(HOUR_MS + 2 * MINUTE_MS);
  await askDue(ACT);
  await expireDeposits({ ...bench.parts, store: bench.store, onEnded: () => {} }, new AbortController().signal);
  assert.deepEqual(await state(), ['pending', 'acting']);
  bench.clock.advance(HOUR_MS);
  await askDue(PAID);
  assert.deepEqual(await state(), ['success', 'paid']);
});

it('a payer may return again after the response to a return was lost', async () => {
  const { crash, comeBack, state } = await atTheBank('again back');
  await crash();
  assert.equal((await comeBack(async () => PAID)).state, 'paid');
  assert.deepEqual(await state(), ['success', 'paid']);
});

it('a response without effect closes only its own return', async () => {
  const { crash, comeBack, leave } = await atTheBank('nonsense');
  assert.equal((await comeBack(async () => NO_EFFECT)).openReturns, 0);
  await crash();
  assert.equal((await comeBack(async () => NO_EFFECT)).openReturns, 1);
  assert.equal((await leave(async () => ACT as PaymentStatus)).state, 'acting');
});

it('a response to a return from an earlier step does not close the returns of the next step', async () => {
  const { look, comeBack, crash } = await atTheBank('next step');
  const overtaken = await comeBack(async () => {
    assert.equal((await comeBack(async () => SECOND_STEP)).openReturns, 0);
    await crash(await look());
    return NO_EFFECT;
  });
  assert.equal(overtaken.openReturns, 1);
});

it('the gateway does not forward a payer’s return from an earlier step', async () => {
  const { comeBack } = await atTheBank('stale');
  await comeBack(async () => SECOND_STEP);
  const stale = await comeBack(() => assert.fail('the provider was called'));
  assert.deepEqual([stale.state, stale.openReturns], ['acting', 0]);
});

it('a provider’s response to a query from before a payer’s return does not abandon anything', async () => {
  const { crash, leave } = await atTheBank('overtaken');
  const left = await leave(async () => {
    await crash();
    return ACT as PaymentStatus;
  });
  assert.equal(left.state, 'acting');
});

it('a payer may leave an attempt whose returns all have a response', async () => {
  const { comeBack, leave } = await atTheBank('answered');
  await comeBack(async () => NO_EFFECT);
  assert.equal((await leave(async () => ACT as PaymentStatus)).state, 'abandoned');
});
