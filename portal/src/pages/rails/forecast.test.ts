import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Volume } from '../../../../gateway/contract/endpoints/ledger.ts';
import { daysOf, FORECAST_HOURS, forecastOf, inADay } from './forecast.ts';

const NOW = Date.parse('2026-11-26T10:20:00.000Z');
const volume = (start: string, change: Partial<Volume> = {}): Volume => ({
  start,
  flow: 'payout',
  method: '1',
  rail: 'a',
  currency: 'EUR',
  state: 'success',
  payments: 1,
  amount: '60.00',
  fee: '0.00',
  waits: [],
  halfMs: null,
  mostMs: null,
  ...change,
});

describe('the forecast of a prefunded balance', () => {
  it('the forecast gives the hour in which the balance is empty', () => {
    const volumes = [
      volume('2026-11-19T10:00:00.000Z'),
      volume('2026-11-20T10:00:00.000Z', { flow: 'refund' }),
      volume('2026-11-19T11:00:00.000Z', { state: 'blocked' }),
      volume('2026-11-19T11:00:00.000Z', { flow: 'deposit' }),
      volume('2026-11-19T11:00:00.000Z', { currency: 'UAH' }),
    ];
    const { hours, emptyAt, perDay } = forecastOf('100.00', 'EUR', volumes, NOW);
    assert.deepEqual([perDay, daysOf('100.00', perDay), daysOf('1000.00', perDay)], [120 / 7, '5.8', '58']);
    assert.deepEqual(
      [hours.length, hours[0], hours[23]?.balance, hours[24]?.balance],
      [FORECAST_HOURS, { at: '2026-11-26T11:00:00.000Z', balance: 40 }, 40, 0],
    );
    assert.equal(emptyAt, '2026-11-27T11:00:00.000Z');
  });

  it('the expected balance in a day subtracts the payouts of the same weekday last week, down to zero', () => {
    const spent = [
      volume('2026-11-19T00:00:00.000Z', { amount: '60.50' }),
      volume('2026-11-19T00:00:00.000Z', { flow: 'deposit' }),
      volume('2026-11-19T00:00:00.000Z', { state: 'blocked' }),
      volume('2026-11-19T00:00:00.000Z', { currency: 'UAH' }),
    ];
    assert.deepEqual([inADay('100.00', 'EUR', spent), inADay('50.00', 'EUR', spent)], ['39.50', '0.00']);
  });

  it('the float forecast never reaches zero when no money is spent', () => {
    const { emptyAt, perDay } = forecastOf('100.00', 'EUR', [], NOW);
    assert.deepEqual([emptyAt, daysOf('100.00', perDay)], [null, undefined]);
  });
});
