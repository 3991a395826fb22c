/** The published test vectors, and signatures that verification must reject. */
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import vectors from '../../../../openapi/vectors/signatures.json' with { type: 'json' };
import { Secret } from '../../foundation/secret.ts';
import { EMPTY_KEY, md5Sign, type SignedFields, verifyMd5, verifyXSign, xSign } from './merchant-signature.ts';

const KEY = new Secret('SecRetKey0123');
const md5Vectors: readonly { name: string; key: string; fields: SignedFields; joined: string; sign: string }[] =
  vectors.md5_sign;

describe('the MD5 sign', () => {
  for (const { name, key, fields, joined, sign } of md5Vectors) {
    it(`the MD5 sign matches the published vector: ${name}`, () => {
      assert.equal(createHash('md5').update(joined).digest('base64'), sign);
      assert.equal(md5Sign(fields, new Secret(key)), sign);
      assert.equal(verifyMd5(fields, new Secret(key), sign), key !== '');
    });
  }

  it('the MD5 sign does not depend on field order or container type', () => {
    const fields = { b: '2', a: '1', c: '3' };
    assert.equal(md5Sign(fields, KEY), md5Sign(new Map([...Object.entries(fields)].reverse()), KEY));
  });

  it('the MD5 sign sorts capitals before small letters, and names above the Basic Multilingual Plane last', () => {
    const expected = (joined: string) => createHash('md5').update(joined, 'utf8').digest('base64');
    assert.equal(md5Sign({ a: '1', B: '2', _: '3' }, KEY), expected('2:3:1:SecRetKey0123'));
    assert.equal(md5Sign({ '\u{1f600}': '1', '\ufb01': '2', z: '3' }, KEY), expected('3:2:1:SecRetKey0123'));
  });

  it('the MD5 sign sorts any names by their UTF-8 bytes', () => {
    const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 8 }), (names) => {
        const sorted = names.map((text) => Buffer.from(text, 'utf8')).sort(Buffer.compare);
        const joined = Buffer.concat([...sorted.flatMap((bytes) => [bytes, Buffer.from(':')]), Buffer.from('k')]);
        const sign = md5Sign(new Map(names.map((text) => [text, text])), new Secret('k'));
        assert.equal(sign, createHash('md5').update(joined).digest('base64'));
      }),
      { numRuns: 200 },
    );
  });

  it('the MD5 sign includes empty values', () => {
    assert.notEqual(md5Sign({ a: '', b: '1' }, KEY), md5Sign({ b: '1' }, KEY));
  });

  it('MD5 verification rejects an altered, truncated, empty or hex-encoded signature', () => {
    const fields = { merchant: 'M1', payout_id: 'A17' };
    const sign = md5Sign(fields, KEY);
    const hex = createHash('md5').update('M1:A17:SecRetKey0123').digest('hex');
    const wrong = [sign.toLowerCase(), sign.slice(0, -3), '', sign.slice(0, -2), `${sign} `, hex, btoa(hex)];
    for (const text of wrong) assert.equal(verifyMd5(fields, KEY, text), false, text);
    assert.equal(verifyMd5(fields, KEY, sign), true);
  });

  it('MD5 verification rejects every signature under an empty key', () => {
    const fields = { merchant: 'M1' };
    assert.equal(verifyMd5(fields, EMPTY_KEY, md5Sign(fields, EMPTY_KEY)), false);
  });
});

describe('X-Sign', () => {
  for (const { name, key, body, sign } of vectors.x_sign) {
    it(`X-Sign matches the published vector: ${name}`, () => {
      assert.equal(xSign(Buffer.from(body), new Secret(key)), sign);
      assert.equal(verifyXSign(Buffer.from(body), new Secret(key), sign), true);
    });
  }

  it('X-Sign has 88 characters for any body', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => xSign(Buffer.from(bytes), KEY).length === 88));
  });

  it('X-Sign verification rejects other encodings, one changed byte and an empty key', () => {
    const body = Buffer.from('{"order":"1"}');
    const hmac = () => createHmac('sha256', KEY.reveal()).update(body);
    assert.equal(verifyXSign(body, KEY, hmac().digest('base64')), false);
    assert.equal(verifyXSign(body, KEY, hmac().digest('hex')), false);
    assert.equal(verifyXSign(Buffer.from('{"order":"2"}'), KEY, xSign(body, KEY)), false);
    assert.equal(verifyXSign(body, EMPTY_KEY, xSign(body, EMPTY_KEY)), false);
  });
});
