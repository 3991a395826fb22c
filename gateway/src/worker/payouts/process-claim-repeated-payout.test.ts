/** A rail that learns the outcome of a payout only by sending it again repeats only payouts that it may send. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { deliverStored } from '../../../test/support/payouts/payout-deliveries.ts';
import { scriptedRail } from '../../../test/support/payouts/scripted-rail.ts';
import { openPayoutBench, type PayoutBench } from '../../../test/support/payouts/stored-payouts.ts';
import { stopAsTimeGoesBy, untilAsTimeGoesBy } from '../../../test/support/tools/time-goes-by.ts';
import type { PayoutOrder, RailStatus } from '../../domain/payouts/payout-rail.ts';
import { HOUR_MS, SECOND_MS } from '../../foundation/clock.ts';
import { createRecoveryStore } from '../../storage/recovery/recovery-store.ts';

let bench: PayoutBench;
before(async () => {
  bench = await openPayoutBench();
  await bench.fund('m', 1_000n);
});
// Its returns belong to no transfer, which the invariants would report.
after(() => bench.close());

const RETURN = { rail: 'bank', purpose: 'return', method: null } as const;

/** `answer`: the bank's response to each repetition. */
function repeatingRail(answer: RailStatus, name = 'bank') {
  const repeated: PayoutOrder[] = [];
  const scripted = scriptedRail(name, {
    ownPurposes: new Set(['return']),
    async repeat(order) {
      repeated.push(order);
      return answer;
    },
  });
  return { ...scripted, repeated };
}

const stateOf = async (payoutId: string) => (await bench.store.find({ merchantId: 'm', payoutId }))?.state;

async function jobOf(payoutId: string) {
  const { rows } = await bench.owner.query(
    'select stage, note, held_because, attempts from payout_jobs where payout_id = $1',
    [payoutId],
  );
  return rows[0] as { stage: string; note: string; held_because: string | null; attempts: number } | undefined;
}

it('a recovering gateway holds a payout from before the restore if the query about it would send it', async () => {
  const recoveries = createRecoveryStore(bench.database);
  const { rail, asked, repeated } = repeatingRail({ kind: 'executed' });
  await bench.store.accept(await bench.newPayout('m', 'before', 10n, RETURN));
  bench.clock.advance(1);
  const startedAt = bench.clock.now();
  await recoveries.begin({ startedAt, knownUntil: startedAt, startedBy: 'Ann', reason: 'a dead disk' });
  await bench.store.accept(await bench.newPayout('m', 'after', 10n, RETURN));
  const { delivery } = deliverStored(bench, [rail], [], { recovery: recoveries.latest });
  delivery.start();
  try {
    assert(await untilAsTimeGoesBy(bench.clock, SECOND_MS, async () => (await stateOf('after')) === 'success'));
    const note = 'a query to bank would send it: release it, or complete its rail';
    assert.deepEqual(await jobOf('before'), { stage: 'queued', note, held_because: 'query_would_send', attempts: 0 });
    assert(repeated.every(({ remittance }) => remittance === 'm/after'));
    assert.deepEqual(asked, []);
  } finally {
    await stopAsTimeGoesBy(bench.clock, delivery);
    await bench.owner.query('delete from recoveries');
    await bench.owner.query('delete from payout_jobs');
  }
});

it('a recovering gateway records the attempt of a payout before it repeats it, and a notification finds it', async () => {
  const recoveries = createRecoveryStore(bench.database);
  const startedAt = bench.clock.now();
  await recoveries.begin({ startedAt, knownUntil: startedAt, startedBy: 'Ann', reason: 'a dead disk' });
  bench.clock.advance(1);
  await bench.store.accept(await bench.newPayout('m', 'first repeated', 10n, RETURN));
  const found: (string | undefined)[] = [];
  const leased: unknown[] = [];
  const { rail } = scriptedRail('bank', {
    ownPurposes: new Set(['return']),
    async repeat({ reference }) {
      found.push((await bench.store.findByReference('bank', reference))?.payoutId);
      const { rows } = await bench.owner.query(
        `select extract(epoch from due_at) * 1000 > $1 as leased from payout_jobs where payout_id = 'first repeated'`,
        [bench.clock.now()],
      );
      leased.push(rows[0]?.leased);
      return { kind: 'unknown', reason: 'silent' };
    },
  });
  const { delivery } = deliverStored(bench, [rail], [], { recovery: recoveries.latest });
  delivery.start();
  try {
    assert(await untilAsTimeGoesBy(bench.clock, SECOND_MS, async () => found.length > 1));
    assert.deepEqual([...new Set(found)], ['first repeated']);
    const { stage, attempts } = (await jobOf('first repeated')) ?? {};
    assert.deepEqual({ stage, attempts }, { stage: 'at_bank', attempts: 1 });
    assert(
      leased.every((one) => one === true),
      'no other claim repeats it during the call',
    );
  } finally {
    await stopAsTimeGoesBy(bench.clock, delivery);
    await bench.owner.query('delete from recoveries');
    await bench.owner.query('delete from payout_jobs');
  }
});

/** Each change of a payout in flight: the SQL, and the SQL that restores the row. */
const CHANGES: readonly (readonly [what: string, table: string, change: string, restore: string])[] = [
  ['amount', 'payouts', 'amount = amount + 1', 'amount = amount - 1'],
  ['account', 'payouts', `account_shown = account_shown || '1'`, 'account_shown = left(account_shown, -1)'],
  ['reference', 'payout_attempts', `reference = reference || '1'`, 'reference = left(reference, -1)'],
];

for (const [what, table, change, restore] of CHANGES)
  it(`a worker does not repeat a payout with a changed ${what}, and repeats it once the row is restored`, async () => {
    const payoutId = `changed ${what}`;
    const { rail, script, sent, repeated } = repeatingRail({ kind: 'executed' });
    script.send = async () => ({ kind: 'unknown', reason: 'silent' });
    await bench.store.accept(await bench.newPayout('m', payoutId, 10n, RETURN));
    const { delivery, problems } = deliverStored(bench, [rail], []);
    const other = deliverStored(bench, [rail], []);
    delivery.start();
    assert(await untilAsTimeGoesBy(bench.clock, 1, async () => (await jobOf(payoutId))?.stage === 'unknown'));
    await bench.owner.query(`update ${table} set ${change} where payout_id = $1`, [payoutId]);
    other.delivery.start();
    try {
      const isHeld = async () => (await jobOf(payoutId))?.held_because === 'seal_broken';
      assert(await untilAsTimeGoesBy(bench.clock, SECOND_MS, isHeld));
      const note = 'its row differs from the accepted payout';
      assert.deepEqual(await jobOf(payoutId), { stage: 'unknown', note, held_because: 'seal_broken', attempts: 1 });
      assert.deepEqual(repeated, []);
      assert.deepEqual([...problems, ...other.problems], [`m/${payoutId} ${note}`]);
      await bench.owner.query(`update ${table} set ${restore} where payout_id = $1`, [payoutId]);
      bench.clock.advance(HOUR_MS);
      assert(await untilAsTimeGoesBy(bench.clock, SECOND_MS, async () => (await stateOf(payoutId)) === 'success'));
      assert.deepEqual([sent.length, repeated.length], [1, 1]);
    } finally {
      await stopAsTimeGoesBy(bench.clock, delivery);
      await stopAsTimeGoesBy(bench.clock, other.delivery);
    }
  });

it('a worker does not repeat a payout whose rail was changed in its row', async () => {
  const { rail, script } = repeatingRail({ kind: 'executed' });
  const other = repeatingRail({ kind: 'executed' }, 'other_bank');
  script.send = async () => ({ kind: 'unknown', reason: 'silent' });
  await bench.store.accept(await bench.newPayout('m', 'moved', 10n, RETURN));
  const { delivery } = deliverStored(bench, [rail, other.rail], []);
  delivery.start();
  assert(await untilAsTimeGoesBy(bench.clock, 1, async () => (await jobOf('moved'))?.stage === 'unknown'));
  for (const table of ['payouts', 'payout_jobs', 'payout_attempts'])
    await bench.owner.query(`update ${table} set rail = 'other_bank' where payout_id = 'moved'`);
  try {
    const isHeld = async () => (await jobOf('moved'))?.held_because === 'seal_broken';
    assert(await untilAsTimeGoesBy(bench.clock, SECOND_MS, isHeld));
    assert.deepEqual(other.repeated, []);
  } finally {
    await stopAsTimeGoesBy(bench.clock, delivery);
  }
});
