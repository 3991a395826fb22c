/** After a restore, a rail whose queries send the payout again is asked only about payouts that may be sent. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { deliverStored } from '../../../test/support/payouts/payout-deliveries.ts';
import { scriptedRail } from '../../../test/support/payouts/scripted-rail.ts';
import { openPayoutBench, type PayoutBench } from '../../../test/support/payouts/stored-payouts.ts';
import { stopAsTimeGoesBy, untilAsTimeGoesBy } from '../../../test/support/tools/time-goes-by.ts';
import { SECOND_MS } from '../../foundation/clock.ts';
import { createRecoveryStore } from '../../storage/recovery/recovery-store.ts';

let bench: PayoutBench;
before(async () => {
  bench = await openPayoutBench();
  await bench.fund('m', 1_000n);
});
// Its returns belong to no transfer, which the invariants would report.
after(() => bench.close());

const RETURN = { rail: 'bank', purpose: 'return', method: null } as const;

it('a recovering gateway does not send a payout that waits for its completion by a query about it', async () => {
  const recoveries = createRecoveryStore(bench.database);
  const { rail, script, asked } = scriptedRail('bank', { asksBySending: true, ownPurposes: new Set(['return']) });
  script.ask = async () => ({ kind: 'executed' });
  await bench.store.accept(await bench.newPayout('m', 'before', 10n, RETURN));
  bench.clock.advance(1);
  const startedAt = bench.clock.now();
  await recoveries.begin({ startedAt, knownUntil: startedAt, startedBy: 'Ann', reason: 'a dead disk' });
  await bench.store.accept(await bench.newPayout('m', 'after', 10n, RETURN));
  const { delivery } = deliverStored(bench, [rail], [], { recovery: recoveries.latest });
  delivery.start();
  try {
    const isPaid = async () => (await bench.store.find({ merchantId: 'm', payoutId: 'after' }))?.state === 'success';
    assert(await untilAsTimeGoesBy(bench.clock, SECOND_MS, isPaid));
    const { rows } = await bench.owner.query(`select stage, note from payout_jobs where payout_id = 'before'`);
    const note = 'a query to bank would send it: release it, or complete its rail';
    assert.deepEqual(rows, [{ stage: 'queued', note }]);
    assert(asked.every(({ remittance }) => remittance === 'm/after'));
  } finally {
    await stopAsTimeGoesBy(bench.clock, delivery);
  }
});
