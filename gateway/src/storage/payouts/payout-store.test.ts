import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { merchantNamed } from '../../../test/support/merchants/merchant-named.ts';
import {
  claimOf,
  openPayoutBench,
  type PayoutBench,
  plainCallbacks,
  reportOf,
} from '../../../test/support/payouts/stored-payouts.ts';
import {
  AUDIT_BREAKS,
  DEPOSIT_BREAKS,
  HISTORY_BREAKS,
  PAYOUT_BREAKS,
  REFUND_BREAKS,
} from '../../../test/support/postgres/invariant-breaks.ts';
import { REFERENCE_KEY } from '../../../test/support/tools/reference-key.ts';
import { until } from '../../../test/support/tools/until.ts';
import { balanceOf } from '../../domain/ledger/transfer.ts';
import { payoutReference } from '../../domain/payouts/payout-order.ts';
import { type PayoutReport, planSettlement } from '../../domain/payouts/plan-settlement.ts';
import { INVARIANTS, verifyInvariants } from '../invariants/verify-invariants.ts';
import { createPayoutJobStore } from './payout-job-store.ts';
import type { PostgresPayoutStore } from './payout-store.ts';

const RACES = 50;

let bench: PayoutBench;

before(async () => {
  bench = await openPayoutBench();
});

after(async () => {
  await assertBooksHold();
  await bench.close();
});

async function assertBooksHold(): Promise<void> {
  const broken = (await verifyInvariants(bench.database)).filter(({ holds }) => !holds);
  assert.deepEqual(broken, []);
}

function settle(merchantId: string, payoutId: string, report: PayoutReport, store: PostgresPayoutStore = bench.store) {
  const merchant = merchantNamed(merchantId, { eventUrl: 'http://127.0.0.1:1/events' });
  const plan = (facts: Parameters<typeof planSettlement>[0]) =>
    planSettlement(facts, report, { merchant, compose: plainCallbacks });
  return store.settle({ merchantId, payoutId, fence: null, plan });
}

async function eur(merchantId: string, account: 'available' | 'reserved' | 'owed'): Promise<bigint> {
  return balanceOf(await bench.ledger.balances(merchantId, 'EUR'), account);
}

/** Resolves once a statement on the test's database waits for a lock. */
function untilBlocked(): Promise<true> {
  return until('a statement that waits for a lock', async () => {
    const { rows } = await bench.owner.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    );
    return rows.length > 0;
  });
}

describe('settlement of payouts', () => {
  it('an execution moves the money of a payout out once, even if the bank reports it repeatedly', async () => {
    await bench.fund('done', 1_000n);
    await bench.store.accept(await bench.newPayout('done', 'P', 400n, { fee: 5n }));
    await bench.attempt('done', 'P');
    const other = bench.anotherStore();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        settle('done', 'P', reportOf('executed'), index % 2 ? other : bench.store),
      ),
    );
    assert.equal(outcomes.filter(({ kind }) => kind === 'settled').length, 1);
    assert.equal(outcomes.filter(({ kind }) => kind === 'unchanged').length, 19);
    assert.equal(await eur('done', 'available'), 595n);
    assert.equal(await eur('done', 'reserved'), 0n);
    const balances = await bench.ledger.balances('done', 'EUR');
    assert.equal(balanceOf(balances, 'clearing:a_rail'), 400n);
    assert.equal(balanceOf(balances, 'fees'), 5n);
  });

  it('a declined payout returns amount and fee to the merchant', async () => {
    await bench.fund('declined', 1_000n);
    await bench.store.accept(await bench.newPayout('declined', 'P', 400n, { fee: 5n }));
    await settle('declined', 'P', reportOf('declined', { blockedReason: 'invalid_beneficiary' }));
    const payout = await bench.store.find({ merchantId: 'declined', payoutId: 'P' });
    assert.equal(payout?.state, 'blocked');
    assert.equal(payout?.blockedReason, 'invalid_beneficiary');
    assert.equal(await eur('declined', 'available'), 1_000n);
  });

  it('a reversal after the final state returns the money and repays the merchant’s debt first', async () => {
    await bench.fund('reversed', 400n);
    await bench.store.accept(await bench.newPayout('reversed', 'P', 400n));
    await bench.attempt('reversed', 'P');
    await settle('reversed', 'P', reportOf('executed'));
    const outcomes = [
      await settle('reversed', 'P', reportOf('reversed')),
      await settle('reversed', 'P', reportOf('reversed')),
    ];
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['settled', 'unchanged'],
    );
    assert.equal((await bench.store.find({ merchantId: 'reversed', payoutId: 'P' }))?.state, 'success');
    assert.equal(await eur('reversed', 'available'), 400n);
  });

  it('a late execution beyond the balance leaves a debt, and payouts are rejected until it is repaid', async () => {
    await bench.fund('late', 400n);
    await bench.store.accept(await bench.newPayout('late', 'P', 300n));
    await settle('late', 'P', reportOf('declined', { blockedReason: 'bank_declined' }));
    await bench.store.accept(await bench.newPayout('late', 'Q', 350n));
    await settle('late', 'P', reportOf('executed'));
    assert.equal(await eur('late', 'available'), 0n);
    assert.equal(await eur('late', 'owed'), -250n);
    await bench.fund('late', 240n);
    const refused = await bench.store.accept(await bench.newPayout('late', 'R', 10n));
    assert.equal(refused.kind, 'insufficient_funds');
    assert.equal(await eur('late', 'owed'), -10n);
    await bench.fund('late', 30n);
    assert.equal(await eur('late', 'owed'), 0n);
    assert.equal(await eur('late', 'available'), 20n);
  });

  it('the released money of a payout repays the merchant’s debt first', async () => {
    await bench.fund('release', 400n);
    await bench.store.accept(await bench.newPayout('release', 'P', 300n));
    await settle('release', 'P', reportOf('declined', { blockedReason: 'bank_declined' }));
    await bench.store.accept(await bench.newPayout('release', 'Q', 350n, { fee: 10n }));
    await settle('release', 'P', reportOf('executed'));
    assert.equal(await eur('release', 'owed'), -260n);
    await settle('release', 'Q', reportOf('declined', { blockedReason: 'bank_declined' }));
    assert.equal(await eur('release', 'owed'), 0n);
    assert.equal(await eur('release', 'available'), 100n);
  });

  const orders = {
    'declined, executed, reversed': ['late_execution', 'reversed'],
    'declined, reversed, executed': ['reversed', 'late_execution'],
    'reversed, executed': ['reversed', 'late_execution'],
    'reversed, executed, reversed, executed': ['reversed', 'late_execution'],
    'executed, reversed, executed, reversed': ['reversed'],
  };
  for (const [order, adjustments] of Object.entries(orders)) {
    it(`a merchant keeps the amount when an execution and its reversal are reported as ${order}`, async () => {
      const merchantId = order.replaceAll(', ', '-');
      await bench.fund(merchantId, 400n);
      await bench.store.accept(await bench.newPayout(merchantId, 'P', 300n));
      await bench.attempt(merchantId, 'P');
      for (const event of order.split(', ') as PayoutReport['event'][]) {
        await settle(merchantId, 'P', reportOf(event));
        bench.clock.advance(1);
      }
      assert.equal(await eur(merchantId, 'available'), 400n);
      assert.equal(balanceOf(await bench.ledger.balances(merchantId, 'EUR'), 'clearing:a_rail'), 0n);
      const { rows } = await bench.owner.query('select kind from payout_adjustments where merchant_id = $1', [
        merchantId,
      ]);
      assert.deepEqual(rows.map(({ kind }) => kind).sort(), adjustments.toSorted());
    });
  }

  it('a merchant gets events of an execution and its reversal only if they moved money', async () => {
    for (const [merchantId, events] of [
      ['reported', ['declined', 'executed', 'reversed']],
      ['unreported', ['declined', 'reversed', 'executed']],
    ] as const) {
      await bench.fund(merchantId, 400n);
      await bench.store.accept(await bench.newPayout(merchantId, 'P', 300n));
      await bench.attempt(merchantId, 'P');
      for (const event of events) await settle(merchantId, 'P', reportOf(event));
    }
    const { rows } = await bench.owner.query(
      `select merchant_id, state, count(*)::int from callbacks where subject = 'event' and merchant_id in ('reported', 'unreported')
       group by 1, 2 order by 1`,
    );
    assert.deepEqual(rows, [
      { merchant_id: 'reported', state: 'due', count: 2 },
      { merchant_id: 'unreported', state: 'not_wanted', count: 2 },
    ]);
  });

  it('a decline of a payout that the bank had already executed moves no money', async () => {
    await bench.fund('torn', 400n);
    await bench.store.accept(await bench.newPayout('torn', 'P', 300n));
    await bench.attempt('torn', 'P');
    await settle('torn', 'P', reportOf('executed'));
    const outcome = await settle('torn', 'P', reportOf('declined', { blockedReason: 'bank_declined' }));
    assert.equal(outcome.kind, 'settled');
    assert.equal(await eur('torn', 'available'), 100n);
  });

  it('a payout is either cancelled or sent in every race', async () => {
    await bench.fund('cancel', 10_000n);
    const jobs = createPayoutJobStore(bench.database, bench.clock, REFERENCE_KEY);
    let cancelled = 0;
    for (let round = 0; round < RACES; round++) {
      const payoutId = `C${round}`;
      await bench.store.accept(await bench.newPayout('cancel', payoutId, 10n, { rail: `race${round}` }));
      const now = bench.clock.now();
      const [claimed, cancel] = await Promise.all([
        jobs.claim(claimOf(`race${round}`, now, now + 60_000)),
        settle('cancel', payoutId, reportOf('cancelled')),
      ]);
      assert.notEqual(claimed.length === 1, cancel.kind === 'settled');
      if (cancel.kind === 'settled') cancelled++;
      else await settle('cancel', payoutId, reportOf('executed'));
    }
    assert.equal(await eur('cancel', 'available'), 10_000n - BigInt(RACES - cancelled) * 10n);
  });

  it('only the holder of the lease can record the outcome of a payout', async () => {
    await bench.fund('lease', 100n);
    await bench.store.accept(await bench.newPayout('lease', 'P', 10n, { rail: 'lease_rail' }));
    const jobs = createPayoutJobStore(bench.database, bench.clock, REFERENCE_KEY);
    const now = bench.clock.now();
    const [late] = await jobs.claim(claimOf('lease_rail', now, now + 1_000));
    assert.deepEqual(await jobs.claim(claimOf('lease_rail', now + 500, now + 1_500)), []);
    const [holder] = await jobs.claim(claimOf('lease_rail', now + 1_000, now + 9_000));
    assert.ok(late && holder);
    assert.ok(late.isBegun && !holder.isBegun, 'the bank may have received the payout, so the holder asks first');
    assert.equal(holder.reference, late.reference);
    const plan = (facts: Parameters<typeof planSettlement>[0]) =>
      planSettlement(facts, reportOf('executed'), { merchant: merchantNamed('lease'), compose: plainCallbacks });
    const key = { merchantId: 'lease', payoutId: 'P' };
    assert.equal((await bench.store.settle({ ...key, fence: late.fence, plan })).kind, 'lease_lost');
    const postponed = {
      at: now,
      dueAt: now,
      stage: 'queued',
      asks: 0,
      note: '',
      attemptOutcome: 'not_accepted',
    } as const;
    await jobs.postpone({ claim: late, ...postponed });
    await jobs.reroute({ claim: late, at: now, dueAt: now, rail: 'other_rail', note: 'late' });
    assert.deepEqual(await jobs.claim(claimOf('other_rail', now + 8_000, now + 9_000)), [], 'it moved to no rail');
    assert.deepEqual(
      await jobs.claim(claimOf('lease_rail', now + 8_000, now + 9_000)),
      [],
      'late words change nothing',
    );
    assert.equal((await bench.store.settle({ ...key, fence: holder.fence, plan })).kind, 'settled');
  });

  it('a payout whose lease ends while a worker is claiming it waits for the next claim', async () => {
    await bench.fund('changed', 100n);
    await bench.store.accept(await bench.newPayout('changed', 'P', 10n, { rail: 'changed_rail' }));
    const jobs = createPayoutJobStore(bench.database, bench.clock, REFERENCE_KEY);
    const now = bench.clock.now();
    const other = await bench.owner.connect();
    await other.query(`begin; update payout_jobs set fence = fence + 1 where merchant_id = 'changed'`);
    const claiming = jobs.claim(claimOf('changed_rail', now, now + 1_000));
    await untilBlocked();
    await other.query('commit');
    other.release();
    assert.deepEqual(await claiming, []);
    assert.equal((await jobs.claim(claimOf('changed_rail', now, now + 1_000)))[0]?.isBegun, true);
    await settle('changed', 'P', reportOf('executed'));
  });

  it('a paused payout does not begin an attempt, and a second attempt keeps the reference of the first', async () => {
    await bench.fund('again', 100n);
    await bench.store.accept(await bench.newPayout('again', 'P', 10n, { rail: 'again_rail' }));
    const jobs = createPayoutJobStore(bench.database, bench.clock, REFERENCE_KEY);
    const now = bench.clock.now();
    for (const paused of [
      { merchant: ['again'] },
      { method: ['9'] },
      { purpose: ['payout'] },
      { rail: ['again_rail'] },
    ]) {
      const claim = claimOf('again_rail', now, now);
      const [held] = await jobs.claim({ ...claim, paused: { ...claim.paused, ...paused } });
      assert.deepEqual([held?.isBegun, held?.stage, held?.attempts, held?.reference], [false, 'queued', 0, null]);
    }
    const [first] = await jobs.claim(claimOf('again_rail', now, now + 1_000));
    assert.ok(first?.isBegun);
    assert.equal(first.reference, payoutReference(REFERENCE_KEY, first.payout));
    const queued = {
      at: now,
      dueAt: now,
      stage: 'queued',
      asks: 0,
      note: 'away',
      attemptOutcome: 'not_accepted',
    } as const;
    await jobs.postpone({ claim: first, ...queued });
    const [second] = await jobs.claim(claimOf('again_rail', now, now + 1_000));
    assert.deepEqual([second?.isBegun, second?.attempts, second?.reference], [true, 2, first.reference]);
    await settle('again', 'P', reportOf('executed'));
    const { rows } = await bench.owner.query(
      `select attempt, outcome from payout_attempts where merchant_id = 'again' order by attempt`,
    );
    assert.deepEqual(rows, [
      { attempt: 1, outcome: 'not_accepted' },
      { attempt: 2, outcome: 'executed' },
    ]);
  });

  it('a claim gives each payout the reference derived from merchant, payout and rail', async () => {
    const jobs = createPayoutJobStore(bench.database, bench.clock, REFERENCE_KEY);
    const now = bench.clock.now();
    const ids = ['A17', 'a.17_-', 'x'.repeat(64), 'refund:1040-AbCd1234:1', String.raw`back\slash`, 'Ñandú'];
    for (const merchantId of ['named', 'M1VJDHSI6DYXS']) {
      await bench.fund(merchantId, 100n);
      for (const id of ids) await bench.store.accept(await bench.newPayout(merchantId, id, 1n, { rail: 'named_rail' }));
    }
    const claims = await jobs.claim(claimOf('named_rail', now, now + 1_000, 100));
    assert.equal(claims.length, 2 * ids.length);
    for (const { payout, reference } of claims) assert.equal(reference, payoutReference(REFERENCE_KEY, payout));
    for (const { payout } of claims) await settle(payout.merchantId, payout.payoutId, reportOf('executed'));
  });

  it('a second attempt at a rail keeps the earlier reference', async () => {
    await bench.fund('older', 100n);
    await bench.store.accept(await bench.newPayout('older', 'P', 10n, { rail: 'older_rail' }));
    const jobs = createPayoutJobStore(bench.database, bench.clock, REFERENCE_KEY);
    const now = bench.clock.now();
    const begin = async (rail: string) => {
      const [claim] = await jobs.claim(claimOf(rail, now, now + 1_000));
      assert.ok(claim?.isBegun);
      return claim;
    };
    const first = await begin('older_rail');
    await bench.owner.query(`update payout_attempts set reference = '17-AbCd1234' where merchant_id = 'older'`);
    await jobs.reroute({ claim: first, at: now, dueAt: now, rail: 'next_rail', note: 'away' });
    const second = await begin('next_rail');
    assert.equal(second.reference, payoutReference(REFERENCE_KEY, { ...second.payout, rail: 'next_rail' }));
    await jobs.reroute({ claim: second, at: now, dueAt: now, rail: 'older_rail', note: 'away' });
    assert.equal((await begin('older_rail')).reference, '17-AbCd1234');
    await settle('older', 'P', reportOf('executed', { rail: 'older_rail' }));
  });

  it('a request that waits for the final state gets it immediately, or the pending payout at its timeout', async () => {
    await bench.fund('wait', 100n);
    const slow = await bench.newPayout('wait', 'slow', 10n);
    await bench.store.accept(slow);
    await bench.attempt('wait', 'slow');
    const waiting = bench.store.waitUntilFinal(slow.payout, 60_000);
    await settle('wait', 'slow', reportOf('executed'), bench.anotherStore());
    assert.equal((await waiting).state, 'success');
    const never = await bench.newPayout('wait', 'never', 10n);
    await bench.store.accept(never);
    assert.equal((await bench.store.waitUntilFinal(never.payout, 0)).state, 'pending');
  });
});

describe('the invariants of payouts', () => {
  it('each invariant holds after the payout tests and detects a planted violation', async () => {
    await bench.fund('planted', 100n);
    await bench.store.accept(await bench.newPayout('planted', 'P', 10n));
    await bench.store.accept(await bench.newPayout('planted', 'Q', 10n));
    await bench.attempt('planted', 'Q');
    await settle('planted', 'Q', reportOf('executed'));
    const breaks = { ...PAYOUT_BREAKS, ...AUDIT_BREAKS, ...HISTORY_BREAKS };
    const all = { ...breaks, ...DEPOSIT_BREAKS, ...REFUND_BREAKS };
    assert.deepEqual(Object.keys(all).sort(), INVARIANTS.map(({ name }) => name).sort());
    const client = await bench.owner.connect();
    for (const { name, sql } of INVARIANTS.filter((invariant) => invariant.name in breaks)) {
      assert.deepEqual((await client.query(sql)).rows, [], `${name} holds before the change`);
      await client.query(`begin; ${breaks[name]}`);
      assert.notDeepEqual((await client.query(sql)).rows, [], `${name} detects the change`);
      await client.query('rollback');
    }
    client.release();
  });
});
