/** The operator's release of a payout, and the banks' last responses before it. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createManualClock } from '../../foundation/clock.ts';
import { releaseAfterRestore } from './release-after-restore.ts';

const KEY = { merchantId: 'M1', payoutId: 'A1' };
const WORDS = { by: 'Ann', evidence: 'a letter' };

function openScene(holder: string | undefined) {
  const calls: string[] = [];
  const parts = {
    store: {
      async release() {
        calls.push('release');
        return true;
      },
    },
    rails: [{ name: 'bank' }],
    referenceOf: () => 'R1',
    async holderOf() {
      calls.push('ask');
      return holder;
    },
    clock: createManualClock(0),
  };
  return { calls, release: (words = WORDS) => releaseAfterRestore(parts, KEY, words) };
}

it('a payout is released after a query in which no bank reports it', async () => {
  const { calls, release } = openScene(undefined);
  assert.deepEqual(await release(), { ok: true, value: 'released' });
  assert.deepEqual(calls, ['ask', 'release']);
});

it('a payout that a bank reports is not released', async () => {
  const { calls, release } = openScene('bank');
  assert.deepEqual(await release(), { ok: false, error: { kind: 'bank_has_it', rail: 'bank' } });
  assert.deepEqual(calls, ['ask']);
});

it('a release without evidence does not query a bank', async () => {
  const { calls, release } = openScene('bank');
  assert.equal((await release({ by: 'Ann', evidence: '' })).ok, false);
  assert.deepEqual(calls, []);
});
