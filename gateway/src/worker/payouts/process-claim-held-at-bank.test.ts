/** A bank pays a payout that it holds as a probable duplicate once a query may confirm it. Nothing else may move its money. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { deliverStored } from '../../../test/support/payouts/payout-deliveries.ts';
import { scriptedRail } from '../../../test/support/payouts/scripted-rail.ts';
import { openPayoutBench, type PayoutBench } from '../../../test/support/payouts/stored-payouts.ts';
import { stopAsTimeGoesBy, untilAsTimeGoesBy } from '../../../test/support/tools/time-goes-by.ts';
import type { Pause } from '../../domain/routing/pause-store.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import { createRecoveryStore } from '../../storage/recovery/recovery-store.ts';

let bench: PayoutBench;
before(async () => {
  bench = await openPayoutBench();
  await bench.fund('m', 1_000n);
});
after(() => bench.verifyAndClose());

const NOTE = 'the bank holds it: duplicate';

/** It takes each payout and holds it until a query may confirm it. `has`: it has the payout before the first send. */
function holdingRail(name: string, has = false) {
  const scripted = scriptedRail(name, { askAfterMs: [SECOND_MS] });
  const paid: string[] = [];
  let isTaken = has;
  scripted.script.send = async () => {
    isTaken = true;
    return { kind: 'pending', note: NOTE };
  };
  scripted.script.ask = async ({ reference, mayConfirm }) => {
    if (!isTaken) return { kind: 'not_found' };
    if (mayConfirm) paid.push(reference);
    return mayConfirm ? { kind: 'executed' } : { kind: 'pending', note: NOTE };
  };
  return { ...scripted, paid };
}

const stateOf = async (payoutId: string) => (await bench.store.find({ merchantId: 'm', payoutId }))?.state;

async function jobOf(payoutId: string) {
  const { rows } = await bench.owner.query('select stage, note from payout_jobs where payout_id = $1', [payoutId]);
  return rows[0] as { stage: string; note: string } | undefined;
}

const pauseOf = (scope: Pause['scope'], target: string): Pause => ({ scope, target, since: 0, reason: 'a trial' });

/** Delivers the payouts of the rail until `isSo`, and then for ten more queries. */
async function deliverFor(
  rail: ReturnType<typeof holdingRail>,
  pauses: readonly Pause[],
  isSo: () => Promise<boolean>,
  change: Parameters<typeof deliverStored>[3] = {},
): Promise<void> {
  const { delivery } = deliverStored(bench, [rail.rail], pauses, change);
  delivery.start();
  try {
    assert(await untilAsTimeGoesBy(bench.clock, SECOND_MS, isSo));
    const until = rail.asked.length + 10;
    assert(await untilAsTimeGoesBy(bench.clock, SECOND_MS, async () => rail.asked.length >= until));
  } finally {
    await stopAsTimeGoesBy(bench.clock, delivery);
  }
}

async function untilPaid(rail: ReturnType<typeof holdingRail>, payoutId: string): Promise<void> {
  const { delivery } = deliverStored(bench, [rail.rail], []);
  bench.clock.advance(HOUR_MS);
  delivery.start();
  try {
    assert(await untilAsTimeGoesBy(bench.clock, SECOND_MS, async () => (await stateOf(payoutId)) === 'success'));
    assert.equal(rail.paid.length, 1);
  } finally {
    await stopAsTimeGoesBy(bench.clock, delivery);
  }
}

it('a bank pays a payout that it holds as a duplicate after the first query', async () => {
  const rail = holdingRail('free');
  await bench.store.accept(await bench.newPayout('m', 'free', 10n, { rail: 'free' }));
  await untilPaid(rail, 'free');
  assert.deepEqual([rail.sent.length, rail.asked.length], [1, 1]);
});

const HOLDS = ['paused merchant', 'paused rail', 'closed rail'] as const;

for (const hold of HOLDS)
  it(`queries about a sent payout of a ${hold} leave it held at its bank until that ends`, async () => {
    const name = hold.replace(' ', '-');
    const rail = holdingRail(name);
    rail.script.send = async () => ({ kind: 'unknown', reason: 'silent' });
    await bench.store.accept(await bench.newPayout('m', name, 10n, { rail: name }));
    const { delivery } = deliverStored(bench, [rail.rail], []);
    delivery.start();
    assert(await untilAsTimeGoesBy(bench.clock, 1, async () => (await jobOf(name))?.stage === 'unknown'));
    await stopAsTimeGoesBy(bench.clock, delivery);
    const { script, paid } = holdingRail(name, true);
    rail.script.ask = script.ask;
    const isAtBank = async () => (await jobOf(name))?.stage === 'at_bank';
    const pauses = {
      'paused merchant': [pauseOf('merchant', 'm')],
      'paused rail': [pauseOf('rail', name)],
      'closed rail': [],
    };
    const opensAt = hold === 'closed rail' ? Number.MAX_SAFE_INTEGER : undefined;
    await deliverFor(rail, pauses[hold], isAtBank, { closedUntil: async () => opensAt });
    assert.deepEqual([await jobOf(name), paid, rail.sent.length], [{ stage: 'at_bank', note: NOTE }, [], 1]);
    await untilPaid({ ...rail, paid }, name);
  });

it('a recovering gateway does not confirm a payout that a bank holds as a duplicate until its rail is completed', async () => {
  const recoveries = createRecoveryStore(bench.database);
  const rail = holdingRail('recovering', true);
  await bench.store.accept(await bench.newPayout('m', 'recovering', 10n, { rail: 'recovering' }));
  bench.clock.advance(MINUTE_MS);
  const startedAt = bench.clock.now();
  await recoveries.begin({ startedAt, knownUntil: 0, startedBy: 'Ann', reason: 'a dead disk' });
  const isAtBank = async () => (await jobOf('recovering'))?.stage === 'at_bank';
  await deliverFor(rail, [], isAtBank, { recovery: recoveries.latest });
  assert.deepEqual([await jobOf('recovering'), rail.paid, rail.sent], [{ stage: 'at_bank', note: NOTE }, [], []]);
  await bench.owner.query('delete from recoveries');
  await untilPaid(rail, 'recovering');
});
