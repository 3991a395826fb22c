import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { numericReferenceOf, referenceOf, trackingKeyOf } from './reference.ts';

const older = fc
  .tuple(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), fc.stringMatching(/^[A-Za-z0-9]{8}$/))
  .map(([transactionId, random]) => `${transactionId}-${random}`);
const references = fc.oneof(older, fc.stringMatching(/^P[0-9A-F]{28}$/));

describe('references of STP orders', () => {
  it('an STP order reference becomes a claveRastreo of letters and digits and is read back from it', () => {
    fc.assert(
      fc.property(references, (reference) => {
        const trackingKey = trackingKeyOf(reference);
        assert.match(trackingKey, /^[A-Za-z0-9]{9,30}$/);
        assert.equal(referenceOf(trackingKey), reference);
        assert.match(numericReferenceOf(reference), /^[1-9]\d{0,6}$/);
      }),
    );
  });

  it('an STP order reference that ends in digits is read back with its dash', () => {
    assert.equal(referenceOf('1712345678'), '17-12345678');
  });

  it('a claveRastreo that no order of ours can have is not read as a reference', () => {
    for (const key of [
      '',
      '12345678',
      'BNET01002611200012345678',
      'A1234567B',
      '17-12345678',
      `${'1'.repeat(17)}abcdefgh`,
    ]) {
      assert.equal(referenceOf(key), undefined, key);
    }
  });

  it('a reference in an unknown form throws instead of becoming a claveRastreo', () => {
    for (const reference of ['', '17', 'p1', '17-1234567', '17-1234567!'])
      assert.throws(() => trackingKeyOf(reference));
  });
});
