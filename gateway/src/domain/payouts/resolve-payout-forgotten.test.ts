/** The operator's evidence about a payout that a bank has and the restored database forgot. */

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { NO_KEYS } from '../../../test/support/merchants/merchant-keys.ts';
import { merchantNamed } from '../../../test/support/merchants/merchant-named.ts';
import {
  claimOf,
  openPayoutBench,
  type PayoutBench,
  plainCallbacks,
} from '../../../test/support/payouts/stored-payouts.ts';
import { REFERENCE_KEY } from '../../../test/support/tools/reference-key.ts';
import { HOUR_MS } from '../../foundation/clock.ts';
import { type WithParts, withParts } from '../../foundation/with-parts.ts';
import { createDifferenceStore } from '../../storage/differences/difference-store.ts';
import { createPayoutJobStore } from '../../storage/payouts/payout-job-store.ts';
import { createPayoutRecordStore } from '../../storage/payouts/payout-record-store.ts';
import { createReconciliationStore } from '../../storage/reconciliation/reconciliation-store.ts';
import { createRecoveryStore } from '../../storage/recovery/recovery-store.ts';
import { OF_NOTHING_OF_OURS } from '../differences/difference.ts';
import { releaseAfterRestore } from '../recovery/release-after-restore.ts';
import { isListed } from './forgotten-payouts.ts';
import { type PayoutAtRail, payoutReference } from './payout-order.ts';
import { recordForgottenAttempt } from './record-forgotten-attempt.ts';
import { type ResolutionOutcome, resolvePayout } from './resolve-payout.ts';
import { type SettlePayout, settlePayout } from './settle-payout.ts';

let bench: PayoutBench;
before(async () => {
  bench = await openPayoutBench();
  await bench.fund('m', 1_000n);
});
after(() => bench.verifyAndClose());

const RAILS = [
  { name: 'a_rail', methods: new Set([9]) },
  { name: 'b_rail', methods: new Set([9]) },
  { name: 'c_rail', methods: new Set([1]) },
  { name: 'd_rail', methods: new Set([9]) },
];
const jobs = () => createPayoutJobStore(bench.database, bench.clock, REFERENCE_KEY);
const ANY = { rail: null, day: null } as const;
const keyOf = (payoutId: string) => ({ merchantId: 'm', payoutId });

function settling(): SettlePayout {
  const merchants = { find: async () => ({ merchant: merchantNamed('m'), keys: NO_KEYS }) };
  return withParts(settlePayout, { store: bench.store, merchants, compose: plainCallbacks, onSettled: () => {} });
}

function resolve(payoutId: string, outcome: ResolutionOutcome, rail: string) {
  const payoutRecords = createPayoutRecordStore(bench.database);
  const { clock } = bench;
  const recoveries = createRecoveryStore(bench.database);
  const referenceOf = (payout: PayoutAtRail) => payoutReference(REFERENCE_KEY, payout);
  const recordAttempt = withParts(recordForgottenAttempt, {
    jobs: jobs(),
    recoveries,
    rails: RAILS,
    referenceOf,
    clock,
  });
  const words = { evidence: 'statement of the 21st', by: 'Ann', blockedReason: null };
  return resolvePayout(
    { payoutRecords, settle: settling(), clock, recordForgottenAttempt: recordAttempt },
    keyOf(payoutId),
    {
      outcome,
      rail,
      ...words,
    },
  );
}

const releasing: WithParts<typeof releaseAfterRestore> = (key, words) => {
  const { database, clock } = bench;
  const referenceOf = (payout: PayoutAtRail) => payoutReference(REFERENCE_KEY, payout);
  const parts = {
    store: createRecoveryStore(database),
    rails: RAILS,
    referenceOf,
    holderOf: async () => undefined,
    clock,
  };
  return releaseAfterRestore(parts, key, words);
};

async function inRecovery(): Promise<void> {
  bench.clock.advance(1_000);
  const at = bench.clock.now();
  await createRecoveryStore(bench.database).begin({
    startedAt: at,
    knownUntil: at,
    startedBy: 'Ann',
    reason: 'a disk',
  });
}

it('an operator’s resolution is rejected for an unsent payout that no restore affected', async () => {
  await bench.store.accept(await bench.newPayout('m', 'certain', 10n));
  assert.deepEqual(await resolve('certain', 'executed', 'b_rail'), { ok: false, error: 'never_sent' });
});

for (const [outcome, state] of [
  ['executed', 'success'],
  ['declined', 'blocked'],
] as const)
  it(`a payout that a restore lost becomes ${state} if its bank ${outcome} it, and no rail sends it`, async () => {
    await inRecovery();
    await bench.store.accept(await bench.newPayout('m', outcome, 10n));
    const resolved = await resolve(outcome, outcome, 'b_rail');
    assert.deepEqual(resolved, { ok: true, value: { state, adjustment: null } });
    const record = await createPayoutRecordStore(bench.database).record(keyOf(outcome));
    assert.deepEqual([record?.payout.rail, record?.payout.state], ['b_rail', state]);
    const reference = payoutReference(REFERENCE_KEY, { ...keyOf(outcome), rail: 'b_rail' });
    assert.deepEqual(
      record?.attempts.map((attempt) => [attempt.rail, attempt.reference]),
      [['b_rail', reference]],
    );
    assert.deepEqual(
      record?.history.slice(-2).map(({ event, actor, detail }) => [event, actor, detail]),
      ['recognised', outcome].map((event) => [event, 'Ann', 'statement of the 21st']),
    );
  });

it('an operator’s resolution is rejected for a rail that cannot have accepted the payout', async () => {
  await inRecovery();
  await bench.store.accept(await bench.newPayout('m', 'of-another', 10n));
  assert.deepEqual(await resolve('of-another', 'executed', 'c_rail'), { ok: false, error: 'never_sent' });
});

async function begunAtD(payoutId: string) {
  await inRecovery();
  await bench.store.accept(await bench.newPayout('m', payoutId, 10n, { rail: 'd_rail' }));
  const now = bench.clock.now() + 1;
  const restoredAt = (await createRecoveryStore(bench.database).latest())?.startedAt ?? null;
  const claims = await jobs().claim({ ...claimOf('d_rail', now, now + 1, 9), restoredAt });
  const claim = claims.find(({ payout }) => payout.payoutId === payoutId);
  assert(claim?.isBegun);
  return claim;
}

async function contradictionsOf(payoutId: string) {
  const all = await createDifferenceStore(bench.database).list({ ...ANY, kind: 'contradiction', openOnly: true });
  return all.filter((each) => each.payoutId === payoutId).map(({ rail, subject }) => [rail, subject]);
}

it('an operator resolves a payout that another rail has sent only as executed', async () => {
  await begunAtD('begun');
  assert.deepEqual(await resolve('begun', 'declined', 'b_rail'), { ok: false, error: 'never_sent' });
  const recorded = { ok: true, value: { state: 'pending', adjustment: 'contradicted' } };
  assert.deepEqual(await resolve('begun', 'executed', 'b_rail'), recorded);
  const record = await createPayoutRecordStore(bench.database).record(keyOf('begun'));
  assert.equal(record?.job?.paidBy, 'b_rail');
  assert.equal(record.job.note, 'b_rail reports it as paid');
  assert.deepEqual(await contradictionsOf('begun'), [['b_rail', 'm/begun']]);
});

it('an operator records the execution of a payout that became blocked at another rail after the restore', async () => {
  const { payout, fence } = await begunAtD('declined-here');
  const declined = { event: 'declined', rail: 'd_rail', detail: '', actor: 'd_rail', at: bench.clock.now() } as const;
  assert.equal((await settling()(payout, fence, declined)).kind, 'settled');
  const recorded = { ok: true, value: { state: 'blocked', adjustment: 'late_execution' } };
  assert.deepEqual(await resolve('declined-here', 'executed', 'b_rail'), recorded);
});

it('an execution that a worker finds too late leaves a contradiction for each bank', async () => {
  const { payout } = await begunAtD('never-reported');
  const at = bench.clock.now();
  const of = { claim: { payout, fence: null }, at, writtenFrom: at, detail: '', actor: 'gateway' } as const;
  const recognitions = ['a_rail', 'b_rail'].map((rail) => {
    const reference = payoutReference(REFERENCE_KEY, { ...keyOf('never-reported'), rail });
    return { ...of, rail, reference, certainly: 'executed' } as const;
  });
  assert.deepEqual(await jobs().recognise(recognitions), ['too_late', 'too_late']);
  const subject = 'm/never-reported';
  assert.deepEqual(await contradictionsOf('never-reported'), [
    ['a_rail', subject],
    ['b_rail', subject],
  ]);
});

it('the gateway recognises a payout that a restore lost by its reference at any rail whose provider has it', async () => {
  const recoveries = createRecoveryStore(bench.database);
  const referenceOf = (payout: PayoutAtRail) => payoutReference(REFERENCE_KEY, payout);
  const isKnown = withParts(isListed, {
    rails: RAILS,
    referenceOf,
    unaccounted: (references) => recoveries.unaccounted(references()),
  });
  const subject = referenceOf({ ...keyOf('forgotten'), rail: 'c_rail' });
  const listed = { ...OF_NOTHING_OF_OURS, kind: 'missing_here', subject, ours: 'unknown', theirs: 'executed' } as const;
  const run = { rail: 'c_rail', day: '2026-11-20', runAt: bench.clock.now(), listed: 1, matched: 0, settled: 0 };
  await createReconciliationStore(bench.database).keep(run, [listed], []);
  assert.equal(await isKnown(keyOf('forgotten')), true);
  assert.equal(await isKnown({ ...keyOf('forgotten'), merchantId: 'another' }), false);
});

it('a payout that was queued before the restore does not begin an attempt while its rail holds it, unless released', async () => {
  await bench.store.accept(await bench.newPayout('m', 'held', 10n, { rail: 'i_rail' }));
  await inRecovery();
  const recoveries = createRecoveryStore(bench.database);
  const startedAt = bench.clock.now();
  const claimHeld = async () => {
    const now = bench.clock.now() + 2;
    const claims = await jobs().claim({ ...claimOf('i_rail', now, now), restoredAt: startedAt, heldBefore: startedAt });
    return claims.map(({ isBegun }) => isBegun);
  };
  const askedAt = new Date(startedAt + 1);
  await bench.owner.query(`update payout_jobs set asked_at = $1 where payout_id = 'held'`, [askedAt]);
  const waiting = await recoveries.unasked(startedAt, startedAt + HOUR_MS);
  assert.deepEqual(
    waiting.filter(({ rail }) => rail === 'i_rail'),
    [{ rail: 'i_rail', note: '', held: 1, count: 0 }],
  );
  assert.deepEqual(await claimHeld(), [false]);
  await releasing(keyOf('held'), { by: 'Ann', evidence: 'x' });
  assert.deepEqual(await claimHeld(), [true]);
});

it('a bank’s report is matched to a payout that the operator released, whichever rail has it', async () => {
  await inRecovery();
  const notified = async (payoutId: string) => {
    const reference = payoutReference(REFERENCE_KEY, { ...keyOf(payoutId), rail: 'b_rail' });
    const payout = await bench.store.findByReference('b_rail', reference);
    assert.equal(payout?.payoutId, payoutId);
    const executed = { event: 'executed', rail: 'b_rail', detail: '', actor: 'b_rail', at: bench.clock.now() } as const;
    const outcome = await settling()(payout, null, executed);
    assert(outcome.kind === 'settled');
    return [outcome.plan.change?.state ?? null, outcome.plan.adjustment?.kind ?? null, outcome.plan.paidBy];
  };
  for (const payoutId of ['unsent', 'sent-on']) {
    await bench.store.accept(await bench.newPayout('m', payoutId, 10n, { rail: 'j_rail' }));
    assert.deepEqual(await releasing(keyOf(payoutId), { by: 'Ann', evidence: 'x' }), { ok: true, value: 'released' });
  }
  assert.deepEqual(await notified('unsent'), ['success', null, null]);
  const now = bench.clock.now() + 1;
  const restoredAt = (await createRecoveryStore(bench.database).latest())?.startedAt ?? null;
  const [claim] = await jobs().claim({ ...claimOf('j_rail', now, now + 1), restoredAt });
  assert.equal(claim?.isBegun, true);
  assert.deepEqual(await notified('sent-on'), [null, 'contradicted', 'b_rail']);
});
