/** Payouts created directly for tests of the stores, without the API: a merchant with money, and its payouts. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { fundMerchant, reservePayout } from '../../../src/domain/ledger/journals.ts';
import type { LedgerStore } from '../../../src/domain/ledger/ledger-store.ts';
import { type Payout, postingOf, resultOf } from '../../../src/domain/payouts/payout.ts';
import type { PayoutComposer } from '../../../src/domain/payouts/payout-callbacks.ts';
import type { ClaimedPayout, PayoutClaim } from '../../../src/domain/payouts/payout-job-store.ts';
import { sealOf } from '../../../src/domain/payouts/payout-seal.ts';
import type { NewPayout } from '../../../src/domain/payouts/payout-store.ts';
import type { PayoutReport } from '../../../src/domain/payouts/plan-settlement.ts';
import { createManualClock, type ManualClock } from '../../../src/foundation/clock.ts';
import type { Currency } from '../../../src/foundation/currency.ts';
import { type Database, openDatabase } from '../../../src/storage/core/database.ts';
import { verifyInvariants } from '../../../src/storage/invariants/verify-invariants.ts';
import { createLedgerStore } from '../../../src/storage/ledger/ledger-store.ts';
import { createPayoutJobStore } from '../../../src/storage/payouts/payout-job-store.ts';
import { createPayoutStore, type PostgresPayoutStore } from '../../../src/storage/payouts/payout-store.ts';
import { createTestDatabase, type TestDatabase } from '../postgres/postgres.ts';
import { PLAIN_VAULT } from '../secrets/plain-vault.ts';
import { REFERENCE_KEY } from '../tools/reference-key.ts';

export const NOON = Date.UTC(2026, 10, 21, 12);

export const plainCallbacks: PayoutComposer = {
  payout: (payout) => ({ payout_id: payout.payoutId, code: resultOf(payout).code }),
  event: (payout, adjustment) => ({ payout_id: payout.payoutId, type: adjustment.kind }),
  refund: (payout, kind) => ({ payout_id: payout.payoutId, type: kind }),
};

export interface PayoutBench {
  readonly database: Database;
  /** The configuration for further connections of the test. */
  readonly config: pg.ClientConfig;
  /** Connects as the schema owner, for checks and deliberate corruption. */
  readonly owner: pg.Pool;
  readonly store: PostgresPayoutStore;
  readonly ledger: LedgerStore;
  readonly clock: ManualClock;
  fund(merchantId: string, amount: bigint, currency?: Currency): Promise<void>;
  newPayout(merchantId: string, payoutId: string, amount: bigint, change?: Partial<Payout>): Promise<NewPayout>;
  /** Commits an attempt of a waiting payout, as a worker does before it calls a bank. */
  attempt(merchantId: string, payoutId: string): Promise<ClaimedPayout>;
  /** Returns a second store with separate connections, which the database sees as another process. */
  anotherStore(): PostgresPayoutStore;
  close(): Promise<void>;
  /** Call it at the end of a test file. Rejects if an invariant does not hold. */
  verifyAndClose(): Promise<void>;
}

/** Returns a claim of `limit` payouts whose attempts must be sent immediately. */
export function claimOf(rail: string, now: number, leaseUntil: number, limit = 1): PayoutClaim {
  return {
    rail,
    now,
    leaseUntil,
    sendUntil: now,
    limit,
    inDirectory: false,
    paused: { merchant: [], method: [], purpose: [], rail: [] },
    queuedOnly: false,
    asksFirstSince: null,
    restoredAt: null,
    witness: null,
  };
}

export async function openPayoutBench(existing?: TestDatabase): Promise<PayoutBench> {
  const test = existing ?? (await createTestDatabase());
  const clock = createManualClock(NOON);
  const databases: Database[] = [];
  const open = () => {
    const database = openDatabase(test.config, { poolSize: 4 });
    databases.push(database);
    return database;
  };
  const options = { maxBatch: 64, maxQueued: 10_000, vaultRetentionMs: 1 };
  const storeOver = (database: Database) => createPayoutStore(database, { ...clock, sleep: realSleep }, options);
  const database = open();
  const store = storeOver(database);
  const ledger = createLedgerStore(database, clock);
  const jobs = createPayoutJobStore(database, clock, REFERENCE_KEY);
  let funded = 0;
  const close = async () => {
    for (const each of databases) await each.close();
    await test.close();
  };
  return {
    database,
    config: test.config,
    owner: test.pool,
    store,
    ledger,
    clock,
    async fund(merchantId, amount, currency = 'EUR') {
      const reference = `test-${++funded}`;
      await ledger.post(merchantId, currency, 'test', (balances) =>
        fundMerchant({ merchantId, currency, amount, reference }, balances),
      );
    },
    async newPayout(merchantId, payoutId, amount, change = {}) {
      const payout: Payout = {
        merchantId,
        payoutId,
        transactionId: await store.nextTransactionId(),
        purpose: 'payout',
        method: 9,
        money: { currency: 'EUR', minor: amount },
        amountText: '1.00',
        fee: 0n,
        rail: 'a_rail',
        beneficiary: { accountShown: '411111******1111', fields: {}, vaultToken: null },
        contentHash: createHash('sha256').update(`${payoutId}/${amount}`).digest(),
        state: 'pending',
        blockedReason: null,
        acceptedAt: clock.now(),
        finishedAt: null,
        ...change,
      };
      const [seal, journal] = [sealOf(PLAIN_VAULT, payout), reservePayout(postingOf(payout))];
      return { payout, vaultRecord: null, seal, journal, why: [['first_rail', payout.rail]] };
    },
    async attempt(merchantId, payoutId) {
      const rail = (await store.find({ merchantId, payoutId }))?.rail ?? '';
      const now = clock.now();
      clock.advance(1);
      const others = await test.pool.query<{ merchant_id: string }>(
        'select distinct merchant_id from payout_jobs where merchant_id <> $1',
        [merchantId],
      );
      const paused = { merchant: others.rows.map((row) => row.merchant_id), method: [], purpose: [], rail: [] };
      const claims = await jobs.claim({ ...claimOf(rail, now, now + 1, 1_000), paused });
      const claim = claims.find(({ payout }) => payout.merchantId === merchantId && payout.payoutId === payoutId);
      // The claim also begins attempts of the merchant's other payouts.
      if (!claim || claim.attempts === 0) throw new Error(`${merchantId}/${payoutId} is not due`);
      return claim;
    },
    anotherStore: () => storeOver(open()),
    close,
    async verifyAndClose() {
      const broken = (await verifyInvariants(database)).filter(({ holds }) => !holds);
      await close();
      assert.deepEqual(broken, []);
    },
  };
}

export function reportOf(event: PayoutReport['event'], change: Partial<PayoutReport> = {}): PayoutReport {
  return { event, rail: null, detail: '', actor: 'a_rail', at: NOON + 1_000, ...change };
}

/** The manual clock does not advance by itself; waits inside the stores (retries, polls) use real time. */
function realSleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
