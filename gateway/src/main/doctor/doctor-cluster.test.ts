import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examineCluster } from './doctor-cluster.ts';

const WHOLE = { version: '12.1-1', workers: ['w1:5432', 'w2:5432'], unreachable: [], undistributed: [] };

describe('the doctor’s examination of a cluster', () => {
  it('the doctor reports no problem in a cluster whose workers are reachable', () => {
    const { ok, found } = examineCluster(WHOLE);
    assert.deepEqual([ok, found], [true, 'Citus 12.1-1 with 2 workers, and all of them are reachable']);
  });

  it('the doctor reports an unreachable cluster worker and its effect', () => {
    const { ok, found } = examineCluster({ ...WHOLE, unreachable: ['w2:5432'] });
    assert.equal(ok, false);
    assert.match(found, /no connection to w2:5432: .* no payout or callback is sent/);
  });

  it('the doctor lists the tables that are not distributed', () => {
    const { ok, found, remedy } = examineCluster({ ...WHOLE, undistributed: ['payouts', 'callbacks'] });
    assert.deepEqual([ok, found], [false, 'not distributed: payouts, callbacks']);
    assert.match(remedy, /gateway migrate/);
  });
});
