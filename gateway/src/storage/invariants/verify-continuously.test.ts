import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { merchantNamed } from '../../../test/support/merchants/merchant-named.ts';
import {
  openPayoutBench,
  type PayoutBench,
  plainCallbacks,
  reportOf,
} from '../../../test/support/payouts/stored-payouts.ts';
import { AUDIT_BREAKS, HISTORY_BREAKS, PAYOUT_BREAKS } from '../../../test/support/postgres/invariant-breaks.ts';
import type { InvariantReport } from '../../domain/monitoring/invariant-report.ts';
import { planSettlement } from '../../domain/payouts/plan-settlement.ts';
import { systemClock } from '../../foundation/clock.ts';
import { createSeededRandom } from '../../foundation/random.ts';
import type { Database, Queryable } from '../core/database.ts';
import { verifyContinuously } from './verify-continuously.ts';
import { INVARIANTS, verifyInvariants } from './verify-invariants.ts';

let bench: PayoutBench;
before(async () => {
  bench = await openPayoutBench();
  for (const merchantId of ['other', 'planted']) {
    await bench.owner.query(
      `insert into merchants values ($1, '', null, null, null, null, null, null, 'test', '{}', now())`,
      [merchantId],
    );
    await bench.fund(merchantId, 1_000n);
    for (const [payoutId, event] of [
      ['Q', 'executed'],
      ['R', 'declined'],
      ['S', 'executed'],
    ] as const) {
      await bench.store.accept(await bench.newPayout(merchantId, payoutId, 10n));
      await bench.attempt(merchantId, payoutId);
      const plan = (facts: Parameters<typeof planSettlement>[0]) =>
        planSettlement(facts, reportOf(event), { merchant: merchantNamed(merchantId), compose: plainCallbacks });
      await bench.store.settle({ merchantId, payoutId, fence: null, plan });
    }
    for (const payoutId of ['O', 'P', 'T', 'U'])
      await bench.store.accept(await bench.newPayout(merchantId, payoutId, 10n));
  }
});
after(() => bench.close());

/** Returns the violated invariants, at `rowsPerLook` payouts per snapshot. */
async function check(database: Database, rowsPerLook: number, signal = new AbortController().signal) {
  const broken: InvariantReport[] = [];
  const random = createSeededRandom('x');
  const clock = { ...systemClock, sleep: async () => {} };
  await verifyContinuously(database, { clock, random, signal, rowsPerLook, onBroken: (report) => broken.push(report) });
  return broken;
}

/** Checks within one open transaction, so that the check sees a violation that the test then rolls back. */
function within(client: pg.PoolClient): Database {
  const query = async <Row>(text: string, values: readonly unknown[] = []) =>
    (await client.query(text, values as unknown[])).rows as Row[];
  const queryable: Queryable = { query, prepared: (_name, text, values) => query(text, values) };
  return { ...bench.database, ...queryable, snapshot: (work) => work(queryable) };
}

describe('the continuous check', () => {
  it('the continuous check does not report anything for correct books, whatever the number of rows per snapshot', async () => {
    for (const rowsPerLook of [2, 5_000]) assert.deepEqual(await check(bench.database, rowsPerLook), []);
  });

  /** Several snapshots for one invariant of each kind. */
  const severalSnapshots = new Set([PAYOUT_BREAKS, AUDIT_BREAKS, HISTORY_BREAKS].map((each) => Object.keys(each)[0]));
  for (const [name, sql] of Object.entries({ ...PAYOUT_BREAKS, ...AUDIT_BREAKS, ...HISTORY_BREAKS })) {
    const rowsPerLook = severalSnapshots.has(name) ? 2 : 5_000;
    it(`the continuous check reports a planted violation of ${name} once`, async () => {
      const client = await bench.owner.connect();
      try {
        await client.query(`begin; ${sql}`);
        const found = (await check(within(client), rowsPerLook)).filter((report) => report.name === name);
        assert.equal(found.length, 1);
        assert.ok(found[0]?.offending.length);
      } finally {
        await client.query('rollback');
        client.release();
      }
    });
  }

  it('the checks report a journal of a missing incoming transfer', async () => {
    const client = await bench.owner.connect();
    try {
      await client.query(`begin;
        insert into incoming_transfers values ('planted', 'a_rail', 'K/1/credit', null, '', 'EUR', 1, '{}', 'unmatched', 'held',
          null, false, 'notification', now(), now(), null);
        insert into ledger_transfers select 'planted', 'transfer/a_rail/' || key || '/hold', 1, 'held', 'EUR', 'clearing:a_rail',
          'suspense', 1, null, now() from unnest(array['K/1/credit', 'K/1']) as key`);
      const name = 'journals_keep_their_object';
      const [whole] = await verifyInvariants(
        within(client),
        undefined,
        INVARIANTS.filter((each) => each.name === name),
      );
      const piece = (await check(within(client), 5_000)).find((report) => report.name === name);
      for (const report of [whole, piece])
        assert.deepEqual(
          report?.offending.map(({ journal_id }) => journal_id),
          ['transfer/a_rail/K/1/hold'],
        );
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it('the continuous check reads each payout once, whatever the number of rows per snapshot', async () => {
    const asked: (readonly unknown[])[] = [];
    const database: Database = {
      ...bench.database,
      snapshot: (work) =>
        bench.database.snapshot((transaction) =>
          work({
            ...transaction,
            query: (text, values = []) => {
              if (text.includes('left pending once') || /payout_history as h/.test(text)) asked.push(values);
              return transaction.query(text, values);
            },
          }),
        ),
    };
    await check(database, 3);
    const ends = asked.filter(([merchantId]) => merchantId === 'other').map(([, after, upTo]) => [after, upTo]);
    assert.deepEqual(ends, [
      ['', 'Q'],
      ['Q', 'T'],
      ['T', null],
    ]);
  });

  it('the continuous check stops soon after its abort signal', async () => {
    const stopping = new AbortController();
    stopping.abort();
    const looked: string[] = [];
    const database: Database = {
      ...bench.database,
      snapshot: (work) => {
        looked.push('looked');
        return bench.database.snapshot(work);
      },
    };
    await check(database, 2, stopping.signal);
    assert.deepEqual(looked, []);
  });
});
