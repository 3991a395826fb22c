/** Runs once every function about form payments and about the money that they bring. */

import assert from 'node:assert/strict';
import { refundDeposit } from '../../src/domain/payments/adjustments/refund-deposit.ts';
import type { PaidAnswer } from '../../src/domain/payments/payment-rail.ts';
import { Secret } from '../../src/foundation/secret.ts';
import { withParts } from '../../src/foundation/with-parts.ts';
import { createReceiptEmailStore } from '../../src/storage/payments/receipt-email-store.ts';
import { ACT, PAID } from '../support/form/card-payments.ts';
import { type LaterScene, openLaterScene } from '../support/form/later-scene.ts';

const FAR = Date.UTC(2100, 0, 1);

export async function exercisePayments(): Promise<void> {
  const scene = await openLaterScene();
  const { bench, cards } = scene;
  const attempt = await scene.paid('payments');
  await scene.fund('payments', 50_000n);
  await scene.adjustBy(attempt, 'charged_back', 'c1', 1_000n);
  const refund = await scene.refunded(attempt, '10.00');
  const unsigned = await cards.openedForm(bench.merchant('payments'), { orderId: 'N1', isSigned: false });
  await cards.attemptOnce(bench.merchant('payments'), { session: unsigned });
  await bench.open(bench.merchant('payments'), 'N1');
  await scene.collectExcess();
  await exerciseReceipts(scene);
  cards.provider.says = ACT;
  await cards.attemptOnce(bench.merchant('acting'));
  await cards.store.claimDue(cards.rail.name, FAR, FAR + 1, 10);
  for (const looks of [1, 2])
    assert.deepEqual(await cards.store.claimDue(cards.rail.name, FAR, FAR, 10), [], `${looks}`);
  await cards.store.findDue(attempt);
  await cards.store.findByReference(cards.rail.name, attempt.reference);
  await cards.store.findSession(Buffer.alloc(32));
  await bench.records.record(attempt);
  await bench.payouts.findByReference('a_rail', 'no reference');
  await scene.adjustBy(attempt, 'charged_back', 'c2', 9_000n);
  await scene.fund('payments', -10_000n);
  await scene.sent(refund);
  await scene.ends(refund, 'declined');
  await scene.collectExcess();
  await scene.adjustBy(attempt, 'chargeback_undone', 'c2', 9_000n);
  await exerciseMovedMoney(scene);
  await bench.close();
}

async function exerciseReceipts({ bench, cards }: LaterScene): Promise<void> {
  const sealedPart = new Secret('sealed');
  await cards.attemptOnce(bench.merchant('receipts'), { card: { wallet: 'apple_pay', token: sealedPart, sealedPart } });
  const store = createReceiptEmailStore(bench.database);
  await cards.attemptOnce(bench.merchant('receipts', { receipt_email: 'on' }));
  const [due] = await store.due(FAR, 10);
  assert.ok(due && (await store.read(due)));
  await store.postpone(due, FAR);
  assert.ok(await store.take(due));
  await store.putBack(due, FAR);
}

/** Credits held money to a different order and a different merchant, refunds it there, and charges it back at its origin. */
async function exerciseMovedMoney({ bench, cards, ...scene }: LaterScene): Promise<void> {
  const merchant = bench.merchant('payments');
  cards.provider.says = { ...PAID, money: { currency: 'EUR', minor: 9_000n } } as PaidAnswer;
  const paid = await cards.attemptOnce(merchant);
  cards.provider.says = ACT;
  const other = await cards.attemptOnce(merchant);
  assert(paid.ok && other.ok);
  const { deposit } = await scene.record(other.value);
  await bench.resolve({ rail: paid.value.rail, transferKey: paid.value.reference }, deposit);
  assert(!(await scene.refund(paid.value)).ok);
  const refund = withParts(refundDeposit, scene.refundParts);
  const { merchantId, transactionId } = deposit;
  const order = { merchantId, transactionId, amount: '1.00', reason: 'the payer wrote', act: 'an action' };
  for (let times = 0; times < 2; times++) assert((await refund(order)).ok);
  await scene.adjustBy(paid.value, 'charged_back', 'c3', 1_000n);
  await scene.record(deposit);
  const act = { amount: '1.00', reason: 'the payer wrote', act: 'moved' };
  assert((await refundDeposit(scene.refundParts, { ...deposit, ...act })).ok);
  cards.provider.says = { ...PAID, money: { currency: 'EUR', minor: 9_000n } } as PaidAnswer;
  const toLeave = await cards.attemptOnce(merchant);
  assert(toLeave.ok);
  const { deposit: elsewhere } = await scene.record(await scene.paid('elsewhere'));
  await bench.resolve({ rail: toLeave.value.rail, transferKey: toLeave.value.reference }, elsewhere);
  await scene.adjustBy(toLeave.value, 'charged_back', 'c4', 1_000n);
}
