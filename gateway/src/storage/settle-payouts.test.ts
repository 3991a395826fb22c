import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { merchantNamed } from '../../test/support/merchant-named.ts';
import { openPayoutBench, type PayoutBench, plainCallbacks, reportOf } from '../../test/support/stored-payouts.ts';
import { type PayoutReport, planSettlement } from '../domain/payouts/settle-payout.ts';
import type { Database } from './database.ts';
import { settlePayouts } from './settle-payouts.ts';
import { verifyInvariants } from './verify-invariants.ts';

let bench: PayoutBench;

before(async () => {
  bench = await openPayoutBench();
});

after(() => bench.close());

/** The bench's database, in whose first transaction `meanwhile` happens elsewhere just before the settlement is written. */
function interrupted(meanwhile: () => Promise<void>): Database {
  let isFirst = true;
  return {
    ...bench.database,
    transaction: (work) =>
      bench.database.transaction((transaction) =>
        work({
          ...transaction,
          prepared: async (name, text, values) => {
            if (name === 'settle-payouts' && isFirst) {
              isFirst = false;
              await meanwhile();
            }
            return transaction.prepared(name, text, values);
          },
        }),
      ),
  };
}

function request(payoutId: string, event: PayoutReport['event']) {
  const merchant = merchantNamed('batch', { eventUrl: 'http://127.0.0.1:1/events' });
  const plan = (facts: Parameters<typeof planSettlement>[0]) =>
    planSettlement(facts, reportOf(event), merchant, plainCallbacks);
  return { merchantId: 'batch', payoutId, fence: null, plan };
}

it('tells what it settled even where another of the batch had to be decided anew', async () => {
  await bench.fund('batch', 100n);
  await bench.store.accept(await bench.newPayout('batch', 'sent', 10n));
  await bench.attempt('batch', 'sent');
  await bench.store.accept(await bench.newPayout('batch', 'recalled', 10n, { rail: 'another_rail' }));
  const outcomes = await settlePayouts(
    interrupted(() => bench.attempt('batch', 'recalled')),
    { vaultRetentionMs: 1 },
    [request('sent', 'executed'), request('recalled', 'cancelled')],
  );
  assert.deepEqual(
    outcomes.map(({ kind }) => kind),
    ['settled', 'unchanged'],
  );
  assert.equal((await bench.store.find({ merchantId: 'batch', payoutId: 'recalled' }))?.state, 'pending');
  assert.deepEqual(
    (await verifyInvariants(bench.database)).filter(({ holds }) => !holds),
    [],
  );
});
