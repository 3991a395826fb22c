import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { it } from 'node:test';
import fc from 'fast-check';
import { hashPadsOf, keyedHash } from './keyed-hash.ts';
import { Secret } from './secret.ts';

const keys = fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString('base64'));
const texts = fc.oneof(fc.string(), fc.uint8Array({ maxLength: 200 }).map(Buffer.from));

it('a keyed hash is the HMAC-SHA256 of a string or of bytes, whatever its key', () => {
  fc.assert(
    fc.property(keys, texts, texts, (key, ...hashed) => {
      const secret = new Secret(key);
      for (const text of hashed) {
        const hmac = createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest();
        assert.deepEqual(keyedHash(secret, text), hmac);
      }
    }),
  );
});

it('a keyed hash can be computed by plain SHA-256 from the pads of its key', () => {
  fc.assert(
    fc.property(keys, fc.string(), (key, text) => {
      const secret = new Secret(key);
      const { inner, outer } = hashPadsOf(secret);
      const sha256 = (...parts: readonly Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
      assert.deepEqual(sha256(outer, sha256(inner, Buffer.from(text))), keyedHash(secret, text));
    }),
  );
});

it('a keyed hash rejects a key that is longer than a block', () => {
  const key = new Secret(Buffer.alloc(65).toString('base64'));
  assert.throws(() => keyedHash(key, 'text'), /longer than a block/);
});
