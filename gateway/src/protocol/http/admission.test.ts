import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../../foundation/clock.ts';
import { createAdmission, type TrafficClass } from './admission.ts';

describe('the admission of requests', () => {
  function open(limits = { underWay: { merchants: 2, payers: 1 }, arriving: 3 }) {
    const givenUp: object[] = [];
    const admission = createAdmission<object>((request) => givenUp.push(request), limits);
    /** A request that is here whole, or undefined where it was refused. */
    const begin = (trafficClass: TrafficClass = 'merchants') => {
      const request = {};
      if (!admission.enter(request, trafficClass)) return undefined;
      admission.arrived(request);
      return request;
    };
    return { admission, begin, givenUp };
  }

  it('takes on so many and refuses the next until one has its answer', () => {
    const { admission, begin } = open();
    const first = begin();
    assert.ok(first && begin());
    assert.equal(begin(), undefined);
    admission.leave(first);
    assert.ok(begin());
    assert.equal(begin(), undefined);
  });

  it('counts payers apart from merchants, and what is unlimited not at all', () => {
    const { begin } = open();
    assert.ok(begin() && begin());
    assert.ok(begin('payers'));
    assert.equal(begin('payers'), undefined);
    for (let more = 0; more < 10; more += 1) assert.ok(begin('unlimited'));
  });

  it('does not count what is still coming in, and gives up what has been coming for longest', () => {
    const { admission, begin, givenUp } = open();
    const slow = Array.from({ length: 5 }, () => ({}));
    for (const request of slow) assert.ok(admission.enter(request, 'merchants'));
    assert.deepEqual(givenUp, slow.slice(0, 2));
    assert.ok(givenUp.every((request, at) => request === slow[at]));
    assert.ok(begin() && begin());
  });

  it('forgets who leaves before all of it is here', () => {
    const { admission, givenUp } = open();
    for (let at = 0; at < 10; at += 1) {
      const request = {};
      admission.enter(request, 'merchants');
      admission.leave(request);
      admission.arrived(request);
    }
    assert.deepEqual(givenUp, []);
    assert.ok(admission.enter({}, 'merchants'));
  });

  it('does not count a request while it waits for somebody else, however the wait ends', async () => {
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
