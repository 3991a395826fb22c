import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../../foundation/clock.ts';
import { withParts } from '../../foundation/with-parts.ts';
import type { DifferenceKey } from '../differences/difference.ts';
import { resolveDifference } from '../differences/resolve-difference.ts';
import { type OperatorWord, wordsFault } from './act-words.ts';

const NOTHING_SAID = ['', ' ', '\n\t'];
const THE_GATEWAY = ['gateway', ' gateway', 'Gateway'];

function reasonFor(word: OperatorWord, text: string): string | undefined {
  const fault = wordsFault({ [word]: text });
  assert.ok(fault === undefined || fault.word === word);
  return fault?.reason;
}

describe('the texts that an operator enters for a record', () => {
  it('a record with an empty name, reason, evidence or note is rejected', () => {
    for (const word of ['by', 'reason', 'evidence', 'note'] as const) {
      for (const text of NOTHING_SAID) assert.equal(reasonFor(word, text), 'is empty');
      assert.equal(reasonFor(word, 'Ann, by telephone'), undefined);
    }
  });

  it('an action that gives the gateway as its author is rejected', () => {
    for (const text of THE_GATEWAY) assert.match(String(reasonFor('by', text)), /^must name a user/);
    assert.equal(reasonFor('note', 'gateway'), undefined);
    assert.equal(reasonFor('by', 'Ann of gateway'), undefined);
  });

  it('a difference cannot be resolved without a user’s name and a note', async () => {
    const resolved: string[] = [];
    const differences = { resolve: async (_key: DifferenceKey, by: string) => resolved.push(by) > 0 };
    const resolve = withParts(resolveDifference, { differences, clock: createManualClock(0) });
    const key = { rail: 'bank', day: '2026-11-20', kind: 'amount', subject: 'X' } as const;
    for (const by of [...NOTHING_SAID, ...THE_GATEWAY]) assert.ok(!(await resolve(key, by, 'a typo')).ok, by);
    assert.ok(!(await resolve(key, 'Ann', ' ')).ok);
    assert.deepEqual([await resolve(key, 'Ann', 'a typo'), resolved], [{ ok: true, value: 'resolved' }, ['Ann']]);
  });
});
