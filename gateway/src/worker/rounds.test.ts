import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createManualClock } from '../foundation/clock.ts';
import { createRounds } from './rounds.ts';

/** Rounds with scripted responses, in order. After the last response a round does not find anything to do. */
function stage(...answers: (() => Promise<boolean>)[]) {
  const clock = createManualClock(0);
  const failures: unknown[] = [];
  let begun = 0;
  const rounds = createRounds({
    clock,
    round: () => answers[begun++]?.() ?? Promise.resolve(false),
    onFailed: (error) => failures.push(error),
  });
  return { clock, rounds, failures, begun: () => begun };
}

const more = async () => true;
const nothing = async () => false;
const failing = async () => Promise.reject(new Error('no database'));

describe('the rounds of a worker', () => {
  it('a worker begins its next round immediately while work is due, and otherwise after a pause', async () => {
    const { clock, rounds, begun } = stage(more, more, nothing);
    rounds.start();
    await turn();
    assert.equal(begun(), 3);
    clock.advance(249);
    await turn();
    assert.equal(begun(), 3);
    clock.advance(1);
    await turn();
    assert.equal(begun(), 4);
    await rounds.stop();
  });

  it('a nudge makes a worker skip its pause, even a nudge during the round', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const { rounds, begun } = stage(nothing, () => promise);
    rounds.start();
    await turn();
    rounds.nudge();
    await turn();
    assert.equal(begun(), 2);
    rounds.nudge();
    resolve(false);
    await turn();
    assert.equal(begun(), 3);
    await rounds.stop();
  });

  it('a worker pauses for a second after a failed round, even if nudges arrive during the pause', async () => {
    const { promise, reject } = Promise.withResolvers<boolean>();
    const { clock, rounds, failures, begun } = stage(() => promise);
    rounds.start();
    rounds.nudge();
    reject(new Error('no database'));
    await turn();
    clock.advance(999);
    await turn();
    assert.deepEqual([begun(), failures.length], [1, 1]);
    clock.advance(1);
    await turn();
    assert.equal(begun(), 2);
    await rounds.stop();
  });

  it('a worker that stops finishes its current round and does not begin another', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const { rounds, begun } = stage(() => promise, failing);
    rounds.start();
    let ended = false;
    const stopped = rounds.stop().then(() => {
      ended = true;
    });
    await turn();
    assert.deepEqual([ended, rounds.isStopping()], [false, true]);
    resolve(true);
    await stopped;
    assert.equal(begun(), 1);
  });
});
