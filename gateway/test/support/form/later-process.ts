/** One gateway process in the setup of later-scene.ts: its commands for paid payments, with separate connections. */

import { resolveTransfer } from '../../../src/domain/deposits/resolve-transfer.ts';
import { returnTransfer } from '../../../src/domain/deposits/return-transfer.ts';
import { collectExcess } from '../../../src/domain/payments/adjustments/collect-excess.ts';
import { recordAdjustment } from '../../../src/domain/payments/adjustments/record-adjustment.ts';
import { refundDeposit } from '../../../src/domain/payments/adjustments/refund-deposit.ts';
import type { PaymentAttempt } from '../../../src/domain/payments/attempts/payment-attempt.ts';
import { settleAttempt } from '../../../src/domain/payments/attempts/settle-attempt.ts';
import type { LaterNews, PaidAnswer } from '../../../src/domain/payments/payment-rail.ts';
import { settlePayout } from '../../../src/domain/payouts/settle-payout.ts';
import { withParts } from '../../../src/foundation/with-parts.ts';
import { composeAdjustmentEvent, composeRefundEvent } from '../../../src/protocol/callbacks/callback-payloads.ts';
import type { Database } from '../../../src/storage/core/database.ts';
import { createDepositStore } from '../../../src/storage/deposits/deposit-store.ts';
import { createDifferenceStore } from '../../../src/storage/differences/difference-store.ts';
import { createLedgerStore } from '../../../src/storage/ledger/ledger-store.ts';
import { createAdjustmentStore } from '../../../src/storage/payments/adjustments/adjustment-store.ts';
import { createPaymentStore } from '../../../src/storage/payments/payment-store.ts';
import { createPayoutJobStore } from '../../../src/storage/payouts/payout-job-store.ts';
import { createVaultStore } from '../../../src/storage/vault/vault-store.ts';
import { STORE_OPTIONS } from '../deposits/stored-deposits.ts';
import { claimOf, plainCallbacks } from '../payouts/stored-payouts.ts';
import { REFERENCE_KEY } from '../tools/reference-key.ts';
import type { LaterScene } from './later-scene.ts';

export type Process = ReturnType<typeof processOver>;

/** Returns the commands of one process, with separate connections. */
export function processOver({ bench, cards }: LaterScene, database: Database) {
  const clock = { ...bench.clock, sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)) };
  const payouts = database === bench.database ? bench.payouts : bench.anotherStore();
  const deposits = createDepositStore(database, clock, STORE_OPTIONS);
  const payments = createPaymentStore(database, bench.clock);
  const store = createAdjustmentStore(database);
  const { merchants } = bench.parts;
  const nextTransactionId = () => payouts.nextTransactionId();
  const rail = { ...cards.rail, refund: async () => ({ kind: 'pending' }) as const };
  const compose = { ...plainCallbacks, refund: composeRefundEvent };
  const settle = withParts(settlePayout, { store: payouts, merchants, compose, onSettled: () => {} });
  const later = { store, differences: createDifferenceStore(database), payments, payouts, settle, merchants, clock };
  const events = { compose: composeAdjustmentEvent, onLater: () => {}, onCovered: () => {} };
  return {
    payments,
    ledger: createLedgerStore(database, clock),
    settlePayout: settle,
    settle: (attempt: PaymentAttempt, news: PaidAnswer) =>
      settleAttempt(cards.partsOver(payments), cards.rail, attempt, news),
    adjust: (attempt: PaymentAttempt, news: LaterNews) =>
      recordAdjustment(
        { ...later, ...events },
        attempt,
        { ...news, providerReference: attempt.providerReference },
        cards.rail.name,
      ),
    refund: withParts(refundDeposit, { store, nextTransactionId, rails: [rail], vault: cards.vault, clock }),
    resolve: withParts(resolveTransfer, { ...bench.parts, store: deposits }),
    returnTransfer: withParts(returnTransfer, {
      store: deposits,
      nextTransactionId,
      clock,
      vault: cards.vault,
      cards: createVaultStore(database),
      rails: [{ name: cards.rail.name, ownPurposes: new Set(['return'] as const) }],
    }),
    collectExcess: () => collectExcess({ ...later, ...events }, new AbortController().signal),
    claim: () => {
      const now = bench.clock.now();
      return createPayoutJobStore(database, clock, REFERENCE_KEY).claim({
        ...claimOf(cards.rail.name, now, now + 1, 1_000),
        inDirectory: true,
      });
    },
  };
}
