/** Batches that meet at the same payouts. The bench's database fails to close when PostgreSQL counted a deadlock in it. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { merchantNamed } from '../../../../test/support/merchants/merchant-named.ts';
import {
  claimOf,
  openPayoutBench,
  type PayoutBench,
  plainCallbacks,
  reportOf,
} from '../../../../test/support/payouts/stored-payouts.ts';
import { REFERENCE_KEY } from '../../../../test/support/tools/reference-key.ts';
import { until } from '../../../../test/support/tools/until.ts';
import type { PayoutStage } from '../../../domain/payouts/payout.ts';
import type { ClaimedPayout, PayoutJobStore } from '../../../domain/payouts/payout-job-store.ts';
import type { SettlementRequest } from '../../../domain/payouts/payout-store.ts';
import { type PayoutReport, planSettlement } from '../../../domain/payouts/plan-settlement.ts';
import { createPauseStore } from '../../routing/pause-store.ts';
import { createPayoutJobStore } from '../payout-job-store.ts';
import { settlePayouts } from './settle-payouts.ts';

const RAIL = 'a_rail';
const APPROVER = { person: 'a person', mailbox: 'a mailbox' };

let bench: PayoutBench;
let jobs: PayoutJobStore;

before(async () => {
  bench = await openPayoutBench();
  jobs = createPayoutJobStore(bench.database, { ...bench.clock, sleep: (ms) => sleep(ms) }, REFERENCE_KEY);
  // This creates the accounts of a rail that pays.
  await accept('batch', ['opened']);
  await claimAll();
  await settle([request('opened', 'executed')]);
});
after(() => bench.close());

let holder: pg.PoolClient;
beforeEach(async () => {
  holder = await bench.owner.connect();
  await holder.query('begin');
});
afterEach(async () => {
  await holder.query('rollback');
  holder.release();
});

/** The later payouts are due later. */
async function accept(merchantId: string, payoutIds: readonly string[], approveBy?: number): Promise<void> {
  await bench.fund(merchantId, 100n);
  for (const payoutId of payoutIds) {
    bench.clock.advance(1);
    const payout = await bench.newPayout(merchantId, payoutId, 10n, { rail: RAIL });
    await bench.store.accept({ ...payout, ...(approveBy && { approval: { by: approveBy, why: ['policy'] } }) });
  }
}

function claimAll(change: { asksFirstSince?: number } = {}): Promise<readonly ClaimedPayout[]> {
  const now = bench.clock.now();
  return jobs.claim({ ...claimOf(RAIL, now, now + 60_000, 100), ...change });
}

function request(payoutId: string, event: PayoutReport['event'], rail: string | null = null): SettlementRequest {
  const merchant = merchantNamed('batch', { eventUrl: 'http://127.0.0.1:1/events' });
  const report = reportOf(event, { rail, ...(event === 'approved' && { approver: APPROVER }) });
  return {
    ...{ merchantId: 'batch', payoutId, fence: null },
    plan: (facts) => planSettlement(facts, report, { merchant, compose: plainCallbacks }),
  };
}

async function settle(requests: readonly SettlementRequest[]): Promise<string[]> {
  return (await settlePayouts(bench.database, { vaultRetentionMs: 1 }, requests)).map(({ kind }) => kind);
}

/** Postpones the claimed payouts in that order, in one batch. */
async function postpone(claims: readonly ClaimedPayout[], payoutIds: readonly string[], stage: PayoutStage) {
  const now = bench.clock.now();
  const to = { at: now, dueAt: now, stage, asks: 0, note: '', attemptOutcome: null } as const;
  await Promise.all(
    payoutIds.map((payoutId) => {
      const claim = claims.find(({ payout }) => payout.payoutId === payoutId);
      assert.ok(claim, payoutId);
      return jobs.postpone({ claim, ...to });
    }),
  );
}

/** Another transaction holds the payout while both begin, so that each has what it locks before that payout. */
async function meetAt<First>(payoutId: string, first: () => Promise<First>, second: () => Promise<void>) {
  await holder.query('select from payout_jobs where payout_id = $1 for update', [payoutId]);
  const works = [first()] as const;
  await waitForLocks(1);
  const others = second();
  await waitForLocks(2);
  await holder.query('commit');
  const [result] = await Promise.all([...works, others]);
  return result;
}

async function waitForLocks(connections: number): Promise<void> {
  await until(`${connections} connections wait for a row`, async () => {
    const { rows } = await bench.owner.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length === connections;
  });
}

it('batches that settle and postpone the same payouts in opposite orders do not deadlock', async () => {
  await accept('batch', ['A1', 'B1']);
  const claims = await claimAll();
  const settled = await meetAt(
    'B1',
    () => settle([request('B1', 'executed'), request('A1', 'executed')]),
    () => postpone(claims, ['A1', 'B1'], 'at_bank'),
  );
  assert.deepEqual(settled, ['settled', 'settled']);
});

it('a claim of payouts that are due in another order does not deadlock with their settlement', async () => {
  await accept('batch', ['B2', 'A2']);
  bench.clock.advance(120_000);
  const claims = await meetAt('B2', claimAll, async () => {
    await settle([request('A2', 'executed'), request('B2', 'executed')]);
  });
  assert.deepEqual(
    claims.map(({ payout }) => payout.payoutId),
    ['B2', 'A2'],
  );
});

it('the end of a pause does not deadlock with a postponement of payouts of two merchants', async () => {
  await accept('paused', ['A3']);
  await accept('paused-too', ['B3']);
  const paused = { merchant: ['paused', 'paused-too'], method: [], purpose: [], rail: [] };
  const now = bench.clock.now();
  const claims = await jobs.claim({ ...claimOf(RAIL, now, now + 60_000, 100), paused });
  const pauses = createPauseStore(bench.database);
  await pauses.pause({ scope: 'rail', target: RAIL, since: now, reason: '' });
  const woken = await meetAt(
    'A3',
    () => pauses.resume('rail', RAIL, now),
    () => postpone(claims, ['A3', 'B3'], 'queued'),
  );
  assert.equal(woken, 2);
});

it('approvals do not deadlock with a postponement of the same payouts', async () => {
  await accept('batch', ['A4', 'B4'], bench.clock.now() + 3_600_000);
  const claims = await claimAll({ asksFirstSince: bench.clock.now() });
  const settled = await meetAt(
    'B4',
    () => settle([request('B4', 'approved'), request('A4', 'approved')]),
    () => postpone(claims, ['A4', 'B4'], 'awaiting_approval'),
  );
  assert.deepEqual(settled, ['settled', 'settled']);
});

it('an approval that shares a batch with a cancellation does not deadlock with a postponement', async () => {
  await accept('batch', ['A5', 'B5'], bench.clock.now() + 3_600_000);
  const claims = await claimAll({ asksFirstSince: bench.clock.now() });
  const settled = await meetAt(
    'B5',
    () => settle([request('B5', 'approved'), request('A5', 'cancelled')]),
    () => postpone(claims, ['A5', 'B5'], 'awaiting_approval'),
  );
  assert.deepEqual(settled, ['settled', 'settled']);
});

it('a payment by an earlier rail that shares a batch with a decline does not deadlock with a postponement', async () => {
  await accept('batch', ['A6', 'B6']);
  const claims = await claimAll();
  const settled = await meetAt(
    'B6',
    () => settle([request('A6', 'executed', 'an_earlier_rail'), request('B6', 'declined')]),
    () => postpone(claims, ['A6', 'B6'], 'at_bank'),
  );
  assert.deepEqual(settled, ['settled', 'settled']);
});
