import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runOver as run } from '../../../../test/support/gateway/run-over.ts';
import { ok } from '../../../foundation/result.ts';

test('gateway credit posts minor units and reports that a repeated reference had no effect', async () => {
  const asked: unknown[] = [];
  const funds = (posted: boolean) => ({
    async move(...call: unknown[]) {
      asked.push(...call);
      return ok({ posted, balances: { available: 10_000n } });
    },
  });
  const first = await run("credit M1 EUR 100 --reference r1 --reason 'first money' --json", {
    funds: funds(true),
  });
  assert.deepEqual(asked, ['credit', 'M1', { currency: 'EUR', minor: 10_000n }, 'r1', 'first money']);
  assert.equal(JSON.parse(first.stdout).balance.available, '100.00');
  const again = await run('credit M1 EUR 100 --reference r1 --reason x', { funds: funds(false) });
  assert.equal(again.stdout, '✓ r1 was already posted; nothing moved; available 100.00 EUR.\n');
});
