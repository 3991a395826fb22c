import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { equalInConstantTime, Secret } from './secret.ts';

describe('a secret', () => {
  const secret = new Secret('hush-4111');

  it('a secret prints [secret] in every conversion to text', () => {
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

  it('a secret returns its value only through reveal', () => {
    assert.equal(secret.reveal(), 'hush-4111');
  });
});

describe('equalInConstantTime', () => {
  it('equalInConstantTime is true for equal strings only, whatever their lengths', () => {
    assert.ok(equalInConstantTime('a', 'a'));
    assert.ok(!equalInConstantTime('a', 'b'));
    assert.ok(!equalInConstantTime('a', 'aa'));
    assert.ok(!equalInConstantTime('', 'a'));
  });
});
