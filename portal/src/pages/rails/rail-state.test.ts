import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Volume } from '../../../../gateway/contract/endpoints/ledger.ts';
import type { Rail } from '../../../../gateway/contract/endpoints/rails.ts';
import { figuresOf, railStateOf } from './rail-state.ts';

const rail = (change: Partial<Rail>): Rail => ({
  name: 'a',
  methods: [1],
  purposes: ['payout'],
  simulated: true,
  notifies: false,
  hours: null,
  pause: null,
  workers: [{ breaker: 'closed', inFlight: 2 }],
  floats: [],
  ...change,
});

describe('the state of a rail', () => {
  it('the portal shows a rail as paused rather than down, and as down if any worker’s breaker is open', () => {
    const open = { breaker: 'open', inFlight: 0 } as const;
    const closed = { breaker: 'closed', inFlight: 0 } as const;
    const pause = { reason: 'x', since: '2026-11-23T10:00:00.000Z' };
    assert.equal(railStateOf(rail({ pause, workers: [open] })), 'paused');
    assert.equal(railStateOf(rail({ workers: [closed, open] })), 'down');
    assert.equal(railStateOf(rail({ workers: [closed, { breaker: 'half_open', inFlight: 1 }] })), 'probing');
    assert.equal(railStateOf(rail({})), 'up');
  });

  it('the portal shows a payout rail without a worker as unattended, and a rail without payouts as collecting', () => {
    assert.equal(railStateOf(rail({ workers: [] })), 'unattended');
    assert.equal(railStateOf(rail({ workers: [], methods: [], purposes: [] })), 'collecting');
  });

  it('the success rate and the median of a rail count its payouts of all currencies', () => {
    const volume = (change: Partial<Volume>): Volume => ({
      start: '2026-11-23T10:00:00.000Z',
      flow: 'payout',
      method: '1',
      rail: 'a',
      currency: 'EUR',
      state: 'success',
      payments: 3,
      amount: '1.00',
      fee: '0.00',
      waits: [3, 0],
      halfMs: null,
      mostMs: null,
      ...change,
    });
    const volumes = [
      volume({}),
      volume({ currency: 'UAH', state: 'blocked', payments: 1, waits: [0, 1] }),
      volume({ rail: 'b' }),
    ];
    assert.deepEqual(figuresOf('a', volumes, [1_000]), { results: 4, successRate: 75, medianMs: 1_000 });
    assert.deepEqual(figuresOf('c', volumes, [1_000]), { results: 0, successRate: null, medianMs: null });
  });
});
