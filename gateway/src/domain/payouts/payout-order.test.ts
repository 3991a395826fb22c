import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Secret } from '../../foundation/secret.ts';
import { type PayoutAtRail, payoutReference, readRemittance, referenceKeyFrom, remittanceOf } from './payout-order.ts';

const keys = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('base64'));
const id = fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/);
const payouts = fc.record({ rail: fc.stringMatching(/^[a-z-]{1,20}$/), merchantId: id, payoutId: id });

describe('a payout reference', () => {
  it('the reference of a given payout never changes, because banks store the references that were sent', () => {
    const key = referenceKeyFrom(new Secret(Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')));
    const payout = { rail: 'wayforpay', merchantId: 'M1VJDHSI6DYXS', payoutId: 'A17' };
    assert.equal(payoutReference(key, payout), 'PC4CF68702CC70431DE8862C180E1');
  });

  it('a payout reference is the same for the same payout, rail and key', () => {
    fc.assert(
      fc.property(keys, payouts, (key, payout) => {
        const reference = payoutReference(new Secret(key), payout);
        assert.match(reference, /^P[0-9A-F]{28}$/);
        assert.equal(payoutReference(new Secret(key), { ...payout }), reference);
      }),
    );
  });

  it('a payout reference differs for a different merchant, payout, rail or key', () => {
    const text = ({ rail, merchantId, payoutId }: PayoutAtRail) => [rail, merchantId, payoutId].join(' ');
    fc.assert(
      fc.property(keys, keys, payouts, payouts, (key, otherKey, one, other) => {
        const isSame = key === otherKey && text(one) === text(other);
        const references = [payoutReference(new Secret(key), one), payoutReference(new Secret(otherKey), other)];
        assert.equal(new Set(references).size, isSame ? 1 : 2);
      }),
    );
  });

  it('a payout reference differs when the same letters are split differently between merchant and payout', () => {
    const key = new Secret(Buffer.alloc(32, 7).toString('base64'));
    const one = payoutReference(key, { rail: 'a', merchantId: 'M1', payoutId: '2A' });
    assert.notEqual(one, payoutReference(key, { rail: 'a', merchantId: 'M12', payoutId: 'A' }));
    assert.notEqual(one, payoutReference(key, { rail: 'aM', merchantId: '1', payoutId: '2A' }));
  });

  it('the key of payout references follows from the key of the keyed hash, and differs from it', () => {
    fc.assert(
      fc.property(keys, (fingerprintKey) => {
        const key = referenceKeyFrom(new Secret(fingerprintKey)).reveal();
        assert.notEqual(key, fingerprintKey);
        assert.equal(key, referenceKeyFrom(new Secret(fingerprintKey)).reveal());
        assert.equal(Buffer.from(key, 'base64').length, 32);
      }),
    );
  });
});

describe('a remittance', () => {
  it('a remittance text identifies its merchant and payout, whatever their ids', () => {
    fc.assert(
      fc.property(id, id, (merchantId, payoutId) => {
        const text = remittanceOf({ merchantId, payoutId });
        assert.deepEqual(readRemittance(` ${text} `), { merchantId, payoutId });
        assert.ok(text.length <= 129);
      }),
    );
  });

  for (const text of ['', 'salary of June', 'M1/', '/A17', 'M1/A17/1', 'M 1/A17', `M1/${'x'.repeat(65)}`])
    it(`a remittance text does not yield a payout from ${JSON.stringify(text)}`, () =>
      assert.equal(readRemittance(text), undefined));
});
