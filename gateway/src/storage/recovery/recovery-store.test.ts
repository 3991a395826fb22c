import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { merchantNamed } from '../../../test/support/merchants/merchant-named.ts';
import { NOWHERE_ELSE } from '../../../test/support/payouts/scripted-rail.ts';
import {
  claimOf,
  NOON,
  openPayoutBench,
  type PayoutBench,
  plainCallbacks,
  reportOf,
} from '../../../test/support/payouts/stored-payouts.ts';
import { REFERENCE_KEY } from '../../../test/support/tools/reference-key.ts';
import { MOST_OPEN_OF_ANY_SUBJECT, OF_NOTHING_OF_OURS } from '../../domain/differences/difference.ts';
import type { SettlementFacts } from '../../domain/payouts/payout-store.ts';
import { planSettlement } from '../../domain/payouts/plan-settlement.ts';
import { MOST_NOTIFIED_REFERENCES } from '../../domain/reconciliation/reconciliation-store.ts';
import { recordForgotten } from '../../domain/reconciliation/record-forgotten-notification.ts';
import { resolveUnmatched } from '../../domain/reconciliation/resolve-unmatched.ts';
import { beginRecovery, SKIPPED_NUMBERS } from '../../domain/recovery/begin-recovery.ts';
import { completeRecovery } from '../../domain/recovery/complete-recovery.ts';
import { countedBefore, progressOf, type RecoveringRail } from '../../domain/recovery/rail-progress.ts';
import { asksFirstSince, type Recovery } from '../../domain/recovery/recovery.ts';
import { releaseAfterRestore } from '../../domain/recovery/release-after-restore.ts';
import { DAY_MS, HOUR_MS } from '../../foundation/clock.ts';
import { withParts } from '../../foundation/with-parts.ts';
import type { Database } from '../core/database.ts';
import { createDifferenceStore } from '../differences/difference-store.ts';
import { createPayoutJobStore } from '../payouts/payout-job-store.ts';
import { createRailHealthStore } from '../rails/rail-health-store.ts';
import { createReconciliationStore } from '../reconciliation/reconciliation-store.ts';
import { createLineageStore } from './lineage-store.ts';
import { createRecoveryStore } from './recovery-store.ts';

let bench: PayoutBench;
before(async () => {
  bench = await openPayoutBench();
  await bench.fund('m', 1_000n);
});
after(() => bench.verifyAndClose());
beforeEach(() => bench.owner.query('truncate recoveries, recovery_rails, unaccounted_payouts, rail_health'));

const LISTED: RecoveringRail = { name: 'a_rail', hasList: true, notFoundProofMs: 1_000 };
const UNLISTED: RecoveringRail = { name: 'b_rail', hasList: false, notFoundProofMs: 1_000 };
const WORDS = { by: 'Ann', reason: 'it died', knownUntil: null, skip: { transactionIds: 0, addresses: 0 } };

function open(rails: readonly RecoveringRail[] = [LISTED], clockIsRight = async () => true, database = bench.database) {
  const { clock } = bench;
  const store = createRecoveryStore(database);
  const lineages = createLineageStore(bench.database);
  const progress = async () => {
    const recovery = await store.latest();
    assert(recovery);
    const facts = {
      recovery,
      unasked: await store.unasked(recovery.startedAt, countedBefore(recovery, rails)),
      unaccounted: await store.countUnaccounted(),
    };
    return rails.map((rail) => progressOf(rail, facts));
  };
  return {
    store,
    begin: withParts(beginRecovery, { store, lineages, clock, clockIsRight }),
    complete: withParts(completeRecovery, { store, progress, clock, clockIsRight }),
    progress,
  };
}

describe('beginning a recovery', () => {
  it('beginning a recovery takes the last heartbeat in the database as the start of the recovery window', async () => {
    const { begin, store } = open();
    const closed = [{ rail: 'a_rail', breaker: 'closed', inFlight: 0 }] as const;
    await createRailHealthStore(bench.database).report({ process: 'a process', reported: [] }, closed, NOON - HOUR_MS);
    assert((await begin(WORDS)).ok);
    const recovery = await store.latest();
    assert.deepEqual([recovery?.knownUntil, recovery?.startedAt], [NOON - HOUR_MS, bench.clock.now()]);
  });

  it('beginning a recovery moves every sequence past the numbers that may have been used, in short statements', async () => {
    const counts: unknown[] = [];
    const query: Database['query'] = (text, values = []) => {
      if (text.includes('nextval')) counts.push(values[1]);
      return bench.database.query(text, values);
    };
    const { begin } = open([LISTED], async () => true, { ...bench.database, query });
    const number = async (sequence: string) =>
      Number((await bench.owner.query(`select nextval('${sequence}') as n`)).rows[0].n);
    const before = [await number('transaction_ids'), await number('clabe_numbers')];
    assert((await begin({ ...WORDS, skip: SKIPPED_NUMBERS })).ok);
    assert(counts.every((count) => Number(count) <= 100_000));
    assert((await number('transaction_ids')) - (before[0] ?? 0) >= SKIPPED_NUMBERS.transactionIds);
    assert((await number('clabe_numbers')) - (before[1] ?? 0) >= SKIPPED_NUMBERS.addresses);
  });

  it('beginning a recovery keeps the recovery window of an earlier recovery that is open', async () => {
    const { begin, store } = open();
    assert((await begin({ ...WORDS, knownUntil: NOON - DAY_MS })).ok);
    bench.clock.advance(1_000);
    assert((await begin({ ...WORDS, knownUntil: NOON })).ok);
    assert.equal((await store.latest())?.knownUntil, NOON - DAY_MS);
    const { rows } = await bench.owner.query('select 1 from recoveries where completed_at is null');
    assert.equal(rows.length, 1);
  });

  it('beginning a recovery keeps the recovery window of a completed recovery whose banks are still queried', async () => {
    const { begin, complete, store } = open([UNLISTED]);
    assert((await begin({ ...WORDS, knownUntil: NOON - DAY_MS })).ok);
    bench.clock.advance(1_000);
    assert((await complete({ rail: null, by: 'Ann', forcedBecause: 'it gives no answers' })).ok);
    assert((await begin({ ...WORDS, knownUntil: NOON })).ok);
    assert.equal((await store.latest())?.knownUntil, NOON - DAY_MS);
  });

  it('a recovery with an empty reason or a time in the future is rejected', async () => {
    const { begin } = open();
    for (const change of [{ by: ' ' }, { reason: '' }, { knownUntil: bench.clock.now() + 1 }])
      assert.equal((await begin({ ...WORDS, ...change })).ok, false);
  });

  it('a recovery is rejected while PostgreSQL replays its WAL', async () => {
    const { store } = open();
    const replaying = { ...store, examine: async () => ({ isReplaying: true, knownUntil: null }) };
    const begun = await beginRecovery(
      {
        store: replaying,
        lineages: createLineageStore(bench.database),
        clock: bench.clock,
        clockIsRight: async () => true,
      },
      WORDS,
    );
    assert.deepEqual(begun, { ok: false, error: { kind: 'database_replays' } });
  });

  it('a machine with an inaccurate clock can neither begin nor complete a recovery', async () => {
    const isOff = { ok: false, error: { kind: 'clock_is_off' } };
    const off = open([UNLISTED], async () => false);
    assert.deepEqual(await off.begin(WORDS), isOff);
    assert((await open().begin(WORDS)).ok);
    assert.deepEqual(await off.complete({ rail: null, by: 'Ann', forcedBecause: null }), isOff);
  });
});

describe('completing a recovery', () => {
  const ORDER = { rail: null, by: 'Ann', forcedBecause: null };

  it('completing a rail requires responses for all payouts and compared lists, unless a reason is given', async () => {
    const { begin, complete, store, progress } = open();
    await bench.store.accept(await bench.newPayout('m', 'waiting', 10n));
    assert((await begin(WORDS)).ok);
    const refused = await complete(ORDER);
    assert(!refused.ok && refused.error.kind === 'criteria_not_met');
    const countFrom = new Date(bench.clock.now() + LISTED.notFoundProofMs).toISOString();
    assert.deepEqual(refused.error.progress[0]?.missing, [
      '1 payouts wait for the bank’s response',
      `its lists for the recovery window are not compared; they are complete from ${countFrom}`,
    ]);
    bench.clock.advance(LISTED.notFoundProofMs);
    await bench.store.accept(await bench.newPayout('m', 'of-today', 10n));
    assert.equal((await progress())[0]?.unasked, 1, 'a payout accepted later is asked about when it is due');
    const forced = await complete({ ...ORDER, forcedBecause: 'their letter of today' });
    assert.deepEqual(forced, { ok: true, value: { rails: ['a_rail'], isOver: true } });
    const recovery = await store.latest();
    assert.equal(recovery?.rails[0]?.completed?.forcedBecause, 'their letter of today');
    const now = bench.clock.now();
    assert.equal(
      asksFirstSince(recovery, 'a_rail', now + 30 * DAY_MS - 1),
      recovery?.startedAt,
      'no list was compared',
    );
    assert.equal(asksFirstSince(recovery, 'a_rail', now + 30 * DAY_MS), undefined);
    await bench.owner.query(`update payout_jobs set asked_at = 'infinity'`);
  });

  it('a recovery is completed with its last rail', async () => {
    const { begin, complete, store } = open([LISTED, UNLISTED]);
    assert((await begin(WORDS)).ok);
    const startedAt = bench.clock.now();
    await store.recordComparison(startedAt, 'a_rail', startedAt + 1_000);
    assert.deepEqual(await complete({ ...ORDER, rail: 'a_rail' }), {
      ok: true,
      value: { rails: ['a_rail'], isOver: false },
    });
    assert.equal(asksFirstSince(await store.latest(), 'a_rail', startedAt), undefined);
    assert.equal(asksFirstSince(await store.latest(), 'b_rail', startedAt), startedAt);
    assert.deepEqual(await complete(ORDER), { ok: true, value: { rails: ['b_rail'], isOver: true } });
    const recovery = await store.latest();
    assert.equal(asksFirstSince(recovery, 'b_rail', startedAt + 30 * DAY_MS - 1), startedAt);
    assert.equal(asksFirstSince(recovery, 'b_rail', startedAt + 30 * DAY_MS), undefined);
    assert.deepEqual(await complete(ORDER), { ok: false, error: { kind: 'not_recovering' } });
  });
});

describe('a notification about an unknown payout', () => {
  const NEWS = { kind: 'executed', reference: 'P-STRANGER', money: { currency: 'EUR', minor: 10n } } as const;
  const openDifferences = async () => {
    const open = await createDifferenceStore(bench.database).list({
      rail: null,
      day: null,
      kind: null,
      openOnly: true,
    });
    return open.map(({ kind, subject, theirs }) => [kind, subject, theirs]);
  };
  const keep = (recovery: Recovery | undefined) =>
    withParts(recordForgotten, {
      store: createReconciliationStore(bench.database),
      recovery: async () => recovery,
      clock: bench.clock,
    });
  beforeEach(() => bench.owner.query('truncate differences'));

  it('an unknown payout in a notification becomes a difference and blocks its reference in a restored gateway', async () => {
    const { begin, store } = open();
    assert((await begin(WORDS)).ok);
    const recordForgotten = keep(await store.latest());
    await recordForgotten('a_rail', NEWS);
    await recordForgotten('a_rail', NEWS);
    await recordForgotten('a_rail', { kind: 'declined', reference: 'P-DECLINED' });
    assert.deepEqual(await openDifferences(), [['missing_here', 'P-STRANGER', 'notified: executed, 0.10 EUR']]);
    const asked = ['P-STRANGER', 'P-DECLINED'].map((reference) => ({ rail: 'a_rail', reference }));
    assert.deepEqual(await store.unaccounted(asked), [{ rail: 'a_rail', reference: 'P-STRANGER' }]);
  });

  it('notifications about unknown payouts leave a bounded number of differences and references; lists are not bounded', async () => {
    const { begin, store } = open();
    assert((await begin(WORDS)).ok);
    const recordForgotten = keep(await store.latest());
    const about = (index: number) => ({ ...NEWS, reference: `P-${index}` });
    for (let index = 0; index <= MOST_OPEN_OF_ANY_SUBJECT; index++)
      assert.equal(await recordForgotten('e_rail', about(index)), true);
    assert.equal((await openDifferences()).length, MOST_OPEN_OF_ANY_SUBJECT);
    const last = { rail: 'e_rail', reference: about(MOST_OPEN_OF_ANY_SUBJECT).reference };
    assert.deepEqual(await store.unaccounted([last]), [last], 'the gateway asks about it before it sends it');

    const differences = createDifferenceStore(bench.database);
    const [first] = await differences.list({ rail: 'e_rail', day: null, kind: null, openOnly: true });
    assert.ok(first && (await differences.resolve(first, 'anna', 'forged', bench.clock.now())));
    assert.equal(await recordForgotten('e_rail', { ...NEWS, reference: first.subject }), true);
    assert.equal((await openDifferences()).length, MOST_OPEN_OF_ANY_SUBJECT - 1, 'it stays resolved');
    await recordForgotten('e_rail', { ...NEWS, reference: last.reference });
    assert.ok(
      (await openDifferences()).some(([, subject]) => subject === last.reference),
      'there is room again',
    );

    await bench.owner.query(
      `insert into unaccounted_payouts (rail, reference, day, found_at, source)
       select 'e_rail', 'N' || n, '2026-01-01', now(), 'notified' from generate_series($1::int, $2) as n`,
      [MOST_OPEN_OF_ANY_SUBJECT + 2, MOST_NOTIFIED_REFERENCES],
    );
    assert.equal(await recordForgotten('e_rail', { ...NEWS, reference: 'P-FULL' }), false);
    assert.equal(await recordForgotten('e_rail', { ...NEWS, reference: last.reference }), true, 'it is recorded');
    assert.equal(
      await recordForgotten('f_rail', { ...NEWS, reference: 'P-FULL' }),
      true,
      'each rail has its own limit',
    );
    const day = new Date(bench.clock.now()).toISOString().slice(0, 10);
    const run = { rail: 'e_rail', day, runAt: bench.clock.now(), listed: 1, matched: 0, settled: 0 };
    const words = { ours: 'unknown here', theirs: 'executed' };
    const listed = { kind: 'missing_here', subject: 'P-LISTED', ...OF_NOTHING_OF_OURS, ...words } as const;
    await createReconciliationStore(bench.database).keep(run, [listed], []);
    const kept = { rail: 'e_rail', reference: 'P-LISTED' };
    assert.deepEqual(await store.unaccounted([kept]), [kept]);
  });

  it('a later list resolves only the differences of lists', async () => {
    const { begin, store } = open();
    assert((await begin(WORDS)).ok);
    const reconciliations = createReconciliationStore(bench.database);
    const words = { ours: 'unknown here', theirs: 'asked: executed' };
    const listed = { kind: 'missing_here', subject: 'P-LISTED', ...OF_NOTHING_OF_OURS, ...words } as const;
    const day = new Date(bench.clock.now()).toISOString().slice(0, 10);
    const run = { rail: 'd_rail', day, runAt: bench.clock.now(), listed: 1, matched: 0, settled: 0 };
    await reconciliations.keep(run, [listed], []);
    await keep(await store.latest())('d_rail', { ...NEWS, reference: 'P-NOTIFIED' });
    await reconciliations.keep({ ...run, listed: 0 }, [], []);
    assert.deepEqual(await openDifferences(), [['missing_here', 'P-NOTIFIED', 'notified: executed, 0.10 EUR']]);
  });

  it('a notification about an unknown payout is not recorded as a lost payout by a gateway that was never restored', async () => {
    await keep(undefined)('a_rail', NEWS);
    assert.deepEqual(await openDifferences(), []);
  });

  it('the difference about a payout that a restore lost is resolved once a payout with its reference is final', async () => {
    const { begin, store } = open();
    assert((await begin(WORDS)).ok);
    const restoredAt = (await store.latest())?.startedAt ?? null;
    await bench.store.accept(await bench.newPayout('m', 'repeated', 10n, { rail: 'c_rail' }));
    const jobs = createPayoutJobStore(bench.database, bench.clock, REFERENCE_KEY);
    const now = bench.clock.now();
    const [claim] = await jobs.claim({ ...claimOf('c_rail', now, now + 1), inDirectory: true, restoredAt });
    assert(claim?.reference);
    await keep(await store.latest())('c_rail', { ...NEWS, reference: claim.reference });
    const reconciliations = createReconciliationStore(bench.database);
    const differences = createDifferenceStore(bench.database);
    const account = () => resolveUnmatched({ reconciliations, differences, recoveries: store, clock: bench.clock });
    await account();
    assert.equal((await openDifferences()).length, 1, 'the payout has not ended yet');
    const plan = (facts: SettlementFacts) =>
      planSettlement(facts, reportOf('executed'), { merchant: merchantNamed('m'), compose: plainCallbacks });
    await bench.store.settle({ merchantId: 'm', payoutId: 'repeated', fence: null, plan });
    await account();
    assert.deepEqual(await openDifferences(), []);
    assert.deepEqual(await store.unaccounted([{ rail: 'c_rail', reference: claim.reference }]), []);
  });
});

describe('an operator’s evidence that no bank has a payout', () => {
  it('a released payout is sent although no bank responded, and its history records the release', async () => {
    const { store } = open();
    await bench.store.accept(await bench.newPayout('m', 'released', 10n, { rail: 'd_rail' }));
    const release = withParts(releaseAfterRestore, { ...NOWHERE_ELSE, store, rails: [], clock: bench.clock });
    const key = { merchantId: 'm', payoutId: 'released' };
    assert((await release(key, { by: 'Ann', evidence: 'their cabinet' })).ok);
    const now = bench.clock.now() + 1;
    const jobs = createPayoutJobStore(bench.database, bench.clock, REFERENCE_KEY);
    const [claim] = await jobs.claim({ ...claimOf('d_rail', now, now + 1), asksFirstSince: now - 1 });
    assert.equal(claim?.isBegun, true);
    const { rows } = await bench.owner.query(
      `select actor, detail from payout_history where payout_id = 'released' and event = 'released'`,
    );
    assert.deepEqual(rows, [{ actor: 'Ann', detail: 'their cabinet' }]);
    assert.deepEqual(await release({ ...key, payoutId: 'none' }, { by: 'Ann', evidence: 'x' }), {
      ok: false,
      error: { kind: 'nothing_to_release' },
    });
  });

  it('a release does not end the hold of a payout whose row was changed', async () => {
    const { store } = open();
    const release = withParts(releaseAfterRestore, { ...NOWHERE_ELSE, store, rails: [], clock: bench.clock });
    const HOLDS: readonly (readonly [payoutId: string, because: string, left: string | null])[] = [
      ['changed', 'seal_broken', 'seal_broken'],
      ['paused', 'paused', null],
    ];
    for (const [payoutId, because, left] of HOLDS) {
      const key = { merchantId: 'm', payoutId };
      await bench.store.accept(await bench.newPayout('m', payoutId, 10n, { rail: 'e_rail' }));
      await bench.owner.query('update payout_jobs set held_because = $1 where payout_id = $2', [because, payoutId]);
      assert((await release(key, { by: 'Ann', evidence: 'their cabinet' })).ok);
      const job = await bench.owner.query('select held_because from payout_jobs where payout_id = $1', [payoutId]);
      assert.deepEqual(job.rows, [{ held_because: left }]);
    }
  });
});
