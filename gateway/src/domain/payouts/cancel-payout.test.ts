/** The operator's cancellation of stored payouts. */

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { merchantNamed } from '../../../test/support/merchants/merchant-named.ts';
import { openPayoutBench, type PayoutBench, plainCallbacks } from '../../../test/support/payouts/stored-payouts.ts';
import { withParts } from '../../foundation/with-parts.ts';
import { createPayoutRecordStore } from '../../storage/payouts/payout-record-store.ts';
import type { Recovery } from '../recovery/recovery.ts';
import { type Cancellation, cancelPayout } from './cancel-payout.ts';
import { findPayoutObstacles } from './payout-obstacles.ts';
import { settlePayout } from './settle-payout.ts';

let bench: PayoutBench;
before(async () => {
  bench = await openPayoutBench();
  await bench.fund('m', 1_000n);
});
after(() => bench.verifyAndClose());

const RAILS = [{ name: 'a_rail', methods: new Set([9]) }];

async function cancel(payoutId: string, recovery?: Recovery, cancellation?: Cancellation) {
  const settle = withParts(settlePayout, {
    store: bench.store,
    merchants: { find: async () => ({ merchant: merchantNamed('m'), keys: { api: [], form: [] } }) },
    compose: plainCallbacks,
    onSettled: () => {},
  });
  const payoutRecords = createPayoutRecordStore(bench.database);
  const around = { payoutRecords, recovery: async () => recovery, rails: RAILS };
  const cancel = withParts(cancelPayout, { settle, clock: bench.clock, ...around });
  const key = { merchantId: 'm', payoutId };
  const find = withParts(findPayoutObstacles, {
    ...around,
    clock: bench.clock,
    payouts: { findMaker: async () => undefined },
    directory: { find: async () => undefined },
  });
  const record = await payoutRecords.record(key);
  const obstacles = record && (await find(record, { person: '', mailbox: '' }));
  const result = await cancel(key, 'the merchant asks', cancellation);
  if (cancellation) return [result];
  assert.deepEqual(obstacles?.cancel, result.ok ? null : result.error, 'the obstacle shown before the action');
  return [result, (await bench.store.find({ merchantId: 'm', payoutId }))?.state];
}

it('a payout that waits for no approval cannot be cancelled by an approver', async () => {
  await bench.store.accept(await bench.newPayout('m', 'approved', 10n));
  assert.deepEqual(await cancel('approved', undefined, { onlyWaiting: true }), [{ ok: false, error: 'not_waiting' }]);
});

it('a payout that no bank received can be cancelled', async () => {
  await bench.store.accept(await bench.newPayout('m', 'unreported', 10n));
  assert.deepEqual(await cancel('unreported'), [{ ok: true, value: 'cancelled' }, 'blocked']);
});

it('the cancellation of an unknown payout of an unknown merchant is rejected', async () => {
  const payoutRecords = createPayoutRecordStore(bench.database);
  const settle = () => assert.fail('an unknown payout is not reported');
  const around = { recovery: async () => undefined, rails: RAILS, clock: bench.clock };
  const cancel = withParts(cancelPayout, { payoutRecords, settle, ...around });
  const result = await cancel({ merchantId: 'nobody', payoutId: 'none' }, 'a slip');
  assert.deepEqual(result, { ok: false, error: 'payout_not_found' });
});

it('the cancellation of a queued payout that an earlier rail executed is rejected', async () => {
  await bench.store.accept(await bench.newPayout('m', 'paid', 10n));
  await bench.attempt('m', 'paid');
  await bench.owner.query(
    `update payout_jobs set stage = 'queued', paid_by = 'an_earlier_rail' where payout_id = 'paid'`,
  );
  assert.deepEqual(await cancel('paid'), [{ ok: false, error: 'already_sent' }, 'pending']);
});

it('the cancellation of a payout is rejected while the gateway recovers from a restore', async () => {
  await bench.store.accept(await bench.newPayout('m', 'unasked', 10n));
  const at = bench.clock.now();
  const recovery = {
    startedAt: at,
    knownUntil: at,
    startedBy: 'Ann',
    reason: 'a dead disk',
    completed: null,
    rails: [],
  };
  assert.deepEqual(await cancel('unasked', recovery), [{ ok: false, error: 'recovering' }, 'pending']);
});

it('the cancellation of a payout is rejected after a completed recovery while a bank must still be queried', async () => {
  await bench.store.accept(await bench.newPayout('m', 'asked-later', 10n));
  const at = bench.clock.now();
  const completed = { at, by: 'Ann' };
  const asked = { ...completed, forcedBecause: 'no answers', asksUntil: at + 1_000 };
  const recovery = {
    startedAt: at,
    knownUntil: at,
    startedBy: 'Ann',
    reason: 'a dead disk',
    completed,
    rails: [{ rail: 'a_rail', comparedAt: null, completed: asked }],
  };
  assert.deepEqual(await cancel('asked-later', recovery), [{ ok: false, error: 'recovering' }, 'pending']);
  await bench.owner.query(
    `update payout_jobs set asked_at = now() + interval '100 years' where payout_id = 'asked-later'`,
  );
  assert.deepEqual(await cancel('asked-later', recovery), [{ ok: true, value: 'cancelled' }, 'blocked']);
});
