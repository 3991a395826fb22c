/** Payouts that await their approval: no worker sends them, and an approval, a cancellation or the deadline ends the wait. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import {
  acceptWaiting,
  approvalCommands,
  claimQueued,
  stateOf,
} from '../../../../test/support/payouts/awaiting-payouts.ts';
import { claimOf, openPayoutBench, type PayoutBench } from '../../../../test/support/payouts/stored-payouts.ts';
import { REFERENCE_KEY } from '../../../../test/support/tools/reference-key.ts';
import { isMaker } from '../../../domain/payouts/approval/approval-obstacles.ts';
import { mailboxOf } from '../../../domain/people/person.ts';
import { HOUR_MS } from '../../../foundation/clock.ts';
import { createPayoutJobStore } from '../payout-job-store.ts';

let bench: PayoutBench;
before(async () => {
  bench = await openPayoutBench();
  await bench.fund('m', 1_000_000n);
});
after(() => bench.verifyAndClose());

it('a payout that awaits its approval reserves its money, and no worker claims it before the approval', async () => {
  const before = await bench.ledger.balances('m', 'EUR');
  await acceptWaiting(bench, 'waits');
  const { reserved = 0n } = await bench.ledger.balances('m', 'EUR');
  assert.equal(reserved - (before['reserved'] ?? 0n), 10n);
  assert.deepEqual(await claimQueued(bench), []);
  assert.deepEqual(await approvalCommands(bench).approve('waits'), { ok: true, value: 'approved' });
  assert.deepEqual(
    await approvalCommands(bench).approve('waits'),
    { ok: true, value: 'approved' },
    'a repetition by the same person',
  );
  assert.deepEqual(await approvalCommands(bench).approve('waits', 'Bob'), { ok: false, error: 'not_waiting' });
  assert.deepEqual(await claimQueued(bench), ['waits']);
});

it('an approver’s cancellation that began before an approval does not cancel the approved payout', async () => {
  await acceptWaiting(bench, 'both');
  await acceptWaiting(bench, 'cancelled-first');
  const approvedMeanwhile: typeof bench.store = {
    ...bench.store,
    async settle(settlement) {
      assert.equal((await approvalCommands(bench).approve(settlement.payoutId)).ok, true);
      return bench.store.settle(settlement);
    },
  };
  const late = approvalCommands(bench, approvedMeanwhile);
  assert.deepEqual(await late.cancel('both', true), { ok: false, error: 'not_waiting' });
  assert.deepEqual(await claimQueued(bench), ['both']);
  assert.deepEqual(await approvalCommands(bench).cancel('cancelled-first', true), { ok: true, value: 'cancelled' });
  assert.deepEqual(await approvalCommands(bench).approve('cancelled-first'), { ok: false, error: 'already_final' });
  const { rows } = await bench.owner.query(
    `select payout_id, event from payout_history
     where payout_id in ('both', 'cancelled-first') and event in ('approved', 'cancelled') order by payout_id`,
  );
  assert.deepEqual(rows.map(Object.values), [
    ['both', 'approved'],
    ['cancelled-first', 'cancelled'],
  ]);
});

it('the database rejects an attempt of an unapproved payout', async () => {
  await acceptWaiting(bench, 'forced');
  const force = (stage: string) =>
    bench.owner.query(`update payout_jobs set stage = $1 where payout_id = 'forced'`, [stage]);
  for (const stage of ['queued', 'sending', 'unknown'])
    await assert.rejects(force(stage), { constraint: 'approval_comes_first' });
  await approvalCommands(bench).cancel('forced');
});

it('a payout is blocked as expired at the deadline of its approval, and a late approval is rejected', async () => {
  await acceptWaiting(bench, 'lapses', 1);
  await approvalCommands(bench).lapse();
  assert.equal(await stateOf(bench, 'lapses'), 'pending');
  bench.clock.advance(HOUR_MS);
  assert.deepEqual(await approvalCommands(bench).approve('lapses'), { ok: false, error: 'too_late' });
  await approvalCommands(bench).lapse();
  const payout = await bench.store.find({ merchantId: 'm', payoutId: 'lapses' });
  assert.deepEqual([payout?.state, payout?.blockedReason], ['blocked', 'expired']);
  assert.deepEqual(await approvalCommands(bench).approve('lapses'), { ok: false, error: 'already_final' });
});

it('the approval deadline does not block a payout while the gateway recovers from a restore', async () => {
  await acceptWaiting(bench, 'restored', 1);
  bench.clock.advance(HOUR_MS);
  const at = bench.clock.now();
  const begun = { startedAt: at, knownUntil: at, startedBy: 'Ann', reason: 'a dead disk', completed: null, rails: [] };
  await approvalCommands(bench, bench.store, begun).lapse();
  assert.equal(await stateOf(bench, 'restored'), 'pending');
  await approvalCommands(bench).lapse();
  assert.equal(await stateOf(bench, 'restored'), 'blocked');
});

it('an approval ends the lease of a worker that was querying banks about the payout', async () => {
  await acceptWaiting(bench, 'asked');
  const jobs = createPayoutJobStore(bench.database, bench.clock, REFERENCE_KEY);
  const now = bench.clock.now();
  const claims = await jobs.claim({ ...claimOf('a_rail', now, now + HOUR_MS, 10), asksFirstSince: now });
  const asking = claims.find(({ payout }) => payout.payoutId === 'asked');
  assert.ok(asking);
  assert.deepEqual(await approvalCommands(bench).approve('asked'), { ok: true, value: 'approved' });
  const waits = { stage: 'awaiting_approval', asks: 1, note: 'not found', attemptOutcome: null } as const;
  await jobs.postpone({ claim: asking, at: now, dueAt: now + HOUR_MS, ...waits });
  assert.deepEqual(await claimQueued(bench), ['asked']);
});

it('the database rejects an approval by the maker of a payout, even if the code that compares them is bypassed', async () => {
  const actor = { kind: 'person', id: 'Ann', name: 'ann@example.com' } as const;
  const approval = { by: bench.clock.now() + HOUR_MS, why: ['policy'] } as const;
  const maker = { actor, people: ['Ann', 'Cem'], mailbox: 'ann@example.com' };
  await bench.store.accept({ ...(await bench.newPayout('m', 'own', 10n)), approval, maker });
  const commands = approvalCommands({ ...bench, store: { ...bench.store, findMaker: async () => undefined } });
  for (const person of ['Ann', 'Cem'])
    await assert.rejects(commands.approve('own', person), { constraint: 'payout_maker_is_not_checker' });
  await assert.rejects(commands.approve('own', 'Dan', 'ann@example.com'), {
    constraint: 'payout_maker_is_not_checker',
  });
  assert.deepEqual(await claimQueued(bench), []);
  const forge = `insert into payout_approvals values ('m', 'own', '{Bob}', 'bob@example.com', 'Ann', 'ann@example.com')`;
  await assert.rejects(bench.owner.query(forge), { code: '23503' });
  const nameless = `insert into payout_approvals values ('m', 'own', null, null, 'Ann', 'ann@example.com')`;
  await assert.rejects(bench.owner.query(nameless), { code: '23502' });
  const empty = `insert into payout_approvals values ('m', 'own', '{}', '', 'Ann', 'ann@example.com')`;
  await assert.rejects(bench.owner.query(empty), { code: '23503' });
  assert.deepEqual(await commands.approve('own', 'Bob'), { ok: true, value: 'approved' });
});

it('an account at the maker’s mailbox is treated as the maker of the payout', () => {
  const maker = { people: ['P1', 'P2'], mailbox: 'ann@example.com', emails: ['Ann+work@example.org'] };
  const isSame = (person: string, mailbox: string) => isMaker(maker, { person, mailbox });
  for (const mailbox of ['ann@example.com', mailboxOf('ann@example.org')]) assert.ok(isSame('P3', mailbox), mailbox);
  assert.deepEqual([isSame('P2', 'ben@example.com'), isSame('P3', 'ben@example.com')], [true, false]);
  assert.equal(isMaker({ people: [], mailbox: '', emails: [] }, { person: 'P3', mailbox: '' }), false);
});
