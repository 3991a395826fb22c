import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { openPayoutBench, type PayoutBench } from '../../../test/support/payouts/stored-payouts.ts';

let bench: PayoutBench;

before(async () => {
  bench = await openPayoutBench();
  await bench.fund('M1', 100n);
  for (const payoutId of ['one', 'two']) {
    await bench.store.accept(await bench.newPayout('M1', payoutId, 10n));
    const row = ['a_rail', `P-${payoutId}`, 'M1', payoutId];
    await bench.owner.query('insert into rail_references values ($1, $2, $3, $4)', row);
  }
});

after(() => bench.close());

/** Concurrent look-ups, which share statements. */
const WANTED = [
  ['a_rail', 'P-two'],
  ['a_rail', 'P-unknown'],
  ['another_rail', 'P-one'],
  ['a_rail', 'P-one'],
  ['a_rail', 'P-two'],
] as const;

async function found(): Promise<(string | undefined)[]> {
  const store = bench.anotherStore();
  const payouts = await Promise.all(WANTED.map(([rail, reference]) => store.findByReference(rail, reference)));
  return payouts.map((payout) => payout?.payoutId);
}

it('payouts are found by the references of a rail on a single server', async () => {
  assert.deepEqual(await found(), ['two', undefined, undefined, 'one', 'two']);
});

it('payouts are found by the references of a rail on a cluster', async () => {
  await bench.owner.query('create table pg_dist_partition (logicalrelid regclass)');
  assert.deepEqual(await found(), ['two', undefined, undefined, 'one', 'two']);
});
