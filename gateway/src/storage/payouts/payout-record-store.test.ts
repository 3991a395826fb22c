import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { NOON, openPayoutBench, type PayoutBench } from '../../../test/support/stored-payouts.ts';
import type { PayoutSearch } from '../../domain/payouts/payout-record.ts';
import { MINUTE_MS } from '../../foundation/clock.ts';
import type { Currency } from '../../foundation/currency.ts';
import { createPayoutRecordStore } from './payout-record-store.ts';

let bench: PayoutBench;
before(async () => {
  bench = await openPayoutBench();
  for (const merchantId of ['A', 'B']) {
    await bench.owner.query(
      `insert into merchants values ($1, '', null, null, null, null, null, null, 'test', '{}', now())`,
      [merchantId],
    );
    for (const currency of ['EUR', 'USD'] as const) await bench.fund(merchantId, 1_000n, currency);
  }
  const turns = ['A EUR', 'B USD', 'A USD', 'B EUR', 'A EUR'] as const;
  for (const [index, turn] of turns.entries()) {
    const [merchantId = '', currency] = turn.split(' ');
    const money = { currency: currency as Currency, minor: 10n };
    const acceptedAt = NOON + index * MINUTE_MS;
    const rail = index === 3 ? 'other_rail' : 'a_rail';
    const change = { money, acceptedAt, rail };
    assert.equal(
      (await bench.store.accept(await bench.newPayout(merchantId, `p${index}`, 10n, change))).kind,
      'created',
    );
  }
  await bench.owner.query(`delete from payout_jobs where payout_id in ('p0', 'p3')`);
  await bench.owner.query(`update payouts set state = 'success', finished_at = now() where payout_id in ('p0', 'p3')`);
});
after(() => bench.close());

async function found(change: Partial<PayoutSearch> = {}): Promise<string[]> {
  const search = { merchantId: null, state: null, rail: null, limit: 10, ...change };
  return (await createPayoutRecordStore(bench.database).search(search)).map(({ payoutId }) => payoutId);
}

describe('an operator’s search for payouts', () => {
  it('an operator’s search for payouts covers all merchants and currencies, newest first, up to the limit', async () => {
    assert.deepEqual(await found(), ['p4', 'p3', 'p2', 'p1', 'p0']);
    assert.deepEqual(await found({ limit: 2 }), ['p4', 'p3']);
  });

  it('an operator’s search for payouts filters by merchant, state and rail', async () => {
    assert.deepEqual(await found({ merchantId: 'A' }), ['p4', 'p2', 'p0']);
    assert.deepEqual(await found({ state: 'success' }), ['p3', 'p0']);
    assert.deepEqual(await found({ state: 'pending' }), ['p4', 'p2', 'p1']);
    assert.deepEqual(await found({ state: 'pending', merchantId: 'B' }), ['p1']);
    assert.deepEqual(await found({ rail: 'other_rail' }), ['p3']);
    assert.deepEqual(await found({ rail: 'other_rail', state: 'blocked' }), []);
  });
});
