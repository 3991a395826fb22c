import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gatherLookups } from './gather-lookups.ts';

/** Lookups that the test ends by hand, in order. */
function open() {
  const asked: (readonly string[])[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const lookUp = gatherLookups<string, string>((keys) => {
    asked.push(keys);
    return new Promise((resolve, reject) => {
      ends.push((error) => (error ? reject(error) : resolve(new Map(keys.map((key) => [key, `of ${key}`])))));
    });
  });
  const aTurn = () => new Promise(setImmediate);
  return { asked, ends, lookUp, aTurn };
}

describe('combined lookups', () => {
  it('lookups that arrive during another lookup share the next lookup', async () => {
    const { asked, ends, lookUp, aTurn } = open();
    const first = lookUp('a');
    await aTurn();
    const others = [lookUp('b'), lookUp('c')];
    await aTurn();
    assert.deepEqual(asked, [['a']]);
    ends[0]?.();
    assert.equal(await first, 'of a');
    await aTurn();
    assert.deepEqual(asked, [['a'], ['b', 'c']]);
    ends[1]?.();
    assert.deepEqual(await Promise.all(others), ['of b', 'of c']);
  });

  it('a failed lookup rejects only its own callers', async () => {
    const { ends, lookUp, aTurn } = open();
    const first = lookUp('a');
    await aTurn();
    const second = lookUp('b');
    ends[0]?.(new Error('lost'));
    await assert.rejects(first, /lost/);
    await aTurn();
    ends[1]?.();
    assert.equal(await second, 'of b');
  });
});
