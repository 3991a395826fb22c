import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Volume } from '../../../../gateway/contract/endpoints/ledger.ts';
import { currenciesOf, medianWaitOf, paidOf, perDay, successRateOf } from './volumes.ts';

const volume = (change: Partial<Volume>): Volume => ({
  start: '2026-11-23T10:00:00.000Z',
  flow: 'payout',
  method: '1',
  rail: 'a',
  currency: 'EUR',
  state: 'success',
  payments: 1,
  amount: '10.00',
  fee: '0.00',
  waits: [1, 0, 0],
  halfMs: null,
  mostMs: null,
  ...change,
});

describe('the figures of the home page', () => {
  it('only successful payments of the flow and the currency are treated as paid', () => {
    const volumes = [
      volume({}),
      volume({ amount: '0.05', rail: 'b' }),
      volume({ state: 'blocked' }),
      volume({ currency: 'USD' }),
      volume({ flow: 'deposit' }),
    ];
    assert.equal(paidOf(volumes, 'payout', 'EUR'), '10.05');
    assert.equal(paidOf(volumes, 'deposit', 'EUR'), '10.00');
    assert.equal(paidOf([], 'deposit', 'EUR'), '0.00');
  });

  it('the success rate ignores payouts without a result', () => {
    const volumes = [volume({ payments: 2 }), volume({ state: 'blocked' }), volume({ state: 'accepted', payments: 9 })];
    assert.equal(successRateOf(volumes, 'EUR'), 66.7);
    assert.equal(successRateOf([volume({ state: 'accepted' })], 'EUR'), null);
  });

  it('the median duration is the upper bound of the bucket that contains the median', () => {
    const volumes = [volume({ waits: [1, 1, 1] }), volume({ waits: [0, 2, 0] })];
    assert.equal(medianWaitOf(volumes, [1_000, 5_000], 'EUR'), 5_000);
    assert.equal(medianWaitOf([volume({ waits: [0, 0, 3] })], [1_000, 5_000], 'EUR'), Number.POSITIVE_INFINITY);
    assert.equal(medianWaitOf([], [1_000, 5_000], 'EUR'), null);
  });

  it('the volume of a day is the sum of its hours', () => {
    const volumes = [volume({}), volume({ start: '2026-11-22T23:00:00.000Z', amount: '1.50' })];
    assert.deepEqual(perDay(volumes, 'payout', 'EUR', ['2026-11-21', '2026-11-22', '2026-11-23']), [
      '0.00',
      '1.50',
      '10.00',
    ]);
  });

  it('the currency with the most payments is listed first', () => {
    const volumes = [volume({ currency: 'AZN' }), volume({ payments: 5 }), volume({ currency: 'USD', payments: 3 })];
    assert.deepEqual(currenciesOf(volumes), ['EUR', 'USD', 'AZN']);
  });
});
