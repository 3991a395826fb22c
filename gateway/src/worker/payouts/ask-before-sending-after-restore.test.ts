/** Payouts that were with a bank when the database was restored (decision 55). */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { deliverStored } from '../../../test/support/payouts/payout-deliveries.ts';
import { scriptedRail } from '../../../test/support/payouts/scripted-rail.ts';
import { openPayoutBench, type PayoutBench } from '../../../test/support/payouts/stored-payouts.ts';
import { stopAsTimeGoesBy, untilAsTimeGoesBy } from '../../../test/support/tools/time-goes-by.ts';
import type { Recovery } from '../../domain/recovery/recovery.ts';
import { SECOND_MS } from '../../foundation/clock.ts';
import { createRecoveryStore } from '../../storage/recovery/recovery-store.ts';

let bench: PayoutBench;
before(async () => {
  bench = await openPayoutBench();
  await bench.fund('m', 1_000_000n);
});
after(() => bench.verifyAndClose());

it('a payout that its bank did not receive before the restore is sent only after the recovery of its rail is completed', async () => {
  const { rail, script, sent } = scriptedRail('a_rail');
  const asGoesBy = (isSo: () => Promise<boolean> | boolean) => untilAsTimeGoesBy(bench.clock, SECOND_MS, isSo);
  let recovery: Recovery | undefined;
  const { delivery } = deliverStored(bench, [rail], [], { recovery: async () => recovery });
  const job = async () => {
    const { rows } = await bench.owner.query(`select stage, note from payout_jobs where payout_id = 'lost'`);
    return rows[0];
  };
  script.send = async () => ({ kind: 'unknown', reason: 'no response in time' });
  script.ask = async () => ({ kind: 'unknown', reason: 'HTTP 500' });
  await bench.store.accept(await bench.newPayout('m', 'lost', 10n, { rail: rail.name }));
  delivery.start();
  try {
    assert(await asGoesBy(() => bench.clock.now() > (sent[0]?.sendUntil ?? Number.POSITIVE_INFINITY)));
    const startedAt = bench.clock.now();
    const declared = { startedAt, knownUntil: startedAt - 60 * SECOND_MS, startedBy: 'Ann', reason: 'a dead disk' };
    await createRecoveryStore(bench.database).begin(declared);
    recovery = { ...declared, completed: null, rails: [] };
    script.ask = async () => ({ kind: 'not_found' });
    script.send = async () => ({ kind: 'executed' });
    assert(await asGoesBy(async () => (await job())?.note.startsWith('no bank has received it') ?? true));
    assert.equal((await job())?.stage, 'queued');
    assert.equal(sent.length, 1);
    const completed = { at: bench.clock.now(), by: 'Ann', forcedBecause: null, asksUntil: null };
    recovery = { ...recovery, rails: [{ rail: rail.name, comparedAt: null, completed }] };
    assert(await asGoesBy(async () => (await job()) === undefined));
    assert.equal(sent.length, 2);
  } finally {
    await stopAsTimeGoesBy(bench.clock, delivery);
  }
});
