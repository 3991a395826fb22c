/**
 * Deposits on a real database without a listener: merchants as values, a rail that only numbers addresses, and invented
 * transfers.
 */

import assert from 'node:assert/strict';
import type { Deposit, IncomingTransfer, TransferId } from '../../../src/domain/deposits/deposit.ts';
import type { DepositRail } from '../../../src/domain/deposits/deposit-rail.ts';
import { openDeposit } from '../../../src/domain/deposits/open-deposit.ts';
import { receiveTransfer } from '../../../src/domain/deposits/receive-transfer.ts';
import { type ResolutionOrder, resolveTransfer } from '../../../src/domain/deposits/resolve-transfer.ts';
import { returnTransfer } from '../../../src/domain/deposits/return-transfer.ts';
import { balanceOf } from '../../../src/domain/ledger/transfer.ts';
import type { Merchant } from '../../../src/domain/merchants/merchant.ts';
import type { Recovery } from '../../../src/domain/recovery/recovery.ts';
import { HOUR_MS } from '../../../src/foundation/clock.ts';
import { formatAmount, type Money } from '../../../src/foundation/money.ts';
import { createSeededRandom } from '../../../src/foundation/random.ts';
import { withParts } from '../../../src/foundation/with-parts.ts';
import { createDepositStore, type PostgresDepositStore } from '../../../src/storage/deposits/deposit-store.ts';
import { createDepositRecordStore } from '../../../src/storage/payments/deposit-record-store.ts';
import { createVaultStore } from '../../../src/storage/vault/vault-store.ts';
import { testVault } from '../form/limit-parts.ts';
import { NO_KEYS } from '../merchants/merchant-keys.ts';
import { type MerchantChange, merchantNamed } from '../merchants/merchant-named.ts';
import { NOON, openPayoutBench } from '../payouts/stored-payouts.ts';
import type { TestDatabase } from '../postgres/postgres.ts';

const rail: DepositRail = {
  name: 'test-rail',
  paymentType: 'spei',
  currency: 'MXN',
  simulated: true,
  beneficiary: 'The Gateway',
  capacity: 1_000_000,
  addressOf: (number) => String(number).padStart(18, '0'),
  validityMs: 24 * HOUR_MS,
  graceMs: 72 * HOUR_MS,
};

const compose = {
  deposit: (deposit: Deposit) => ({ co_order_no: deposit.orderId, co_inv_st: deposit.state }),
  event: (deposit: Deposit) => ({ order: deposit.orderId }),
  displaced: (deposit: Deposit, held: Money, by: number) => {
    return { type: 'deposit.displaced', order: deposit.orderId, amount: formatAmount(held), displaced_by: `${by}` };
  },
};

export const STORE_OPTIONS = { maxBatch: 64, maxQueued: 10_000 };

export type DepositBench = Awaited<ReturnType<typeof openDepositBench>>;

/** Extends a payout bench with the same database and clock. */
export async function openDepositBench(existing?: TestDatabase) {
  const bench = await openPayoutBench(existing);
  const store = createDepositStore(bench.database, bench.clock, STORE_OPTIONS);
  const merchants = new Map<string, Merchant>();
  const find = async (merchantId: string) => {
    const found = merchants.get(merchantId);
    return found && { merchant: found, keys: NO_KEYS };
  };
  const vault = testVault();
  const recovery = async (): Promise<Recovery | undefined> => undefined;
  const parts = { merchants: { find }, compose, vault, recovery, clock: bench.clock };

  async function open(owner: Merchant, orderId: string, minor = 10_000n, over: PostgresDepositStore = store) {
    const payer = { userId: 'u1', firstName: 'José', lastName: 'Muñoz' };
    const money = { currency: 'MXN', minor } as const;
    const open = withParts(openDeposit, {
      store: over,
      nextTransactionId: () => bench.store.nextTransactionId(),
      rails: [rail],
      clock: bench.clock,
      random: createSeededRandom('deposits'),
      compose,
      onOpened: () => {},
      onProblem: () => {},
    });
    return open({ merchant: owner, orderId, paymentType: 'spei', money, amountText: '100.00', payer });
  }

  const records = createDepositRecordStore(bench.database);
  const resolve = withParts(resolveTransfer, { ...parts, store });
  const giveBack = withParts(returnTransfer, {
    store,
    nextTransactionId: () => bench.store.nextTransactionId(),
    rails: [{ name: rail.name, ownPurposes: new Set(['return'] as const) }],
    vault,
    cards: createVaultStore(bench.database),
    clock: bench.clock,
  });

  let keys = 0;
  return {
    ...bench,
    payouts: bench.store,
    store,
    records,
    /** The parts of the deposit commands except the store. */
    parts,
    open,
    merchant(merchantId: string, settings: MerchantChange['settings'] = {}): Merchant {
      const made = merchantNamed(merchantId, { settings, eventUrl: 'http://127.0.0.1:1/events' });
      merchants.set(merchantId, made);
      return made;
    },
    receiverOver: (over: PostgresDepositStore) =>
      withParts(receiveTransfer, { ...parts, store: over, onReceived: () => {} }),
    resolve: (id: TransferId, to: ResolutionOrder['to'] = null) => resolve({ ...id, to, reason: 'the payer wrote' }),
    returnTransfer: ({ rail, transferKey }: TransferId) => giveBack({ rail, transferKey, reason: 'nobody knows it' }),
    async opened(owner: Merchant, orderId: string, minor = 10_000n): Promise<Deposit> {
      const result = await open(owner, orderId, minor);
      assert.ok(result.ok);
      return result.value;
    },
    transferTo(payTo: string, minor: bigint, change: Partial<IncomingTransfer> = {}): IncomingTransfer {
      const originator = { name: 'Ana', account: '0123', institution: '40012', concept: 'x', trackingKey: `K${keys}` };
      const transferKey = `K${keys++}/40012/20261121`;
      const money = { currency: 'MXN', minor } as const;
      return { rail: rail.name, transferKey, payTo, money, originator, bookedAt: NOON, ...change };
    },
    async mxn(merchantId: string, account: 'available' | 'suspense' | 'reserved' | 'fees' | 'owed'): Promise<bigint> {
      return balanceOf(await bench.ledger.balances(merchantId, 'MXN'), account);
    },
    async stateOf({ merchantId, transactionId }: Deposit) {
      const record = await records.record({ merchantId, transactionId });
      assert.ok(record);
      const transfers = record.transfers.map(({ state, mismatch }) => [state, mismatch]);
      return { state: record.deposit.state, transfers };
    },
  };
}
