/** Checks Adyen's signature against the vectors in the tests of Adyen's own libraries. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Secret } from '../../foundation/secret.ts';
import { hmacOf, isSignedItem, signedTextOf } from './webhook-signature.ts';

const key = new Secret('DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00');
const item = {
  pspReference: 'pspReference',
  originalReference: 'originalReference',
  merchantAccountCode: 'merchantAccount',
  merchantReference: 'reference',
  amount: { currency: 'EUR', value: '1000' },
  eventCode: 'REPORT_AVAILABLE',
  success: 'true',
};
const signed = (signature: string, change: object = {}) => ({
  ...item,
  ...change,
  additionalData: { hmacSignature: signature },
});

describe('Adyen’s signature', () => {
  it('Adyen’s string to sign contains eight fields joined by colons', () => {
    assert.equal(
      signedTextOf(item),
      'pspReference:originalReference:merchantAccount:reference:1000:EUR:REPORT_AVAILABLE:true',
    );
  });

  for (const [eventCode, signature] of [
    ['REPORT_AVAILABLE', 'ZNBPtI+oDyyRrLyD1XirkKnQgIAlFc07Vj27TeHsDRE='],
    ['EVENT', 'ipnxGCaUZ4l8TUW75a71/ghd2Fe5ffvX0pV4TLTntIc='],
  ] as const) {
    it(`the signature of ${eventCode} equals Adyen’s published signature`, () => {
      assert.ok(isSignedItem(signed(signature, { eventCode }), [key]));
    });
  }

  it('the signature of a string equals Adyen’s published signature', () => {
    const text =
      'countryCode:currencyCode:merchantAccount:merchantReference:paymentAmount:sessionValidity:skinCode:NL:EUR:MagentoMerchantTest2:TEST-PAYMENT-2017-02-01-14\\:02\\:05:199:2017-02-02T14\\:02\\:05+01\\:00:PKz2KML1';
    assert.equal(hmacOf(text, key), '34oR8T1whkQWTv9P+SzKyp8zhusf9n0dpqrm9nsqSJs=');
  });

  it('an absent field is empty in Adyen’s string to sign', () => {
    const { originalReference: _, ...without } = item;
    assert.equal(signedTextOf(without).split(':')[1], '');
  });

  it('Adyen’s signature fails if any signed field changes', () => {
    const signature = 'ZNBPtI+oDyyRrLyD1XirkKnQgIAlFc07Vj27TeHsDRE=';
    for (const name of Object.keys(item).filter((name) => name !== 'amount'))
      assert.equal(isSignedItem(signed(signature, { [name]: 'x' }), [key]), false, name);
    assert.equal(isSignedItem(signed(signature, { amount: { currency: 'EUR', value: '1001' } }), [key]), false);
    assert.equal(isSignedItem(signed(signature, { amount: { currency: 'USD', value: '1000' } }), [key]), false);
  });

  it('Adyen’s signature is accepted under any configured key, and never under an empty or invalid key', () => {
    const other = new Secret('00'.repeat(32));
    assert.ok(isSignedItem(signed(hmacOf(signedTextOf(item), key)), [other, key]));
    for (const bad of ['', 'zz'.repeat(32), 'abc']) {
      const forged = hmacOf(signedTextOf(item), new Secret(bad));
      assert.equal(isSignedItem(signed(forged), [new Secret(bad)]), false, `key "${bad}"`);
    }
    assert.equal(isSignedItem(signed(''), [key]), false);
    assert.equal(isSignedItem(item, [key]), false);
  });
});
