/**
 * Every kind of commit that moves money, in two concurrent processes, on the same merchants in opposite orders. The test reads
 * PostgreSQL's deadlock counter, because a batch that was rolled back and repeated still returns correct responses, only
 * later.
 */

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { resolveTransfer } from '../../../src/domain/deposits/resolve-transfer.ts';
import type { PaymentAttempt } from '../../../src/domain/payments/attempts/payment-attempt.ts';
import { planSettlement } from '../../../src/domain/payouts/plan-settlement.ts';
import { systemClock } from '../../../src/foundation/clock.ts';
import { withParts } from '../../../src/foundation/with-parts.ts';
import { type Database, openDatabase } from '../../../src/storage/core/database.ts';
import { createDepositStore } from '../../../src/storage/deposits/deposit-store.ts';
import { createPayoutJobStore } from '../../../src/storage/payouts/payout-job-store.ts';
import { STORE_OPTIONS } from '../../support/deposits/stored-deposits.ts';
import { type LaterScene, openLaterScene } from '../../support/form/later-scene.ts';
import { merchantNamed } from '../../support/merchants/merchant-named.ts';
import { claimOf, plainCallbacks, reportOf } from '../../support/payouts/stored-payouts.ts';
import { REFERENCE_KEY } from '../../support/tools/reference-key.ts';

const ROUNDS = process.env['TEST_FULL'] ? 12 : 6;
const NAMES = Array.from({ length: 12 }, (_, index) => `order${index}`);

let scene: LaterScene;
let otherDatabase: Database;

before(async () => {
  scene = await openLaterScene();
  otherDatabase = openDatabase(scene.bench.config, { poolSize: 8 });
});
after(async () => {
  await otherDatabase.close();
  await scene.verifyAndClose();
});

/** Creates one process. Each of its actions visits the merchants in the given order. */
function processOf(name: string, database: Database) {
  const { bench } = scene;
  const payouts = database === bench.database ? bench.payouts : bench.anotherStore();
  const deposits = createDepositStore(database, { ...bench.clock, sleep: systemClock.sleep }, STORE_OPTIONS);
  const receive = bench.receiverOver(deposits);
  const resolve = withParts(resolveTransfer, { ...bench.parts, store: deposits });
  const overAll = (merchants: readonly string[], act: (merchantId: string) => Promise<unknown>) =>
    Promise.all(merchants.map(act));
  return {
    async accept(merchants: readonly string[], round: number): Promise<void> {
      const made = await overAll(merchants, (merchantId) => bench.newPayout(merchantId, `${name}${round}`, 1n));
      const outcomes = await Promise.all(
        (made as Awaited<ReturnType<typeof bench.newPayout>>[]).map((payout) => payouts.accept(payout)),
      );
      assert.ok(outcomes.every(({ kind }) => kind === 'created'));
    },
    /** An execution needs no balance and is one statement; a decline is planned under the merchants' locks. */
    async settle(merchants: readonly string[], round: number): Promise<void> {
      const report = round % 2 === 0 ? reportOf('executed') : reportOf('declined', { blockedReason: 'bank_declined' });
      await overAll(merchants, (merchantId) => {
        const merchant = merchantNamed(merchantId);
        const plan = (facts: Parameters<typeof planSettlement>[0]) =>
          planSettlement(facts, report, { merchant, compose: plainCallbacks });
        return payouts.settle({ merchantId, payoutId: `${name}${round}`, fence: null, plan });
      });
    },
    /** Each merchant's deposit is paid twice. The second transfer is held and then credited to the next merchant's deposit. */
    async receiveAndResolve(merchants: readonly string[], round: number): Promise<void> {
      const orderId = `${name}${round}`;
      const opened = await Promise.all(
        merchants.map(async (merchantId) => {
          const result = await bench.open(merchantNamed(merchantId), orderId, 100n, deposits);
          assert.ok(result.ok);
          return result.value;
        }),
      );
      const transfers = opened.map(({ payTo }) => [bench.transferTo(payTo, 100n), bench.transferTo(payTo, 100n)]);
      await Promise.all(transfers.map(([first]) => first && receive(first, 'notification')));
      await Promise.all(transfers.map(([, second]) => second && receive(second, 'notification')));
      await Promise.all(
        transfers.map(async ([, held], index) => {
          assert.ok(held);
          const to = { merchantId: merchants[(index + 1) % merchants.length] ?? '', orderId };
          const { rail, transferKey } = held;
          assert.ok((await resolve({ rail, transferKey, to, reason: 'for the test' })).ok);
        }),
      );
    },
    fund: (merchants: readonly string[]) => overAll(merchants, (merchantId) => bench.fund(merchantId, 1n)),
  };
}

it('two processes that accept, settle, receive, resolve, adjust and fund in opposite orders never deadlock', async () => {
  const payments = new Map<string, PaymentAttempt>();
  for (const merchantId of NAMES) {
    payments.set(merchantId, await scene.paid(merchantId));
    await scene.bench.fund(merchantId, 1_000n);
  }
  const processes = [processOf('a', scene.bench.database), processOf('b', otherDatabase)] as const;
  const adjust = (merchants: readonly string[], key: string) =>
    Promise.all(
      merchants.map((merchantId) => scene.adjustBy(payments.get(merchantId) as PaymentAttempt, 'debited', key, 1n)),
    );
  const orders = [NAMES, NAMES.toReversed()] as const;
  const both = (act: (process: (typeof processes)[0], merchants: readonly string[]) => Promise<unknown>) =>
    Promise.all(processes.map((process, index) => act(process, orders[index] ?? NAMES)));
  await both((process, merchants) => process.accept(merchants, 0));
  for (let round = 0; round < ROUNDS; round++) {
    await beginAttempts();
    await Promise.all([
      both((process, merchants) => process.settle(merchants, round)),
      both((process, merchants) => process.accept(merchants, round + 1)),
      both((process, merchants) => process.receiveAndResolve(merchants, round)),
      both((process, merchants) => process.fund(merchants)),
      ...orders.map((merchants, index) => adjust(merchants, `${index}-${round}`)),
    ]);
  }
});

/** Claims every due payout, as a worker does before it calls a bank. */
async function beginAttempts(): Promise<void> {
  const { database, clock } = scene.bench;
  const now = clock.now();
  clock.advance(1);
  await createPayoutJobStore(database, clock, REFERENCE_KEY).claim(claimOf('a_rail', now, now + 1, 1_000));
}
