import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../../foundation/clock.ts';
import { createAdmission, type TrafficClass } from './admission.ts';

describe('the admission of requests', () => {
  function open(limits = { inFlight: { merchants: 2, payers: 1 }, arriving: 3 }) {
    const rejected: object[] = [];
    const admission = createAdmission<object>((request) => rejected.push(request), limits);
    /** Begins a complete request; undefined if it is rejected. */
    const begin = (trafficClass: TrafficClass = 'merchants') => {
      const request = {};
      if (!admission.enter(request, trafficClass)) return undefined;
      admission.arrived(request);
      return request;
    };
    return { admission, begin, rejected };
  }

  it('admission rejects a request above the limit until an earlier request is complete', () => {
    const { admission, begin } = open();
    const first = begin();
    assert.ok(first && begin());
    assert.equal(begin(), undefined);
    admission.leave(first);
    assert.ok(begin());
    assert.equal(begin(), undefined);
  });

  it('admission counts payers apart from merchants, and does not count unlimited requests', () => {
    const { begin } = open();
    assert.ok(begin() && begin());
    assert.ok(begin('payers'));
    assert.equal(begin('payers'), undefined);
    for (let more = 0; more < 10; more += 1) assert.ok(begin('unlimited'));
  });

  it('admission drops the request that has been arriving longest, and does not count arriving requests as in flight', () => {
    const { admission, begin, rejected } = open();
    const slow = Array.from({ length: 5 }, () => ({}));
    for (const request of slow) assert.ok(admission.enter(request, 'merchants'));
    assert.deepEqual(rejected, slow.slice(0, 2));
    assert.ok(rejected.every((request, at) => request === slow[at]));
    assert.ok(begin() && begin());
  });

  it('admission frees the slot of a client that disconnects before its request arrived', () => {
    const { admission, rejected } = open();
    for (let at = 0; at < 10; at += 1) {
      const request = {};
      admission.enter(request, 'merchants');
      admission.leave(request);
      admission.arrived(request);
    }
    assert.deepEqual(rejected, []);
    assert.ok(admission.enter({}, 'merchants'));
  });

  it('admission does not count a request during an external wait, even if the wait fails', async () => {
    const clock = createManualClock(0);
    const { admission, begin } = open();
    assert.ok(begin() && begin());
    const asleep = admission.sleepingAside(clock).sleep(100);
    const failing = admission.aside(() => Promise.reject(new Error('away'))).catch(() => {});
    assert.ok(begin());
    await failing;
    assert.equal(begin(), undefined);
    clock.advance(100);
    await asleep;
    assert.equal(begin(), undefined);
  });
});
