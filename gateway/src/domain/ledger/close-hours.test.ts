import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { merchantNamed } from '../../../test/support/merchants/merchant-named.ts';
import {
  NOON,
  openPayoutBench,
  type PayoutBench,
  plainCallbacks,
  reportOf,
} from '../../../test/support/payouts/stored-payouts.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../foundation/clock.ts';
import { openDatabase } from '../../storage/core/database.ts';
import { createClosingStore } from '../../storage/ledger/closing-store.ts';
import { createVolumeStore } from '../../storage/ledger/volume-store.ts';
import { planSettlement } from '../payouts/plan-settlement.ts';
import { closeHours } from './close-hours.ts';
import { fundMerchant, withdrawFunding } from './journals.ts';
import { totalTrialBalance } from './trial-balance.ts';

let bench: PayoutBench;
before(async () => {
  bench = await openPayoutBench();
});
after(() => bench.verifyAndClose());

async function addMerchant(merchantId: string): Promise<string> {
  await bench.owner.query(
    `insert into merchants values ($1, '', null, null, null, null, null, null, 'test', '{}', now())`,
    [merchantId],
  );
  return merchantId;
}

function close(statementLimitMs = 0, database = bench.database) {
  const store = createClosingStore(database);
  const clock = { ...bench.clock, sleep: async () => {} };
  const parts = { store, clock, clockDifference: async () => 0, statementLimitMs };
  return closeHours(parts, new AbortController().signal);
}

/** The balance of an account before an instant, computed only from the ledger's rows. */
async function summed(merchantId: string, account: string, at: number): Promise<bigint> {
  const { rows } = await bench.owner.query<{ sum: string }>(
    `select coalesce(sum(case when credit_account = $2 then amount else 0 end - case when debit_account = $2 then amount else 0 end), 0)
       as sum from ledger_transfers where merchant_id = $1 and posted_at < $3`,
    [merchantId, account, new Date(at).toISOString()],
  );
  return BigInt(rows[0]?.sum ?? 0);
}

async function availableAt(merchantId: string, at: number): Promise<bigint> {
  const { balances } = await bench.ledger.balancesAt(merchantId, at);
  return balances.get('EUR')?.available ?? 0n;
}

const clockAt = (at: number) => bench.clock.advance(at - bench.clock.now());

describe('closed hours of the ledger', () => {
  it('the balance at any instant is the sum of the postings before it, whichever hours are closed', async () => {
    const merchantId = await addMerchant('sums');
    const start = NOON;
    const steps = fc.array(
      fc.record({
        afterMs: fc.integer({ min: 0, max: 90 * MINUTE_MS }),
        amount: fc.integer({ min: -50, max: 90 }),
        close: fc.boolean(),
      }),
      { minLength: 12, maxLength: 12 },
    );
    let number = 0;
    const cuts: number[] = [start];
    for (const { afterMs, amount, close: closes } of fc.sample(steps, { seed: 7, numRuns: 3 }).flat()) {
      clockAt(bench.clock.now() + afterMs);
      cuts.push(bench.clock.now(), bench.clock.now() + 1);
      number += 1;
      const order = {
        merchantId,
        currency: 'EUR',
        amount: BigInt(Math.abs(amount) + 1),
        reference: `r${number}`,
      } as const;
      await bench.ledger.post(merchantId, 'EUR', 'test', (balances) =>
        amount < 0 ? withdrawFunding(order) : fundMerchant(order, balances),
      );
      if (closes) await close();
    }
    clockAt(bench.clock.now() + 2 * HOUR_MS);
    const until = await close();
    for (const at of [...cuts, until - 1, until, until + 1]) {
      const expected = await summed(merchantId, 'available', at);
      assert.equal(await availableAt(merchantId, at), expected, new Date(at).toISOString());
      const { lines } = await bench.ledger.trialBalance(at);
      const available = lines.find(({ account }) => account === 'available')?.balance ?? 0n;
      assert.equal(available, expected, `the trial balance at ${new Date(at).toISOString()}`);
      assert.equal(totalTrialBalance(lines).isBalanced, true);
    }
  });

  it('a snapshot of a closed hour contains a posting that was uncommitted when the close began', async () => {
    const merchantId = await addMerchant('open-commit');
    await bench.fund(merchantId, 5n);
    const at = bench.clock.now();
    clockAt(at + 3 * HOUR_MS);
    const late = await bench.owner.connect();
    await late.query('begin');
    await late.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [merchantId]);
    await late.query(
      `insert into ledger_transfers values ($1, 'funding/late', 1, 'funding', 'EUR', 'operator_funding', 'available', 7, null, $2)`,
      [merchantId, new Date(at).toISOString()],
    );
    await late.query(
      `update ledger_accounts set balance = balance + case account when 'available' then 7 else -7 end where merchant_id = $1`,
      [merchantId],
    );
    const closing = close();
    await new Promise((resolve) => setTimeout(resolve, 100));
    await late.query('commit');
    late.release();
    const until = await closing;
    assert.equal(await availableAt(merchantId, until), 12n);
  });

  it('a process whose clock is behind posts after the closed hours, not into them', async () => {
    const merchantId = await addMerchant('late-clock');
    await bench.fund(merchantId, 5n);
    const before = bench.clock.now();
    clockAt(before + 3 * HOUR_MS);
    const until = await close();
    bench.clock.advance(before - bench.clock.now());
    await bench.fund(merchantId, 7n);
    clockAt(before + 3 * HOUR_MS);
    assert.equal(await availableAt(merchantId, until), 5n);
    assert.equal(await availableAt(merchantId, until + 1), 12n);
  });

  it('a crash during the close of hours leaves no partial state, and the next process closes each hour once', async () => {
    const merchantId = await addMerchant('killed');
    await bench.fund(merchantId, 5n);
    clockAt(bench.clock.now() + 3 * HOUR_MS);
    const blocker = await bench.owner.connect();
    await blocker.query('begin; lock table payment_volumes in share mode');
    const dying = assert.rejects(close());
    const pids = async () => {
      const { rows } = await bench.owner.query<{ pid: number }>(
        `select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%payment_volumes%' and datname = current_database()`,
      );
      return rows.map(({ pid }) => pid);
    };
    let waiting = await pids();
    while (waiting.length === 0) waiting = await pids();
    await bench.owner.query('select pg_terminate_backend($1)', [waiting[0]]);
    await dying;
    await blocker.query('rollback');
    blocker.release();
    const { rows } = await bench.owner.query(`select from ledger_snapshots where merchant_id = $1`, [merchantId]);
    assert.equal(rows.length, 0);
    const until = await close();
    await close();
    assert.equal(await availableAt(merchantId, until), 5n);
  });

  it('an hour closes even if summing its postings takes a long time', async () => {
    const merchantId = await addMerchant('busy');
    await bench.fund(merchantId, 5n);
    clockAt(bench.clock.now() + 3 * HOUR_MS);
    const impatient = openDatabase(bench.config, {
      poolSize: 2,
      queryTimeoutMs: 1_000,
      session: { statement_timeout: '1s' },
    });
    const blocker = await bench.owner.connect();
    await blocker.query('begin; lock table ledger_snapshots in share mode');
    const closing = close(0, impatient);
    await delay(1_500);
    await blocker.query('rollback');
    blocker.release();
    const until = await closing;
    await impatient.close();
    assert.equal(await availableAt(merchantId, until), 5n);
    const { rows } = await bench.owner.query(`select from ledger_snapshots where merchant_id = $1`, [merchantId]);
    assert.equal(rows.length > 0, true);
  });

  it('volumes count each payout at its acceptance and at its result, with its duration', async () => {
    const merchantId = await addMerchant('volumes');
    await bench.fund(merchantId, 1_000n);
    const from = Math.floor(bench.clock.now() / HOUR_MS) * HOUR_MS;
    for (const [payoutId, event] of [
      ['Q', 'executed'],
      ['R', 'declined'],
    ] as const) {
      await bench.store.accept(await bench.newPayout(merchantId, payoutId, 10n, { fee: 1n }));
      await bench.attempt(merchantId, payoutId);
      const report = reportOf(event, { at: bench.clock.now() + 4_000 });
      const plan = (facts: Parameters<typeof planSettlement>[0]) =>
        planSettlement(facts, report, { merchant: merchantNamed(merchantId), compose: plainCallbacks });
      await bench.store.settle({ merchantId, payoutId, fence: null, plan });
    }
    clockAt(bench.clock.now() + 2 * HOUR_MS);
    await close();
    const query = { merchantId, from, until: from + DAY_MS, grain: 'hour' } as const;
    const volumes = await createVolumeStore(bench.database).volumes(query, 100);
    assert.deepEqual(
      volumes.map(({ state, payments, amount, fee, rail, waits }) => [
        state,
        payments,
        amount,
        fee,
        rail,
        waits[1] ?? 0,
      ]),
      [
        ['accepted', 2, 20n, 2n, '', 0],
        ['blocked', 1, 10n, 0n, 'a_rail', 1],
        ['success', 1, 10n, 1n, 'a_rail', 1],
      ],
    );
  });
});
