/**
 * Checks the webhook signature against the vectors of RFC 8032 (7.1, tests 2 and 3), and the key in Token.io's
 * notation.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { invariant } from '../../foundation/invariant.ts';
import { isSignedBody, readPublicKey } from './webhook-signature.ts';

const VECTORS = [
  {
    key: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    body: '72',
    signature:
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da' +
      '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  },
  {
    key: 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    body: 'af82',
    signature:
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac' +
      '18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  },
];
const base64url = (hex: string) => Buffer.from(hex, 'hex').toString('base64url');

function keyOf(hex: string) {
  const key = readPublicKey(base64url(hex));
  invariant(key, 'a key of the RFC');
  return key;
}

describe('the signature of a Token.io webhook', () => {
  for (const { key, body, signature } of VECTORS) {
    it(`the Token.io signature of the RFC vector ${body} is valid for its own body, key and encoding only`, () => {
      const [publicKey, bytes, text] = [keyOf(key), Buffer.from(body, 'hex'), base64url(signature)];
      assert.ok(isSignedBody(bytes, text, publicKey));
      assert.ok(isSignedBody(bytes, `${text}==`, publicKey), 'padded');
      const other = VECTORS.find((vector) => vector.key !== key);
      assert.ok(!isSignedBody(Buffer.from(`${body}00`, 'hex'), text, publicKey));
      assert.ok(!isSignedBody(bytes, base64url(other?.signature ?? ''), publicKey));
      assert.ok(!isSignedBody(bytes, text, keyOf(other?.key ?? '')));
      for (const none of [undefined, '', signature, text.slice(1), `${text}A`, `${text} `, '%']) {
        assert.ok(!isSignedBody(bytes, none, publicKey), none);
      }
    });
  }

  it('a public key is read in the notation of Token.io’s documents and dashboard, and in no other', () => {
    for (const shown of [
      '_yDSz-_vUL92ezh5fJVhKpdbvwOKghDXQsaqDwGKi_A',
      'L3OIceAp0ZGy7xUrkeY6Lk4fB2DvtAsm0m7Wa1DSdvo',
    ]) {
      assert.equal(readPublicKey(shown)?.asymmetricKeyType, 'ed25519');
    }
    for (const none of ['', 'x', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}+`, '-----BEGIN PUBLIC KEY-----']) {
      assert.equal(readPublicKey(none), undefined, none);
    }
  });
});
