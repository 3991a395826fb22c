import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import vectors from '../../../../../openapi/vectors/signatures.json' with { type: 'json' };
import { testKey } from '../../../../test/support/merchants/merchant-keys.ts';
import { merchantNamed } from '../../../../test/support/merchants/merchant-named.ts';
import { keysByPurpose, type MerchantKey, type MerchantWithKeys } from '../../../domain/merchants/merchant.ts';
import { EMPTY_KEY, md5Sign } from '../../signatures/merchant-signature.ts';
import { checkFormSignature } from './read-form-request.ts';

const VECTOR = vectors.md5_sign.find(({ name }) => name === 'form');
assert.ok(VECTOR);
const { fields: FIELDS, sign: SIGN, key: KEY } = VECTOR;

type Change = Readonly<Record<string, string | undefined>>;

function key(keyId: string, secret: string): MerchantKey {
  return testKey(secret, { keyId, purpose: 'form' });
}

function merchant(form_sign: string, keys: readonly MerchantKey[] = [key('k1', KEY)]): MerchantWithKeys {
  return { merchant: merchantNamed('M1', { settings: { form_sign } }), keys: keysByPurpose(keys) };
}

/** The signed request with changes. A value of undefined removes the parameter. */
function parameters(change: Change = {}): ReadonlyMap<string, string> {
  const all: Record<string, string | undefined> = { ...FIELDS, sign: SIGN, item_name: 'Tea', ...change };
  return new Map(Object.entries(all).flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const])));
}

/** The id of the verifying key, `unsigned`, or the rejection. */
function check(change: Change = {}, form_sign = 'optional', keys?: MerchantKey[]): string | object {
  const checked = checkFormSignature(parameters(change), merchant(form_sign, keys));
  return checked.ok ? (checked.value?.keyId ?? 'unsigned') : checked.error;
}

const WRONG = { kind: 'wrong_signature', field: 'sign' };

describe('the signature of a form request', () => {
  it('a form request with the published signature verifies', () => {
    assert.equal(SIGN, 'ydb8OkH54TE63IX/uWOsiw==');
    for (const need of ['optional', 'required']) assert.equal(check({}, need), 'k1');
  });

  it('a form signature covers only merchant, order, amount and currency', () => {
    for (const change of [
      { order: 'N18' },
      { amount: '12.5' },
      { amount: '12.51' },
      { currency: 'USD' },
      { merchant: 'M2' },
    ])
      assert.deepEqual(check(change), WRONG, JSON.stringify(change));
    assert.equal(check({ item_name: 'Coffee', email: 'a@b.co' }), 'k1');
  });

  it('the setting form_sign decides whether a form signature is required', () => {
    assert.equal(check({ sign: undefined }), 'unsigned');
    assert.deepEqual(check({ sign: undefined }, 'required'), { kind: 'missing', field: 'sign' });
    for (const sign of [SIGN, 'wrong', '', undefined]) assert.equal(check({ sign }, 'off'), 'unsigned', sign);
  });

  it('a form request with an invalid signature or altered content is rejected', () => {
    const hexText = btoa(Buffer.from(SIGN, 'base64').toString('hex'));
    for (const sign of ['', ' ', SIGN.toLowerCase(), SIGN.slice(0, -2), `${SIGN} `, hexText, 'x'.repeat(10_240)])
      for (const need of ['optional', 'required']) assert.deepEqual(check({ sign }, need), WRONG, sign);
  });

  it('a form request without a signed field is rejected for that field before its signature is checked', () => {
    for (const field of ['merchant', 'order', 'amount', 'currency'])
      assert.deepEqual(check({ [field]: undefined }), { kind: 'missing', field });
  });

  it('a form signature verifies only under a valid form key', () => {
    const [old, renewed] = [key('old', KEY), key('new', 'OtherKey')];
    assert.equal(check({}, 'optional', [renewed, old]), 'old');
    assert.deepEqual(check({}, 'optional', [renewed]), WRONG);
    assert.deepEqual(check({}, 'optional', []), WRONG);
    const empty = { ...old, secret: EMPTY_KEY };
    assert.deepEqual(check({ sign: md5Sign(FIELDS, EMPTY_KEY) }, 'optional', [empty]), WRONG);
  });

  it('a form signature does not verify under an API key, even if the merchant has no form key', () => {
    const apiKey = testKey(KEY, { keyId: 'api' });
    assert.deepEqual(check({}, 'optional', [apiKey]), WRONG);
    assert.deepEqual(check({}, 'required', [apiKey, key('form', 'OtherKey')]), WRONG);
    assert.equal(check({}, 'optional', [apiKey, key('form', KEY)]), 'form');
  });

  it('a form request with random changes never verifies and never throws', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('order', 'amount', 'currency', 'sign'), text), (change) => {
        fc.pre(Object.keys(change).length > 0);
        assert.notEqual(check(change), 'k1');
      }),
    );
  });
});
