/**
 * Payouts of many callers that share commits with problematic neighbours: repeats with different content, payouts beyond the
 * balance, rows that the database rejects. Meanwhile the database cancels statements and closes connections. Each caller must
 * get its own outcome, and it must match the database.
 */

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import pg from 'pg';
import { balanceOf } from '../../../src/domain/ledger/transfer.ts';
import type { Payout, PayoutEvent } from '../../../src/domain/payouts/payout.ts';
import type { AcceptOutcome, NewPayout } from '../../../src/domain/payouts/payout-store.ts';
import { settlePayout } from '../../../src/domain/payouts/settle-payout.ts';
import { errorCode } from '../../../src/foundation/error-code.ts';
import { withParts } from '../../../src/foundation/with-parts.ts';
import type { PostgresPayoutStore } from '../../../src/storage/payouts/payout-store.ts';
import { merchantNamed } from '../../support/merchants/merchant-named.ts';
import { openPayoutBench, type PayoutBench, plainCallbacks, reportOf } from '../../support/payouts/stored-payouts.ts';

const RUNS = process.env['TEST_FULL'] ? 150 : 3;
const MERCHANTS = ['a', 'b', 'c'] as const;
const FUNDS = 1_000n;

/** Rows that the database rejects, with their SQLSTATE. */
const BAD: readonly { readonly code: string; readonly change: (payout: Payout) => Partial<Payout> }[] = [
  { code: '22P05', change: ({ beneficiary }) => ({ beneficiary: { ...beneficiary, fields: { note: '\u0000' } } }) },
  { code: '22003', change: () => ({ method: 99_999 }) },
  { code: '23514', change: () => ({ purpose: 'nothing' as 'payout' }) },
];

interface Call {
  readonly merchant: number;
  readonly id: number;
  readonly amount: number;
  /** An index into BAD. Beyond its length, the row is valid. */
  readonly bad: number;
  readonly store: 0 | 1;
  /** The iteration of the event loop in which the call arrives. */
  readonly turn: number;
}

const calls: fc.Arbitrary<readonly Call[]> = fc.array(
  fc.record({
    merchant: fc.nat(MERCHANTS.length - 1),
    id: fc.nat(11),
    amount: fc.constantFrom(60, 150, 300, 900, 1_001),
    bad: fc.nat(19),
    store: fc.constantFrom(0, 1),
    turn: fc.nat(6),
  }),
  { minLength: 40, maxLength: 120 },
);
/** The pause before each interruption, and its kind. */
const interruptions = fc.array(fc.tuple(fc.nat(12), fc.constantFrom('terminate', 'cancel')), { maxLength: 12 });

let bench: PayoutBench;
let stores: readonly [PostgresPayoutStore, PostgresPayoutStore];
let killer: pg.Client;
let runs = 0;
const seen = { interrupted: 0, created: 0, exists: 0, insufficient_funds: 0, rejected: 0 };

before(async () => {
  bench = await openPayoutBench();
  bench.owner.on('error', () => {});
  stores = [bench.store, bench.anotherStore()];
  killer = new pg.Client(bench.config);
  await killer.connect();
});
after(async () => {
  await killer.end();
  console.log(JSON.stringify(seen));
  await bench.verifyAndClose();
});

async function interrupt(plan: readonly (readonly [number, string])[], isOver: () => boolean): Promise<void> {
  for (const [ms, kind] of plan) {
    await sleep(ms);
    if (isOver()) return;
    const { rows } = await killer.query(
      `select count(pg_${kind}_backend(pid))::int as ended from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
    );
    seen.interrupted += rows[0].ended;
  }
}

interface Answered {
  readonly call: Call;
  readonly wanted: NewPayout;
  readonly outcome: AcceptOutcome | { readonly kind: 'rejected'; readonly code: string };
}

async function answersTo(drawn: readonly Call[], plan: readonly (readonly [number, string])[], run: number) {
  const wanted = await Promise.all(drawn.map((call) => payoutOf(call, run)));
  let isOver = false;
  const interrupting = interrupt(plan, () => isOver);
  const answers = await Promise.all(
    drawn.map(async (call, index): Promise<Answered> => {
      await sleep(call.turn);
      const accepted = wanted[index] as NewPayout;
      const outcome = await stores[call.store]
        .accept(accepted)
        .catch((error: unknown) => ({ kind: 'rejected' as const, code: errorCode(error) ?? String(error) }));
      return { call, wanted: accepted, outcome };
    }),
  );
  isOver = true;
  await interrupting;
  return answers;
}

async function payoutOf({ merchant, id, amount, bad }: Call, run: number): Promise<NewPayout> {
  const made = await bench.newPayout(`${MERCHANTS[merchant]}${run}`, `P${id}`, BigInt(amount));
  return { ...made, payout: { ...made.payout, ...BAD[bad]?.change(made.payout) } };
}

async function judge({ call, wanted, outcome }: Answered): Promise<void> {
  seen[outcome.kind] += 1;
  const stored = await bench.store.find(wanted.payout);
  const isItsOwn = stored?.contentHash.equals(wanted.payout.contentHash) === true;
  switch (outcome.kind) {
    case 'rejected':
      // A bad row after a payout with the same id is a repeat and is never written. Otherwise it must get its own error.
      return assert.equal(outcome.code, BAD[call.bad]?.code, 'a caller got the failure of a neighbour');
    case 'created':
      assert.ok(BAD[call.bad] === undefined, 'a bad row was created');
      return assert.ok(isItsOwn, 'a caller got the acceptance of a neighbour');
    case 'exists':
      return assert.deepEqual(stored?.contentHash, outcome.payout.contentHash);
    case 'insufficient_funds':
      return assert.ok(!isItsOwn, 'an accepted payout was reported as rejected');
  }
}

it('each payout of a shared commit gets its own outcome despite failing neighbours and lost connections', async () => {
  await fc.assert(
    fc.asyncProperty(calls, interruptions, async (drawn, plan) => {
      runs += 1;
      for (const merchant of MERCHANTS) await bench.fund(`${merchant}${runs}`, FUNDS);
      const answers = await answersTo(drawn, plan, runs);
      for (const answer of answers) await judge(answer);
      for (const merchant of MERCHANTS) {
        const { rows } = await bench.owner.query(
          'select count(*)::int as count, coalesce(sum(amount), 0)::text as sum from payouts where merchant_id = $1',
          [`${merchant}${runs}`],
        );
        const balances = await bench.ledger.balances(`${merchant}${runs}`, 'EUR');
        assert.equal(balanceOf(balances, 'available'), FUNDS - BigInt(rows[0].sum));
        const created = answers.filter(
          ({ wanted, outcome }) => outcome.kind === 'created' && wanted.payout.merchantId === `${merchant}${runs}`,
        );
        assert.ok(created.length <= rows[0].count, 'one payout was created twice');
      }
      await settleAll(answers, plan);
    }),
    { numRuns: RUNS },
  );
});

/** Two processes report opposite outcomes of every payout. The first outcome wins, and each caller must learn the result. */
async function settleAll(answers: readonly Answered[], plan: readonly (readonly [number, string])[]): Promise<void> {
  const reports = stores.map((store) =>
    withParts(settlePayout, {
      store,
      merchants: { find: async (merchantId) => ({ merchant: merchantNamed(merchantId), keys: { api: [], form: [] } }) },
      compose: plainCallbacks,
      onSettled: () => {},
    }),
  );
  const accepted = new Map(
    answers
      .filter(({ outcome }) => outcome.kind === 'created')
      .map(({ wanted: { payout } }) => [`${payout.merchantId}/${payout.payoutId}`, payout]),
  );
  let isOver = false;
  const interrupting = interrupt(plan, () => isOver);
  const events: readonly PayoutEvent[] = ['cancelled', 'cancelled'];
  const outcomes = await Promise.all(
    [...accepted.values()].flatMap((payout) =>
      reports.map(async (report, index) => ({
        payout,
        outcome: await report(payout, null, reportOf(events[index] ?? 'cancelled')),
      })),
    ),
  );
  isOver = true;
  await interrupting;
  for (const { payout, outcome } of outcomes) {
    const stored = await bench.store.find(payout);
    assert.equal(stored?.state, 'blocked');
    assert.ok(outcome.kind === 'settled' || outcome.kind === 'unchanged');
    if (outcome.kind === 'unchanged') assert.notEqual(outcome.payout.state, 'pending');
  }
  const { rows } = await bench.owner.query(
    `select count(*)::int as count from (
       select 1 from payout_history where event = 'cancelled' group by merchant_id, payout_id having count(*) > 1) as twice`,
  );
  assert.equal(rows[0].count, 0, 'a payout was cancelled twice');
}
