import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dueCallback } from '../../../test/support/payouts/due-callback.ts';
import type { Callback } from '../../domain/callbacks/callback.ts';
import { OPENS_AFTER } from '../../domain/callbacks/plan-delivery.ts';
import {
  beginDelivery,
  beginPoll,
  breakerAtRelease,
  endDelivery,
  endPoll,
  enqueue,
  type HeldLane,
  holdLane,
  type LaneConditions,
  type LaneStep,
  laneStep,
  PAGE,
  POLL_EVERY_MS,
} from './held-lane.ts';

const CLAIMED_AT = 1_000_000;
const SEND_UNTIL = CLAIMED_AT + 40_000;
const CONDITIONS: LaneConditions = { now: CLAIMED_AT, isStopping: false, mayLinger: true, widest: 8 };

const callback = (callbackId: string, dueAt = CLAIMED_AT) => dueCallback({ callbackId, createdAt: dueAt });

function laneWith(due: readonly Callback[], change: Partial<HeldLane> = {}): HeldLane {
  const breaker = { failures: 0, pausedUntil: null };
  const claimed = { merchantId: 'M1', fence: 7, leaseUntil: CLAIMED_AT + 60_000, breaker, due };
  return Object.assign(holdLane(claimed, SEND_UNTIL, false, CLAIMED_AT), change);
}

describe('the next step of a held callback lane', () => {
  const DUE = [callback('one')];
  const steps: readonly (readonly [string, HeldLane, Partial<LaneConditions>, LaneStep])[] = [
    ['sends while a callback is queued and fewer attempts are open than its width', laneWith(DUE), {}, 'send'],
    ['waits while the width is used up', laneWith(DUE, { onWire: 1, inFlight: 1 }), {}, 'wait'],
    ['is released while empty', laneWith([]), {}, 'release'],
    ['waits for a pending outcome before its release', laneWith([], { inFlight: 1 }), {}, 'wait'],
    ['polls immediately if the claim may have missed callbacks', laneWith([], { mayHaveMore: true }), {}, 'poll'],
    [
      'does not poll while the width is used up',
      laneWith([], { mayHaveMore: true, onWire: 1, inFlight: 1 }),
      {},
      'wait',
    ],
    [
      'polls again after a pause while an outcome is pending',
      laneWith([], { inFlight: 1 }),
      { now: CLAIMED_AT + POLL_EVERY_MS },
      'poll',
    ],
    ['is kept for a moment after an attempt', laneWith([], { sent: 1 }), {}, 'wait'],
    ['is released when idle if lanes are scarce', laneWith([], { sent: 1 }), { mayLinger: false }, 'release'],
    [
      'is released once it was idle for one poll interval',
      laneWith([], { sent: 1 }),
      { now: CLAIMED_AT + POLL_EVERY_MS },
      'release',
    ],
    ['is released with its queue when the process stops', laneWith(DUE), { isStopping: true }, 'release'],
    ['is released with its queue when its lease ends soon', laneWith(DUE), { now: SEND_UNTIL }, 'release'],
    [
      'is released with its queue while the breaker pauses the merchant',
      laneWith(DUE, { breaker: { failures: OPENS_AFTER, pausedUntil: CLAIMED_AT + 1 } }),
      {},
      'release',
    ],
    ['is released with its queue after a problem', laneWith(DUE, { problem: new Error('lost') }), {}, 'release'],
    [
      'waits for the outcomes in flight after a problem',
      laneWith(DUE, { problem: new Error('lost'), inFlight: 2 }),
      {},
      'wait',
    ],
  ];
  for (const [title, lane, change, step] of steps) {
    it(`a held callback lane ${title}`, () => assert.equal(laneStep(lane, { ...CONDITIONS, ...change }), step));
  }
});

describe('the width of a held callback lane', () => {
  it('the width of a held callback lane doubles with each accepted callback', () => {
    const lane = laneWith([]);
    const widths = ['accepted', 'accepted', 'accepted', 'accepted', 'timed_out', 'accepted'].map((outcome) => {
      endDelivery(lane, outcome as 'accepted' | 'timed_out', false, CONDITIONS);
      return lane.width;
    });
    assert.deepEqual(widths, [2, 4, 8, 8, 1, 2]);
  });

  it('a held callback lane reports when the breaker pauses the merchant, and when an accepted probe resumes it', () => {
    const lane = laneWith([]);
    const changes = Array.from({ length: OPENS_AFTER }, () => endDelivery(lane, 'timed_out', false, CONDITIONS)?.kind);
    assert.deepEqual(changes, [...Array(OPENS_AFTER - 1).fill(undefined), 'lane_paused']);
    lane.breaker = { ...lane.breaker, pausedUntil: null };
    const wasProbe = beginDelivery(lane, CLAIMED_AT);
    assert.equal(wasProbe, true);
    assert.equal(endDelivery(lane, 'accepted', wasProbe, CONDITIONS)?.kind, 'lane_resumed');
  });
});

describe('the queue of a held callback lane', () => {
  it('a held callback lane attempts a callback once even if it is returned repeatedly', () => {
    const lane = laneWith([callback('one')]);
    assert.equal(enqueue(lane, callback('two')), true);
    const poll = beginPoll(lane, CLAIMED_AT + 300);
    endPoll(lane, [callback('one'), callback('two'), callback('three')], poll);
    assert.deepEqual(
      lane.queue.map(({ callbackId }) => callbackId),
      ['one', 'two', 'three'],
    );
  });

  it('a held callback lane skips a callback that it recorded during the current poll, until the next poll', () => {
    const lane = laneWith([callback('one')]);
    lane.queue.length = 0;
    const poll = beginPoll(lane, CLAIMED_AT + 300);
    lane.recorded.push('one');
    endPoll(lane, [callback('one')], poll);
    assert.deepEqual(lane.queue, []);
    beginPoll(lane, CLAIMED_AT + 600);
    assert.equal(lane.known.has('one'), false);
  });

  it('a held callback lane queues at most a full page and leaves later callbacks to the next poll', () => {
    const lane = laneWith(Array.from({ length: PAGE - 1 }, (_, index) => callback(`${index}`)));
    assert.equal(enqueue(lane, callback('last')), true);
    assert.equal(enqueue(lane, callback('one too many')), false);
  });
});

it('a worker that releases a lane after a problem pauses it, unless the breaker already pauses it longer', () => {
  const problem = new Error('the database is gone');
  const rested = breakerAtRelease(laneWith([], { problem }), CLAIMED_AT).pausedUntil ?? 0;
  assert.ok(rested > CLAIMED_AT);
  const breaker = { failures: OPENS_AFTER, pausedUntil: CLAIMED_AT + 600_000 };
  assert.deepEqual(breakerAtRelease(laneWith([], { problem, breaker }), CLAIMED_AT), breaker);
});
