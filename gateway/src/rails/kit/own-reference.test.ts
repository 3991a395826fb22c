import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isOwnReference, isPayoutReference, withDash, withoutDash } from './own-reference.ts';

const ofPayouts = fc.stringMatching(/^P[0-9A-F]{28}$/);
const ofAttempts = fc.stringMatching(/^\d{1,16}-[A-Za-z0-9]{8}$/);
const references = fc.oneof(ofPayouts, ofAttempts);

describe('a reference of ours', () => {
  it('a reference of ours is recognised and is restored after a provider removed its dash', () => {
    fc.assert(
      fc.property(
        references,
        (reference) => isOwnReference(reference) && withDash(withoutDash(reference)) === reference,
      ),
    );
  });

  it('a reference belongs to a payout or to an attempt, never to both', () => {
    fc.assert(fc.property(ofPayouts, (reference) => isPayoutReference(reference)));
    fc.assert(
      fc.property(
        ofAttempts,
        (reference) => !isPayoutReference(reference) && !isPayoutReference(withoutDash(reference)),
      ),
    );
  });

  for (const text of [
    'P0123456789ABCDEF0123456789A',
    'P0123456789ABCDEF0123456789ab',
    'P0123456789ABCDEF0123456789ABCDE',
    '',
    '17',
    '17-AbCd123',
    '17-AbCd12345',
    '12345678901234567-AbCd1234',
    '17-AbCd123é',
    '17 AbCd1234',
  ]) {
    it(`the string ${JSON.stringify(text)} is rejected as a reference`, () => {
      assert.equal(isOwnReference(text), false);
      assert.throws(() => withoutDash(text));
    });
  }
});
