import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isOwnReference, withDash, withoutDash } from './own-reference.ts';

const references = fc.stringMatching(/^\d{1,16}-[A-Za-z0-9]{8}$/);

describe('a reference of ours', () => {
  it('is known, and comes back from where no dash may be', () => {
    fc.assert(
      fc.property(
        references,
        (reference) => isOwnReference(reference) && withDash(withoutDash(reference)) === reference,
      ),
    );
  });

  for (const text of [
    '',
    '17',
    '17-AbCd123',
    '17-AbCd12345',
    '12345678901234567-AbCd1234',
    '17-AbCd123é',
    '17 AbCd1234',
  ]) {
    it(`is not ${JSON.stringify(text)}`, () => {
      assert.equal(isOwnReference(text), false);
      assert.throws(() => withoutDash(text));
    });
  }
});
