import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { NO_KEYS } from '../../../test/support/merchants/merchant-keys.ts';
import { merchantNamed } from '../../../test/support/merchants/merchant-named.ts';
import { scriptedRail } from '../../../test/support/payouts/scripted-rail.ts';
import {
  claimOf,
  NOON,
  openPayoutBench,
  type PayoutBench,
  plainCallbacks,
} from '../../../test/support/payouts/stored-payouts.ts';
import { REFERENCE_KEY } from '../../../test/support/tools/reference-key.ts';
import { DAY_MS, SECOND_MS } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import { withParts } from '../../foundation/with-parts.ts';
import { createDifferenceStore } from '../../storage/differences/difference-store.ts';
import { createPayoutJobStore } from '../../storage/payouts/payout-job-store.ts';
import { createReconciliationStore } from '../../storage/reconciliation/reconciliation-store.ts';
import { balanceOf } from '../ledger/transfer.ts';
import type { RailStatus } from '../payouts/payout-rail.ts';
import { settlePayout } from '../payouts/settle-payout.ts';
import { AskingIncomplete, reconcileByAsking } from './reconcile-by-asking.ts';

const DAY = '2026-11-21';

let bench: PayoutBench;
const keptIn = () => createDifferenceStore(bench.database);
let days = 0;

before(async () => {
  bench = await openPayoutBench();
  await bench.fund('m', 1_000_000n);
});

after(() => bench.verifyAndClose());

function settling() {
  return withParts(settlePayout, {
    store: bench.store,
    merchants: { find: async () => ({ merchant: merchantNamed('m'), keys: NO_KEYS }) },
    compose: plainCallbacks,
    onSettled: () => {},
  });
}

/** A rail without a list, and its payouts. `says` holds the provider's response for each; it does not know any others. */
function unlisted() {
  const says = new Map<string, RailStatus | (() => RailStatus)>();
  const { rail, script, asked } = scriptedRail(`unlisted-${++days}`, { timeoutMs: 1 });
  const nameOf = ({ remittance }: { remittance: string }) => remittance.replace('m/', '');
  script.ask = async (order) => {
    const answer = says.get(nameOf(order)) ?? { kind: 'not_found' };
    return typeof answer === 'function' ? answer() : answer;
  };
  const jobs = createPayoutJobStore(bench.database, bench.clock, REFERENCE_KEY);
  const store = createReconciliationStore(bench.database);
  const pauses: number[] = [];
  const clock = {
    now: bench.clock.now,
    async sleep(ms: number) {
      if (ms > rail.timeoutMs) pauses.push(ms);
    },
  };

  /** `moved`: the first rail provably did not accept the payout, and the rail `moved` sent it. */
  async function reported(payoutId: string, event: 'executed' | 'declined' | null, at = NOON, moved?: string) {
    await bench.store.accept(await bench.newPayout('m', payoutId, 10n, { rail: rail.name }));
    const now = bench.clock.now();
    const [claim] = await jobs.claim(claimOf(rail.name, now, now + DAY_MS));
    invariant(claim, 'the payout is due');
    if (moved !== undefined) {
      await jobs.reroute({ claim, at: now, dueAt: now, rail: moved, note: 'no connection' });
      await jobs.claim(claimOf(moved, now, now + DAY_MS));
    }
    const actor = moved ?? rail.name;
    if (event) await settling()(claim.payout, null, { event, rail: actor, actor, detail: '', at });
  }

  const reconcile = (day = DAY, signal = new AbortController().signal) =>
    reconcileByAsking({ rail, store, settle: settling(), clock, onRailCall: () => {} }, day, signal);
  return { rail, says, asked: () => asked.map(nameOf), reported, reconcile, store, pauses };
}

const EXECUTED: RailStatus = { kind: 'executed' };
const DECLINED: RailStatus = { kind: 'declined', blockedReason: 'bank_declined', reason: 'no' };

it('reconciliation by status queries covers exactly the payouts that ended on the day', async () => {
  const { says, asked, reported, reconcile } = unlisted();
  const midnight = Date.parse(`${DAY}T00:00:00Z`);
  for (const [payoutId, at] of [
    ['last', midnight + DAY_MS - 1] as const,
    ['first', midnight] as const,
    ['before', midnight - 1] as const,
    ['after', midnight + DAY_MS] as const,
  ]) {
    await reported(payoutId, 'executed', at);
    says.set(payoutId, EXECUTED);
  }
  await reported('refused', 'declined');
  says.set('refused', DECLINED);
  await reported('waits', null);
  await unlisted().reported('of another rail', 'executed');
  const { reconciliation, differences, by } = await reconcile();
  assert.deepEqual(asked(), ['first', 'refused', 'last']);
  assert.deepEqual(differences, []);
  const { listed, matched, settled } = reconciliation;
  assert.deepEqual({ listed, matched, settled, by }, { listed: 3, matched: 3, settled: 0, by: 'asking' });
});

it('reconciliation by status queries finds each kind of difference', async () => {
  const { rail, says, reported, reconcile } = unlisted();
  for (const payoutId of ['gone', 'unpaid', 'open', 'odd']) await reported(payoutId, 'executed');
  await reported('never there', 'declined');
  says.set('unpaid', DECLINED);
  says.set('open', { kind: 'pending' });
  says.set('odd', { kind: 'unknown', reason: 'it states another amount' });
  const { differences } = await reconcile();
  assert.deepEqual(differences.map(({ kind, payoutId, ours, theirs }) => [payoutId, kind, ours, theirs]).toSorted(), [
    ['gone', 'missing_there', 'executed, 0.10 EUR', 'not known there'],
    ['odd', 'unreadable', 'executed, 0.10 EUR', 'it states another amount'],
    ['open', 'state', 'executed, 0.10 EUR', 'pending'],
    ['unpaid', 'state', 'executed, 0.10 EUR', 'declined: no'],
  ]);
  for (const payoutId of ['gone', 'unpaid', 'open', 'odd']) says.set(payoutId, EXECUTED);
  says.set('never there', { kind: 'unknown', reason: 'no payout of that order' });
  await reconcile();
  assert.deepEqual(await keptIn().list({ kind: null, rail: rail.name, day: DAY, openOnly: true }), []);
});

it('reconciliation by status queries keeps an earlier difference open while the provider does not respond about its payout', async () => {
  const { rail, says, reported, reconcile } = unlisted();
  const noWord: RailStatus = { kind: 'unknown', reason: 'HTTP 503' };
  await reported('declined here', 'declined');
  await reported('paid here', 'executed');
  says.set('declined here', { kind: 'pending' });
  await reconcile();
  const open = async () => {
    const differences = await keptIn().list({ kind: null, rail: rail.name, day: DAY, openOnly: true });
    return differences.map(({ kind, payoutId }) => [payoutId, kind]).toSorted();
  };
  const found = [
    ['declined here', 'state'],
    ['paid here', 'missing_there'],
  ];
  assert.deepEqual(await open(), found);
  for (const payoutId of ['declined here', 'paid here']) says.set(payoutId, noWord);
  await reconcile();
  assert.deepEqual(await open(), [...found, ['paid here', 'unreadable']]);
  says.set('declined here', DECLINED);
  says.set('paid here', EXECUTED);
  await reconcile();
  assert.deepEqual(await open(), []);
});

it('reconciliation by status queries settles a late execution and a reversal as a notification does', async () => {
  const { rail, says, reported, reconcile } = unlisted();
  await reported('paid late', 'declined');
  await reported('came back', 'executed');
  says.set('paid late', EXECUTED);
  says.set('came back', { kind: 'reversed', reason: 'returned' });
  const { reconciliation, differences } = await reconcile();
  assert.deepEqual([reconciliation.settled, differences], [2, []]);
  const balances = await bench.ledger.balances('m', 'EUR');
  assert.equal(balanceOf(balances, `clearing:${rail.name}`), 10n);
  const again = await reconcile();
  assert.deepEqual([again.reconciliation.matched, again.reconciliation.settled, again.differences], [2, 0, []]);
});

it('reconciliation by status queries includes a rail that a payout has left and finds a double payment', async () => {
  const { rail, says, reported, reconcile } = unlisted();
  await reported('left', 'executed', NOON, `next-${rail.name}`);
  assert.deepEqual((await reconcile()).differences, []);
  says.set('left', EXECUTED);
  const { differences } = await reconcile();
  assert.deepEqual(
    differences.map(({ kind, ours }) => [kind, ours]),
    [['state', 'declined, 0.10 EUR']],
  );
});

it('reconciliation by status queries retries a query without a response, and pauses between all queries', async () => {
  const { says, asked, reported, reconcile, pauses } = unlisted();
  let tries = 0;
  await reported('late', 'executed');
  await reported('prompt', 'executed', NOON + SECOND_MS);
  says.set('late', () => (++tries < 3 ? { kind: 'unknown', reason: 'no response in time' } : EXECUTED));
  says.set('prompt', EXECUTED);
  const { reconciliation } = await reconcile();
  assert.equal(reconciliation.matched, 2);
  assert.deepEqual(asked(), ['late', 'late', 'late', 'prompt']);
  assert.deepEqual(pauses, [100, 2_000, 100, 2_000, 100, 100]);
});

it('reconciliation by status queries sends one query for a declined payout that the provider may not have', async () => {
  const { says, asked, reported, reconcile, pauses } = unlisted();
  await reported('never registered', 'declined');
  says.set('never registered', { kind: 'unknown', reason: 'it does not know it, or does not say so' });
  const { reconciliation, differences } = await reconcile();
  assert.deepEqual([reconciliation.listed, differences], [1, []]);
  assert.deepEqual([asked(), pauses], [['never registered'], [100]]);
});

it('reconciliation by status queries records its findings even if the provider later stops responding', async () => {
  const { rail, says, reported, reconcile } = unlisted();
  await reported('paid after all', 'declined');
  says.set('paid after all', EXECUTED);
  for (let number = 0; number < 5; number++) {
    await reported(`mute${number}`, 'executed', NOON + (number + 1) * SECOND_MS);
    says.set(`mute${number}`, { kind: 'unknown', reason: 'HTTP 503' });
  }
  const paid = async () => balanceOf(await bench.ledger.balances('m', 'EUR'), `clearing:${rail.name}`);
  const before = await paid();
  await assert.rejects(reconcile(), AskingIncomplete);
  assert.equal((await paid()) - before, 10n);
});

it('reconciliation by status queries reports its progress, and does not store a comparison if the provider stops responding', async () => {
  const { rail, says, reported, reconcile } = unlisted();
  for (let number = 0; number < 8; number++) {
    await reported(`silent${number}`, 'executed', NOON + number * SECOND_MS);
    says.set(`silent${number}`, number < 2 ? EXECUTED : { kind: 'unknown', reason: 'HTTP 503' });
  }
  await assert.rejects(reconcile(), (error) => {
    assert.ok(error instanceof AskingIncomplete);
    assert.match(error.message, /about 7 payouts of 2026-11-21, up to 2026-11-21T12:00:06.000Z, then 5 consecutive/);
    assert.match(error.message, /HTTP 503/);
    return true;
  });
  assert.deepEqual(await keptIn().list({ kind: null, rail: rail.name, day: DAY, openOnly: false }), []);
});

it('reconciliation by status queries stops at its abort signal', async () => {
  const { asked, reported, reconcile } = unlisted();
  for (const payoutId of ['stop1', 'stop2']) await reported(payoutId, 'executed');
  const stopped = new AbortController();
  stopped.abort();
  await assert.rejects(reconcile(DAY, stopped.signal), /the comparison was stopped/);
  assert.equal(asked().length, 1);
});
