/** Reports without a lease on stored payouts, while a gateway recovers from a restore. */

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { merchantNamed } from '../../../test/support/merchants/merchant-named.ts';
import { openPayoutBench, type PayoutBench, plainCallbacks } from '../../../test/support/payouts/stored-payouts.ts';
import { SECOND_MS } from '../../foundation/clock.ts';
import { withParts } from '../../foundation/with-parts.ts';
import { createDifferenceStore } from '../../storage/differences/difference-store.ts';
import type { Recovery } from '../recovery/recovery.ts';
import type { PayoutEvent } from './payout.ts';
import { settlePayout } from './settle-payout.ts';

let bench: PayoutBench;
before(async () => {
  bench = await openPayoutBench();
  await bench.fund('m', 1_000n);
});
after(() => bench.verifyAndClose());

function recoveryUntil(startedAt: number): Recovery {
  const knownUntil = startedAt - 60 * SECOND_MS;
  return { startedAt, knownUntil, startedBy: 'Ann', reason: 'a dead disk', completed: null, rails: [] };
}

function reporting(recovery: Recovery | undefined) {
  return withParts(settlePayout, {
    store: bench.store,
    merchants: { find: async () => ({ merchant: merchantNamed('m'), keys: { api: [], form: [] } }) },
    compose: plainCallbacks,
    recovery: async () => recovery,
    onSettled: () => {},
  });
}

/** Sends a payout to its bank, lets `actor` report on it, and returns its state afterwards. */
async function stateAfter(event: PayoutEvent, actor: 'bank' | 'operator', recovery: Recovery | undefined) {
  const payoutId = `${event}-${actor}-${recovery?.startedAt ?? 'never'}`;
  await bench.store.accept(await bench.newPayout('m', payoutId, 10n));
  await bench.attempt('m', payoutId);
  const key = { merchantId: 'm', payoutId };
  const rail = (await bench.store.find(key))?.rail ?? '';
  const report = reporting(recovery);
  const reason = event === 'declined' ? { blockedReason: 'bank_declined' as const } : {};
  const by = actor === 'bank' ? rail : 'operator';
  await report(key, null, { event, rail, ...reason, detail: 'the list of the day', actor: by, at: bench.clock.now() });
  return (await bench.store.find(key))?.state;
}

it('a payout that a bank lists as declined stays pending during a recovery, because another bank may have paid it', async () => {
  const recovery = recoveryUntil(bench.clock.now() + SECOND_MS);
  assert.equal(await stateAfter('declined', 'bank', recovery), 'pending');
  assert.equal(await stateAfter('executed', 'bank', recovery), 'success');
  assert.equal(await stateAfter('declined', 'operator', recovery), 'blocked');
});

it('a payout that a bank lists as declined is blocked if no restore lost data about it', async () => {
  assert.equal(await stateAfter('declined', 'bank', undefined), 'blocked');
  assert.equal(await stateAfter('declined', 'bank', recoveryUntil(bench.clock.now() - SECOND_MS)), 'blocked');
});

it('each bank that reports the execution of one payout becomes a contradiction for the operator, once', async () => {
  const key = { merchantId: 'm', payoutId: 'paid-by-three' };
  await bench.store.accept(await bench.newPayout('m', key.payoutId, 10n));
  await bench.attempt('m', key.payoutId);
  for (const rail of ['b_rail', 'c_rail', 'c_rail', 'b_rail', 'a_rail', 'a_rail', 'd_rail'])
    await reporting(undefined)(key, null, { event: 'executed', rail, detail: '', actor: rail, at: bench.clock.now() });
  const any = { rail: null, day: null, kind: 'contradiction', openOnly: true } as const;
  const found = await createDifferenceStore(bench.database).list(any);
  assert.deepEqual(
    found.map(({ rail, payoutId }) => [rail, payoutId]),
    ['b_rail', 'c_rail', 'd_rail'].map((rail) => [rail, key.payoutId]),
  );
});
