import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { firstStepsOf } from './first-steps.ts';

const NEW = { people: 1, merchants: 0, rails: 0, payouts: 0, callbacks: 0 };
const doneOf = (counts: typeof NEW) => firstStepsOf(counts).flatMap(({ name, isDone }) => (isDone ? [name] : []));

describe('the first steps of an installation', () => {
  it('no setup step is done directly after the installation, when its administrator is the only user', () => {
    assert.deepEqual(doneOf(NEW), []);
  });

  it('a first step of an installation is done as soon as its object exists', () => {
    assert.deepEqual(doneOf({ ...NEW, people: 2, merchants: 1 }), ['people', 'merchant']);
    assert.deepEqual(doneOf({ people: 3, merchants: 2, rails: 1, payouts: 1, callbacks: 1 }).length, 5);
  });
});
