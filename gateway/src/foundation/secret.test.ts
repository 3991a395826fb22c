import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { equalInConstantTime, Secret } from './secret.ts';

describe('a secret', () => {
  const secret = new Secret('hush-4111');

  it('shows itself on no road to text', () => {
    const roads = [
      String(secret),
      `${secret}`,
      JSON.stringify({ secret }),
      inspect(secret),
      inspect({ deep: [secret] }, { depth: 9, showHidden: true }),
      Object.values(secret).join(),
      new Error(`with ${secret}`).message,
    ];
    for (const road of roads) assert.ok(!road.includes('hush'), road);
  });

  it('gives its value only when it is asked to reveal it', () => {
    assert.equal(secret.reveal(), 'hush-4111');
  });
});

describe('comparing in constant time', () => {
  it('finds equal texts equal and all others different, whatever their lengths', () => {
    assert.ok(equalInConstantTime('a', 'a'));
    assert.ok(!equalInConstantTime('a', 'b'));
    assert.ok(!equalInConstantTime('a', 'aa'));
    assert.ok(!equalInConstantTime('', 'a'));
  });
});
