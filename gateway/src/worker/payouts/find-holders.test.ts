import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { claimOf, openPayoutBench, type PayoutBench } from '../../../test/support/payouts/stored-payouts.ts';
import { REFERENCE_KEY } from '../../../test/support/tools/reference-key.ts';
import type { ClaimedPayout } from '../../domain/payouts/payout-job-store.ts';
import { type PayoutAtRail, payoutReference } from '../../domain/payouts/payout-order.ts';
import { createPayoutJobStore } from '../../storage/payouts/payout-job-store.ts';
import { findHolders } from './find-holders.ts';

const RAILS = ['own', 'other'];

let bench: PayoutBench;
let claims: readonly ClaimedPayout[];

before(async () => {
  bench = await openPayoutBench();
  await bench.fund('m', 1_000n);
  for (const payoutId of ['first', 'second'])
    await bench.store.accept(await bench.newPayout('m', payoutId, 10n, { rail: 'own' }));
  const now = bench.clock.now();
  claims = await createPayoutJobStore(bench.database, bench.clock, REFERENCE_KEY).claim(
    claimOf('own', now, now + 1_000, 2),
  );
});

after(() => bench.verifyAndClose());

const mayBeListedAt = () => RAILS.map((name) => ({ name }));

it('the worker finds the rail whose provider listed a payout', async () => {
  const referenceOf = (payout: PayoutAtRail) => payoutReference(REFERENCE_KEY, payout);
  const listed = { rail: 'other', reference: referenceOf({ merchantId: 'm', payoutId: 'second', rail: 'other' }) };
  const holders = await findHolders({ mayBeListedAt, referenceOf, unaccounted: async () => [listed] }, claims);
  assert.deepEqual(
    Array.from(holders, ([{ payout }, rail]) => [payout.payoutId, rail]),
    [['second', 'other']],
  );
});

it('the worker does not compute a reference unless a provider listed an unknown reference', async () => {
  const referenceOf = () => assert.fail('a reference was computed');
  assert.equal(claims.length, 2);
  assert.equal((await findHolders({ mayBeListedAt, referenceOf, unaccounted: async () => [] }, claims)).size, 0);
});
