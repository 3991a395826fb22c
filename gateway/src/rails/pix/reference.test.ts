import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { identifierOf, referenceOf } from './reference.ts';

const ofAttempts = fc
  .tuple(fc.stringMatching(/^\d{1,16}$/), fc.stringMatching(/^[A-Za-z0-9]{8}$/))
  .map(([digits, letters]) => `${digits}-${letters}`);
const references = fc.oneof(ofAttempts, fc.stringMatching(/^P[0-9A-F]{28}$/));

describe('our identifiers at the Pix bank', () => {
  it('a Pix identifier is a valid txid, from which its reference can be read', () => {
    fc.assert(
      fc.property(references, (reference) => {
        const identifier = identifierOf(reference);
        assert.match(identifier, /^[a-zA-Z0-9]{26,35}$/);
        assert.equal(referenceOf(identifier), reference);
      }),
    );
  });

  it('two references never have the same Pix identifier', () => {
    fc.assert(
      fc.property(references, references, (one, other) => {
        assert.equal(identifierOf(one) === identifierOf(other), one === other);
      }),
    );
  });

  for (const foreign of [
    '',
    '7978c0c97ea847e78e8849634473c1f1',
    'GWxxxxxxxxxxxx1001abcdEFG',
    'GWxxxxxxxxxxxx1001abcdEFGHI',
    'GW1xxxxxxxxxxx1001abcdEFGH',
    'GWxxxxxxxxxxxxxxxxabcdEFGH',
  ])
    it(`the string ${foreign || '“”'} is not read as one of our Pix identifiers`, () =>
      assert.equal(referenceOf(foreign), undefined));

  it('an invalid reference does not get a Pix identifier', () => assert.throws(() => identifierOf('1001-abc')));
});
