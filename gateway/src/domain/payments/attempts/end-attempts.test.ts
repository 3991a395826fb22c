import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type CardPayments,
  openCardPayments,
  PAID,
  SILENT,
  verifyAndClose,
} from '../../../../test/support/form/card-payments.ts';
import { MINUTE_MS } from '../../../foundation/clock.ts';
import { type WithParts, withParts } from '../../../foundation/with-parts.ts';
import { createDepositRecordStore } from '../../../storage/payments/deposit-record-store.ts';
import type { PaymentNews } from '../payment-rail.ts';
import { endAttempts } from './end-attempts.ts';
import type { PaymentAttempt } from './payment-attempt.ts';
import { processPaymentNotification } from './process-payment-notification.ts';

let payments: CardPayments;
let end: WithParts<typeof endAttempts>;

before(async () => {
  payments = await openCardPayments();
  const depositRecords = createDepositRecordStore(payments.bench.database);
  end = withParts(endAttempts, { ...payments.partsOver(), depositRecords });
});
after(() => verifyAndClose(payments));

/** An attempt that the provider received and has not responded. */
async function silent(name: string): Promise<PaymentAttempt> {
  payments.provider.says = SILENT;
  const result = await payments.attemptOnce(payments.bench.merchant(name));
  assert.ok(result.ok);
  return result.value;
}

const reason = 'the portal shows no such payment';
const standing = async (attempt: PaymentAttempt) => {
  const due = await payments.store.findDue(attempt);
  return [due?.deposit.state, due?.attempt.state, due?.attempt.detail];
};

describe('an attempt whose provider never responds', () => {
  it('an operator ends an attempt as refused, and the gateway no longer waits for its provider', async () => {
    const attempt = await silent('ended');
    payments.bench.clock.advance(MINUTE_MS);
    const ended = await end({ ...attempt, reason, by: 'Ann' });
    assert.deepEqual(ended.ok && ended.value.map(({ reference }) => reference), [attempt.reference]);
    assert.deepEqual(await standing(attempt), ['pending', 'refused', `Ann: ${reason}`]);
    const again = await end({ ...attempt, reason });
    assert.deepEqual(!again.ok && again.error, { kind: 'nothing_in_flight' });
  });

  it('an operator can end an attempt once the gateway may no longer send it', async () => {
    const attempt = await silent('last-instant');
    payments.bench.clock.advance(attempt.sendUntil - payments.bench.clock.now() - 1);
    const early = await end({ ...attempt, reason });
    assert.deepEqual(!early.ok && early.error, { kind: 'just_begun' });
    payments.bench.clock.advance(1);
    assert.equal((await end({ ...attempt, reason })).ok, true);
  });

  it('a deposit still succeeds if money arrives for an attempt that the operator ended', async () => {
    const attempt = await silent('paid-after-all');
    payments.bench.clock.advance(MINUTE_MS);
    await end({ ...attempt, reason });
    const take = withParts(processPaymentNotification, {
      ...payments.partsOver(),
      recordAdjustment: async () => 'known',
    });
    await take('card-rail', { ...PAID, reference: attempt.reference } as PaymentNews);
    assert.deepEqual((await standing(attempt)).slice(0, 2), ['success', 'paid']);
  });

  it('ending an attempt is rejected while its call may be in flight', async () => {
    const attempt = await silent('refused');
    const kindOf = async (order: Parameters<WithParts<typeof endAttempts>>[0]) => {
      const result = await end(order);
      return result.ok ? 'ended' : result.error.kind;
    };
    assert.equal(await kindOf({ ...attempt, reason }), 'just_begun');
    assert.equal(await kindOf({ ...attempt, reason: ' ' }), 'words_rejected');
    assert.equal(await kindOf({ ...attempt, transactionId: 1, reason }), 'deposit_not_found');
    assert.deepEqual((await standing(attempt)).slice(0, 2), ['pending', 'unknown']);
  });
});
