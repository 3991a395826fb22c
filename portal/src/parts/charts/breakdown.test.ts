import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Volume } from '../../../../gateway/contract/endpoints/ledger.ts';
import { endedWithin, groupsOf, sharesOf } from './breakdown.ts';

const volume = (rail: string, payments: number, waits: number[] = []): Volume => ({
  start: '2026-11-23T00:00:00.000Z',
  flow: 'payout',
  method: '1',
  rail,
  currency: 'EUR',
  state: 'success',
  payments,
  amount: '10.00',
  fee: '0.00',
  waits,
  halfMs: null,
  mostMs: null,
});

describe('volumes by rail', () => {
  it('the chart of volumes lists up to six rails, and combines the smallest if there are more', () => {
    const volumes = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((rail, index) => volume(rail, 10 - index));
    assert.deepEqual(
      groupsOf(volumes, 'rail').map(({ key }) => key),
      ['a', 'b', 'c', 'd', 'e', null],
    );
    assert.equal(groupsOf(volumes, 'rail').at(-1)?.volumes.length, 2);
    assert.equal(groupsOf(volumes.slice(0, 6), 'rail').length, 6);
  });

  it('volumes by rail show the share of each range of durations, and omit empty ranges', () => {
    const shares = sharesOf([volume('a', 3, [2, 0, 1]), volume('b', 1, [1, 0, 0])], [1_000, 5_000]);
    assert.deepEqual(shares, [
      { withinMs: 1_000, payments: 3 },
      { withinMs: Number.POSITIVE_INFINITY, payments: 1 },
    ]);
  });

  it('volumes by rail include the median and the 95th percentile of the duration', () => {
    const shares = [
      { withinMs: 1_000, payments: 50 },
      { withinMs: 5_000, payments: 45 },
      { withinMs: Number.POSITIVE_INFINITY, payments: 5 },
    ];
    assert.deepEqual([endedWithin(shares, 0.5), endedWithin(shares, 0.95)], [1_000, 5_000]);
    assert.equal(endedWithin(shares, 0.96), Number.POSITIVE_INFINITY);
    assert.equal(endedWithin([], 0.5), null);
  });
});
