import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Secret } from '../../foundation/secret.ts';
import { isSigned, signatureOf } from './webhook-signature.ts';

/** Published with Adyen's own library. */
const KEY = new Secret('D7DD5BA6146493707BF0BE7496F6404EC7A63616B7158EC927B9F54BB436765F');
const SIGNATURE = '9Qz9S/0xpar1klkniKdshxpAhRKbiSAewPpWoxKefQA=';
const BODY = Buffer.from(
  '{"data":{"balancePlatform":"Integration_tools_test","accountId":"BA32272223222H5HVKTBK4MLB",' +
    '"sweep":{"id":"SWPC42272223222H5HVKV6H8C64DP5","schedule":{"type":"balance"},"status":"active",' +
    '"targetAmount":{"currency":"EUR","value":0},"triggerAmount":{"currency":"EUR","value":0},"type":"pull",' +
    '"counterparty":{"balanceAccountId":"BA3227C223222H5HVKT3H9WLC"},"currency":"EUR"}},' +
    '"environment":"test","type":"balancePlatform.balanceAccountSweep.updated"}',
);
const OTHER = new Secret('ab'.repeat(32));

describe('the signature of Adyen’s transfer webhook', () => {
  it('the signature of an Adyen transfer webhook equals Adyen’s published signature', () => {
    assert.equal(signatureOf(BODY, KEY), SIGNATURE);
    assert.ok(isSigned(BODY, SIGNATURE, [KEY]));
  });

  it('Adyen’s webhook signature is accepted under both keys while the operator replaces the key', () => {
    assert.ok(isSigned(BODY, SIGNATURE, [OTHER, KEY]));
    assert.ok(!isSigned(BODY, SIGNATURE, [OTHER]));
    assert.ok(!isSigned(BODY, SIGNATURE, []));
  });

  it('Adyen’s webhook signature is invalid for any other content under the same key', () => {
    fc.assert(
      fc.property(fc.nat(BODY.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const other = Buffer.from(BODY);
        other[at] = (other[at] ?? 0) ^ change;
        assert.ok(!isSigned(other, SIGNATURE, [KEY]));
      }),
    );
  });

  it('Adyen’s webhook signature is never valid under an empty, short or malformed key', () => {
    for (const key of ['', 'ab', 'x'.repeat(64)].map((text) => new Secret(text))) {
      assert.ok(!isSigned(BODY, signatureOf(BODY, key), [key]));
    }
    for (const signature of ['', SIGNATURE.toLowerCase(), SIGNATURE.slice(0, -1)]) {
      assert.ok(!isSigned(BODY, signature, [KEY]));
    }
  });
});
