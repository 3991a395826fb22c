import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readRemittance, remittanceOf } from './payout-order.ts';

const id = fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/);

describe('a remittance', () => {
  it('a remittance text yields its merchant and payout, whatever their ids', () => {
    fc.assert(
      fc.property(id, id, (merchantId, payoutId) => {
        const text = remittanceOf({ merchantId, payoutId });
        assert.deepEqual(readRemittance(` ${text} `), { merchantId, payoutId });
        assert.ok(text.length <= 129);
      }),
    );
  });

  for (const text of ['', 'salary of June', 'M1/', '/A17', 'M1/A17/1', 'M 1/A17', `M1/${'x'.repeat(65)}`])
    it(`a remittance text yields no payout from ${JSON.stringify(text)}`, () =>
      assert.equal(readRemittance(text), undefined));
});
