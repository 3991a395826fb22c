import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import {
  ACT,
  type CardPayments,
  openCardPayments,
  PAID,
  REFUSED,
  verifyAndClose,
} from '../../../../test/support/form/card-payments.ts';
import type { PaymentAnswer, PaymentStatus } from '../payment-rail.ts';
import type { PaymentStore } from '../payment-store.ts';
import { cancelPayment } from './leave-payment.ts';

let payments: CardPayments;
before(async () => {
  payments = await openCardPayments();
});
after(() => verifyAndClose(payments));

/** A merchant's payment whose first attempt has this response. */
async function begun(name: string, said: PaymentAnswer = ACT, settings = {}) {
  const { bench, store, provider, partsOver, attemptOnce } = payments;
  const merchant = bench.merchant(name, settings);
  const rail = { ...payments.rail, name };
  provider.says = said;
  const tried = await attemptOnce(merchant, { parts: partsOver(store, rail) });
  assert.ok(tried.ok);
  const look = async () => {
    const found = await store.findDue(tried.value);
    assert.ok(found);
    return found;
  };
  const seen = await look();
  return {
    state: async () => {
      const { deposit, attempt } = await look();
      return [deposit.state, deposit.failReason, attempt.state];
    },
    cancel: (answer: PaymentAnswer | PaymentStatus, over: Partial<PaymentStore> = {}) => {
      const cancelling = { ...rail, cancel: async () => answer as PaymentStatus };
      return cancelPayment(partsOver({ ...store, ...over }, cancelling), seen);
    },
  };
}

it('cancelling a payment ends its attempt and its deposit in one commit', async () => {
  const { cancel, state } = await begun('one commit');
  const second = { end: () => assert.fail('a second commit') };
  assert.equal(await cancel(ACT, second), 'cancelled');
  assert.deepEqual(await state(), ['fail', 'cancelled', 'abandoned']);
});

it('a cancellation and a simultaneous provider decline end the attempt and the deposit in one commit', async () => {
  const { cancel, state } = await begun('refused', ACT, { form_attempts: '3' });
  assert.equal(await cancel(REFUSED, { end: () => assert.fail('a second commit') }), 'cancelled');
  assert.deepEqual(await state(), ['fail', 'cancelled', 'refused']);
});

it('cancelling has no effect on a payment that completes during the cancellation', async () => {
  const { cancel, state } = await begun('paid');
  assert.equal(await cancel(PAID), 'in_flight');
  assert.deepEqual(await state(), ['success', null, 'paid']);
});

it('cancelling a payment whose provider decides leaves it pending', async () => {
  const { cancel, state } = await begun('deciding');
  const deciding = { kind: 'pending', isAuthorised: true, keep: '', providerReference: 'P1' } as const;
  assert.equal(await cancel(deciding), 'in_flight');
  assert.deepEqual(await state(), ['pending', null, 'deciding']);
});

it('a payment that two pages cancel concurrently ends once', async () => {
  const refused = await begun('after refusal', REFUSED, { form_attempts: '3' });
  assert.equal(await refused.cancel(ACT), 'cancelled');
  assert.equal(await refused.cancel(ACT), 'ended');
  const twice = await begun('two pages');
  const outcomes = await Promise.all([twice.cancel(ACT), twice.cancel(ACT)]);
  assert.deepEqual(outcomes.sort(), ['cancelled', 'ended']);
  assert.deepEqual(await twice.state(), ['fail', 'cancelled', 'abandoned']);
});
