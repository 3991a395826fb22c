/** A worker does not query a bank about a sent payout whose row was changed: the response may be about another payout. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { deliverStored } from '../../../test/support/payouts/payout-deliveries.ts';
import { scriptedRail } from '../../../test/support/payouts/scripted-rail.ts';
import { openPayoutBench, type PayoutBench } from '../../../test/support/payouts/stored-payouts.ts';
import { stopAsTimeGoesBy, untilAsTimeGoesBy } from '../../../test/support/tools/time-goes-by.ts';
import type { RailStatus } from '../../domain/payouts/payout-rail.ts';
import { HOUR_MS, SECOND_MS } from '../../foundation/clock.ts';
import { createRecoveryStore } from '../../storage/recovery/recovery-store.ts';

let bench: PayoutBench;
before(async () => {
  bench = await openPayoutBench();
  await bench.fund('m', 1_000n);
});
after(() => bench.verifyAndClose());

const stateOf = async (payoutId: string) => (await bench.store.find({ merchantId: 'm', payoutId }))?.state;

async function jobOf(payoutId: string) {
  const { rows } = await bench.owner.query('select rail, stage, held_because from payout_jobs where payout_id = $1', [
    payoutId,
  ]);
  return rows[0] as { rail: string; stage: string; held_because: string | null } | undefined;
}

/** Each change of a sent payout: the SQL, and the SQL that restores the row. */
const CHANGES: readonly (readonly [what: string, table: string, change: string, restore: string])[] = [
  ['reference', 'payout_attempts', `reference = reference || '1'`, 'reference = left(reference, -1)'],
  ['attempt number', 'payout_jobs', 'attempts = attempts + 1', 'attempts = attempts - 1'],
  ['amount', 'payouts', 'amount = amount + 1', 'amount = amount - 1'],
];

for (const [what, table, change, restore] of CHANGES)
  for (const answer of [
    { kind: 'not_found' },
    { kind: 'declined', blockedReason: 'unspecified', reason: 'no' },
  ] as const)
    it(`a payout in flight with a changed ${what} stays in its stage, although its bank would return ${answer.kind}`, async () => {
      const payoutId = `${what.replace(' ', '-')}-${answer.kind}`;
      const [first, second] = [scriptedRail(`first-${payoutId}`), scriptedRail(`second-${payoutId}`)];
      first.script.send = async () => ({ kind: 'unknown', reason: 'silent' });
      let status: RailStatus = answer;
      first.script.ask = async () => status;
      const nextRail = async () => ({ rail: second.rail.name, isFirstAgain: false });
      const { delivery, problems } = deliverStored(bench, [first.rail, second.rail], [], { nextRail });
      await bench.store.accept(await bench.newPayout('m', payoutId, 10n, { rail: first.rail.name }));
      delivery.start();
      try {
        assert(await untilAsTimeGoesBy(bench.clock, 1, async () => (await jobOf(payoutId))?.stage === 'unknown'));
        const { length: asked } = first.asked;
        await bench.owner.query(`update ${table} set ${change} where payout_id = $1`, [payoutId]);
        const isHeld = async () => (await jobOf(payoutId))?.held_because === 'seal_broken';
        assert(await untilAsTimeGoesBy(bench.clock, SECOND_MS, isHeld));
        assert.deepEqual(await jobOf(payoutId), {
          rail: first.rail.name,
          stage: 'unknown',
          held_because: 'seal_broken',
        });
        assert.deepEqual([first.asked.length, second.sent], [asked, []]);
        assert.deepEqual(problems, [`m/${payoutId} its row differs from the accepted payout`]);
        await bench.owner.query(`update ${table} set ${restore} where payout_id = $1`, [payoutId]);
        status = { kind: 'executed' };
        bench.clock.advance(HOUR_MS);
        assert(await untilAsTimeGoesBy(bench.clock, SECOND_MS, async () => (await stateOf(payoutId)) === 'success'));
      } finally {
        await stopAsTimeGoesBy(bench.clock, delivery);
      }
    });

it('a changed payout keeps its hold while a recovering gateway queries its bank, and no attempt begins', async () => {
  const recoveries = createRecoveryStore(bench.database);
  const { rail, asked, sent } = scriptedRail('recovering');
  const startedAt = bench.clock.now();
  await recoveries.begin({ startedAt, knownUntil: startedAt, startedBy: 'Ann', reason: 'a dead disk' });
  await bench.store.accept(await bench.newPayout('m', 'asked', 10n, { rail: 'recovering' }));
  await bench.owner.query(`update payouts set amount = amount + 1 where payout_id = 'asked'`);
  await bench.owner.query(`update payout_jobs set held_because = 'seal_broken' where payout_id = 'asked'`);
  const { delivery, problems } = deliverStored(bench, [rail], [], { recovery: recoveries.latest });
  delivery.start();
  try {
    assert(await untilAsTimeGoesBy(bench.clock, SECOND_MS, () => problems.length > 0));
    assert(asked.length > 0);
    const { rows } = await bench.owner.query(
      `select held_because, attempts, asked_at is not null as is_asked from payout_jobs where payout_id = 'asked'`,
    );
    assert.deepEqual(rows, [{ held_because: 'seal_broken', attempts: 0, is_asked: true }]);
    await bench.owner.query(`update payouts set amount = amount - 1 where payout_id = 'asked'`);
    bench.clock.advance(HOUR_MS);
    assert(await untilAsTimeGoesBy(bench.clock, SECOND_MS, async () => (await stateOf('asked')) === 'success'));
    assert.equal(sent.length, 1);
  } finally {
    await stopAsTimeGoesBy(bench.clock, delivery);
    await bench.owner.query('delete from recoveries');
  }
});
