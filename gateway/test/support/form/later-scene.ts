/** Paid form payments on a real database, and later events: a provider's report, refunds, and the merchant's other money. */

import assert from 'node:assert/strict';
import type { DepositKey, TransferId } from '../../../src/domain/deposits/deposit.ts';
import { returnTransfer } from '../../../src/domain/deposits/return-transfer.ts';
import { fundMerchant, withdrawFunding } from '../../../src/domain/ledger/journals.ts';
import { balanceOf } from '../../../src/domain/ledger/transfer.ts';
import type { AdjustmentStore } from '../../../src/domain/payments/adjustments/adjustment-store.ts';
import { collectExcess } from '../../../src/domain/payments/adjustments/collect-excess.ts';
import {
  type RecordAdjustmentParts,
  recordAdjustment,
} from '../../../src/domain/payments/adjustments/record-adjustment.ts';
import { refundDeposit } from '../../../src/domain/payments/adjustments/refund-deposit.ts';
import type { PaymentAttempt } from '../../../src/domain/payments/attempts/payment-attempt.ts';
import type { LaterNews } from '../../../src/domain/payments/payment-rail.ts';
import type { Payout, PayoutEvent } from '../../../src/domain/payouts/payout.ts';
import { settlePayout } from '../../../src/domain/payouts/settle-payout.ts';
import type { PayoutKey } from '../../../src/foundation/identifiers.ts';
import { withParts } from '../../../src/foundation/with-parts.ts';
import { composeAdjustmentEvent, composeRefundEvent } from '../../../src/protocol/callbacks/callback-payloads.ts';
import { createDifferenceStore } from '../../../src/storage/differences/difference-store.ts';
import { verifyInvariants } from '../../../src/storage/invariants/verify-invariants.ts';
import { createAdjustmentStore } from '../../../src/storage/payments/adjustments/adjustment-store.ts';
import { createVaultStore } from '../../../src/storage/vault/vault-store.ts';
import type { DepositBench } from '../deposits/stored-deposits.ts';
import type { MerchantChange } from '../merchants/merchant-named.ts';
import { plainCallbacks, reportOf } from '../payouts/stored-payouts.ts';
import { openCardPayments, PAID } from './card-payments.ts';

export type LaterScene = Awaited<ReturnType<typeof openLaterScene>>;

export async function openLaterScene() {
  const cards = await openCardPayments();
  const { bench, store: payments } = cards;
  const store = createAdjustmentStore(bench.database);
  const differences = createDifferenceStore(bench.database);
  const { merchants, clock } = bench.parts;
  const settle = withParts(settlePayout, {
    store: bench.payouts,
    merchants,
    compose: { ...plainCallbacks, refund: composeRefundEvent },
    onSettled: () => {},
  });
  const compose = composeAdjustmentEvent;
  const parts = { store, differences, payments, payouts: bench.payouts, settle, merchants, compose, clock };
  const adjust = (
    attempt: PaymentAttempt,
    kind: LaterNews['kind'],
    key: string,
    money: LaterNews['money'],
    receiptKey?: string,
  ) => {
    const of = receiptKey === undefined ? {} : { receiptKey };
    const news = { kind, key, money, detail: '', providerReference: attempt.providerReference, ...of };
    return recordAdjustment({ ...parts, onLater: cards.hooks.onLater }, attempt, news, attempt.rail);
  };
  return {
    bench,
    cards,
    differences,
    settle,
    alerts: cards.alerts,
    ...actsOn(cards, parts),
    ...looksAt(bench),
    adjust,
    /** The amount in cents of EUR. Null if the provider states no amount. */
    adjustBy: (
      attempt: PaymentAttempt,
      kind: LaterNews['kind'],
      key: string,
      minor: bigint | null,
      receiptKey?: string,
    ) => adjust(attempt, kind, key, minor === null ? null : { currency: 'EUR', minor }, receiptKey),
    collectExcess: () => collectExcess({ ...parts, onCovered: () => {} }, new AbortController().signal),
    async verifyAndClose(): Promise<void> {
      const broken = (await verifyInvariants(bench.database)).filter(({ holds }) => !holds);
      await bench.close();
      assert.deepEqual(broken, []);
    },
  };
}

type Cards = Awaited<ReturnType<typeof openCardPayments>>;

function actsOn(
  cards: Cards,
  { store, settle }: Pick<RecordAdjustmentParts, 'settle'> & { readonly store: AdjustmentStore },
) {
  const { bench } = cards;
  const rail = { ...cards.rail, refund: async () => ({ kind: 'pending' }) as const };
  const nextTransactionId = () => bench.payouts.nextTransactionId();
  const refundParts = { store, nextTransactionId, rails: [rail], vault: cards.vault, clock: bench.clock };
  const refund = withParts(refundDeposit, refundParts);
  const giveBack = withParts(returnTransfer, {
    store: bench.store,
    nextTransactionId,
    clock: bench.clock,
    rails: [{ name: rail.name, ownPurposes: new Set(['return'] as const) }],
    vault: cards.vault,
    cards: createVaultStore(bench.database),
  });
  let references = 0;
  return {
    refundParts,
    /** Creates a deposit of 100.00 EUR that was paid by card. */
    async paid(merchantId: string, settings: MerchantChange['settings'] = {}): Promise<PaymentAttempt> {
      cards.provider.says = PAID;
      const tried = await cards.attemptOnce(bench.merchant(merchantId, settings));
      assert.ok(tried.ok && tried.value.state === 'paid');
      return tried.value;
    },
    /** Credits or debits the merchant. */
    async fund(merchantId: string, change: bigint): Promise<void> {
      const reference = `later-${++references}`;
      const order = { merchantId, currency: 'EUR', amount: change < 0n ? -change : change, reference } as const;
      await bench.ledger.post(merchantId, 'EUR', 'test', (balances) =>
        change < 0n ? withdrawFunding(order) : fundMerchant(order, balances),
      );
    },
    /** Returns whether a payout from the merchant's own money is accepted. */
    async paysOut(merchantId: string, minor: bigint): Promise<string> {
      return (await bench.payouts.accept(await bench.newPayout(merchantId, `P${++references}`, minor))).kind;
    },
    refund: ({ merchantId, transactionId }: DepositKey, amount: string | null = null, reason = 'the payer wrote') =>
      refund({ merchantId, transactionId, amount, reason }),
    async refunded({ merchantId, transactionId }: DepositKey, amount: string | null = null): Promise<Payout> {
      const refunded = await refund({ merchantId, transactionId, amount, reason: 'the payer wrote' });
      assert.ok(refunded.ok, JSON.stringify(!refunded.ok && refunded.error.kind));
      return refunded.value;
    },
    /** Returns held money to the payer's card. */
    async returned(transfer: TransferId): Promise<PayoutKey> {
      const returning = await giveBack({ ...transfer, reason: 'nobody knows it' });
      assert.ok(returning.ok, !returning.ok ? returning.error.kind : '');
      return returning.value;
    },
    /** Commits an attempt that uses the payout's id as its reference, and returns the reference. */
    async sent({ merchantId, payoutId, rail: name }: PayoutKey & Pick<Payout, 'rail'>): Promise<string> {
      await bench.attempt(merchantId, payoutId);
      await bench.owner.query('insert into rail_references values ($1, $2, $3, $4)', [
        name,
        payoutId,
        merchantId,
        payoutId,
      ]);
      return payoutId;
    },
    async ends({ merchantId, payoutId }: PayoutKey, event: PayoutEvent): Promise<string> {
      return (await settle({ merchantId, payoutId }, null, reportOf(event))).kind;
    },
  };
}

function looksAt(bench: DepositBench) {
  return {
    /** Returns the available, reserved and owed amounts in cents. */
    async money(merchantId: string): Promise<bigint[]> {
      const balances = await bench.ledger.balances(merchantId, 'EUR');
      return (['available', 'reserved', 'owed'] as const).map((account) => balanceOf(balances, account));
    },
    async record({ merchantId, transactionId }: DepositKey) {
      const record = await bench.records.record({ merchantId, transactionId });
      assert.ok(record);
      return record;
    },
    /** Returns the events for the merchant's `event_url`, sorted by type. */
    async events(merchantId: string): Promise<Readonly<Record<string, string>>[]> {
      const { rows } = await bench.owner.query<{ payload: [string, string][] }>(
        "select payload from callbacks where merchant_id = $1 and subject = 'event' order by payload::jsonb",
        [merchantId],
      );
      return rows.map(({ payload }) => Object.fromEntries(payload));
    },
  };
}
