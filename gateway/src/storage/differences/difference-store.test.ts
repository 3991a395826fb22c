import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openPayoutBench, type PayoutBench } from '../../../test/support/payouts/stored-payouts.ts';
import { OF_NOTHING_OF_OURS, type ReportedDifference } from '../../domain/differences/difference.ts';
import { DAY_MS, utcDayOf } from '../../foundation/clock.ts';
import { createDifferenceStore } from './difference-store.ts';

let bench: PayoutBench;
before(async () => {
  bench = await openPayoutBench();
});
after(() => bench.close());

/** Reports an unconfirmed notification about a payout that has ended, or about a transfer, at each step. */
async function openAfter(subject: string, payoutId: string | null, steps: readonly ('itself' | 'person' | 'day')[]) {
  const store = createDifferenceStore(bench.database);
  const of = payoutId === null ? OF_NOTHING_OF_OURS : { ...OF_NOTHING_OF_OURS, merchantId: 'M1', payoutId };
  const key = { rail: 'a_rail', kind: 'unconfirmed', subject } as const;
  let at = bench.clock.now();
  const report = () => store.report({ ...of, ...key, ours: '', theirs: '', foundAt: at } satisfies ReportedDifference);
  await report();
  for (const step of steps) {
    if (step === 'itself') await store.dismiss(key, 'the bank confirmed it', at);
    else if (step === 'person') await store.resolve({ ...key, day: utcDayOf(at) }, 'ann', 'forged', at);
    else at += DAY_MS;
    if (step !== 'person') await report();
  }
  const all = await store.list({ rail: 'a_rail', day: null, kind: null, openOnly: true });
  return all.filter((each) => each.subject === subject).length;
}

describe('the record of an unconfirmed notification', () => {
  it('a repeated report about a final payout opens a new difference only after the earlier difference was resolved', async () => {
    assert.equal(await openAfter('of the day', 'p', ['itself']), 1);
    assert.equal(await openAfter('known', 'p', ['day']), 1, 'a repeat of an open one is not a second one');
    assert.equal(await openAfter('decided', 'p', ['person', 'day']), 1);
  });

  it('repeated reports about a transfer open one difference', async () => {
    assert.equal(await openAfter('transfer', null, ['itself', 'day']), 0);
  });
});
