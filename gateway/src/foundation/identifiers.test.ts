import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isId, isIdOfOne } from './identifiers.ts';

it('isIdOfOne accepts any identifier except 0, which a list request uses for all transactions', () => {
  for (const text of ['A17', '00', '1', 'a.b_c-d', 'x'.repeat(64)]) assert.equal(isIdOfOne(text), true, text);
  for (const text of ['0', '', 'a/b', 'a b', 'ä', 'a\n', '٣', 'x'.repeat(65)])
    assert.equal(isIdOfOne(text), false, text);
  assert.equal(isId('0'), true);
});
