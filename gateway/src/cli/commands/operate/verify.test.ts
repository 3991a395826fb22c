import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runOver as run } from '../../../../test/support/gateway/run-over.ts';

test('verify shows the rows that break an invariant and exits with 1', async () => {
  const verify = async () => [
    { name: 'whole', meaning: 'holds', holds: true, offending: [] },
    { name: 'broken', meaning: 'does not', holds: false, offending: [{ merchant_id: 'M1', sum: -5n }] },
  ];
  const human = await run('verify', { books: { verify } });
  assert.deepEqual(
    [human.stdout, human.exitCode],
    ['✓ whole: holds\n✗ broken: does not\n  merchant_id  sum\n  M1           -5\n', 1],
  );
  const json = await run('verify --json', { books: { verify } });
  assert.deepEqual(
    [JSON.parse(json.stdout).ok, JSON.parse(json.stdout).invariants[1].offending, json.exitCode],
    [false, [{ merchant_id: 'M1', sum: '-5' }], 1],
  );
});
