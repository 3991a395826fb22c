import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { scriptedRail } from '../../../test/support/payouts/scripted-rail.ts';
import { openPayoutBench, type PayoutBench } from '../../../test/support/payouts/stored-payouts.ts';
import { REFERENCE_KEY } from '../../../test/support/tools/reference-key.ts';
import { type Clock, utcDayOf } from '../../foundation/clock.ts';
import { createDifferenceStore } from '../../storage/differences/difference-store.ts';
import { createPayoutRecordStore } from '../../storage/payouts/payout-record-store.ts';
import { createReconciliationStore } from '../../storage/reconciliation/reconciliation-store.ts';
import { createRecoveryStore } from '../../storage/recovery/recovery-store.ts';
import { type PayoutAtRail, payoutReference } from '../payouts/payout-order.ts';
import { askNamedPayouts } from './ask-named-payouts.ts';

let bench: PayoutBench;
let rails = 0;
before(async () => {
  bench = await openPayoutBench();
  await bench.fund('m', 1_000n);
});
after(() => bench.verifyAndClose());

const referenceOf = (payout: PayoutAtRail) => payoutReference(REFERENCE_KEY, payout);

/** A provider without a list that has one payout, `lost`, of 0.10 EUR. */
function scene() {
  const { rail, script } = scriptedRail(`named${++rails}`);
  const lost = referenceOf({ merchantId: 'm', payoutId: 'lost', rail: rail.name });
  script.ask = async ({ reference }) => ({ kind: reference === lost ? 'executed' : 'not_found' });
  const store = createReconciliationStore(bench.database);
  const { record } = createPayoutRecordStore(bench.database);
  // Pauses end immediately, and deadlines never expire.
  const clock: Clock = {
    now: bench.clock.now,
    sleep: (ms) => (ms === rail.timeoutMs ? new Promise(() => {}) : Promise.resolve()),
  };
  return {
    rail,
    script,
    lost,
    store,
    ask: (payoutId: string) =>
      askNamedPayouts(
        { rail, referenceOf, record, store, clock, onRailCall: () => {} },
        [{ merchantId: 'm', payoutId, money: { currency: 'EUR', minor: 10n } }],
        new AbortController().signal,
      ),
    differences: () =>
      createDifferenceStore(bench.database).list({ rail: rail.name, day: null, kind: null, openOnly: true }),
    directory: async (reference: string) =>
      (await createRecoveryStore(bench.database).unaccounted([{ rail: rail.name, reference }])).length,
  };
}

it('a payout that a restore lost and its provider has becomes a difference, and its reference is not sent', async () => {
  const { ask, differences, directory, lost } = scene();
  const [answered] = await ask('lost');
  assert.deepEqual([answered?.comparison, answered?.isKept], ['differs', true]);
  assert.deepEqual(
    (await differences()).map(({ kind, subject, merchantId, payoutId, ours, theirs }) => [
      kind,
      subject,
      merchantId,
      payoutId,
      ours,
      theirs,
    ]),
    [['missing_here', lost, 'm', 'lost', 'unknown here', 'asked: executed, 0.10 EUR']],
  );
  assert.equal(await directory(lost), 1);
});

it('a pending payout that its provider already has is recorded as a difference too', async () => {
  const { ask, directory, rail, lost } = scene();
  await bench.store.accept(await bench.newPayout('m', 'lost', 10n, { rail: rail.name }));
  const [answered] = await ask('lost');
  assert.deepEqual([answered?.ours, answered?.isKept], ['pending, not sent by this rail', true]);
  assert.equal(await directory(lost), 1);
});

it('a payout that its provider does not confirm is not recorded', async () => {
  const { ask, differences, script } = scene();
  assert.equal((await ask('never'))[0]?.isKept, false);
  script.ask = async () => ({ kind: 'unknown', reason: 'HTTP 500' });
  assert.equal((await ask('silent'))[0]?.isKept, false);
  assert.deepEqual(await differences(), []);
});

it('a difference found by a reference stays open when its day is compared, and stays closed once resolved', async () => {
  const { ask, differences, directory, lost, rail, store } = scene();
  await ask('lost');
  const day = utcDayOf(bench.clock.now());
  const run = { rail: rail.name, day, runAt: bench.clock.now(), listed: 0, matched: 0, settled: 0 };
  await store.keep(run, [], []);
  assert.equal((await differences()).length, 1);
  const key = { rail: rail.name, day, kind: 'missing_here', subject: lost } as const;
  await createDifferenceStore(bench.database).resolve(key, 'Ann', 'booked', bench.clock.now());
  await ask('lost');
  assert.deepEqual(await differences(), []);
  assert.equal(await directory(lost), 1);
});
