import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createSeededRandom, systemRandom } from '../../foundation/random.ts';
import { decryptMessage, encryptMessage } from './message-encryption.ts';

const visa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const other = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const parts = { keyId: 'a-key-id', visaKey: visa.publicKey, now: 1_702_493_653_000, random: systemRandom };
const partsOf = (message: string) => (JSON.parse(message).encData as string).split('.');

describe('encrypted messages of Visa Direct', () => {
  it('an encrypted Visa message has its algorithms, time and key id in the header', () => {
    const [header = '', ...rest] = partsOf(encryptMessage('{}', parts));
    assert.deepEqual(JSON.parse(Buffer.from(header, 'base64url').toString()), {
      alg: 'RSA-OAEP-256',
      enc: 'A128GCM',
      iat: 1_702_493_653_000,
      kid: 'a-key-id',
    });
    const bytes = rest.map((part) => Buffer.from(part, 'base64url').length);
    assert.deepEqual(bytes, [256, 12, 2, 16]);
  });

  it('an encrypted Visa message with any string is decrypted with its key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const message = Buffer.from(encryptMessage(text, parts));
        assert.equal(decryptMessage(message, visa.privateKey).toString(), text);
      }),
      { numRuns: 30 },
    );
  });

  it('each encrypted Visa message has a new content key from the given random source', () => {
    const keys = Array.from({ length: 3 }, () => partsOf(encryptMessage('{}', parts)).slice(1).join());
    assert.equal(new Set(keys).size, 3);
    const seeded = () => partsOf(encryptMessage('{}', { ...parts, random: createSeededRandom('a') }))[2];
    assert.equal(seeded(), seeded(), 'which comes from the randomness that it is given');
  });

  it('a Visa message that our key cannot decrypt is returned unchanged', () => {
    const message = encryptMessage('{"actionCode":"00"}', parts);
    const [header = '', key = '', iv = '', text = '', tag = ''] = partsOf(message);
    const headerOf = (fields: object) => Buffer.from(JSON.stringify(fields)).toString('base64url');
    const joined = (...all: string[]) => JSON.stringify({ encData: all.join('.') });
    const wrong = [
      joined(header, key, iv, text),
      joined(header, key, iv, text, tag, tag),
      joined(header, key, iv, text, tag.slice(0, 8)),
      joined(header, key, iv, `A${text.slice(1)}B`, tag),
      joined(headerOf({ alg: 'RSA-OAEP-256', enc: 'A128GCM', kid: 'another' }), key, iv, text, tag),
      joined(headerOf({ alg: 'RSA1_5', enc: 'A128GCM' }), key, iv, text, tag),
      joined(headerOf({ alg: 'RSA-OAEP-256', enc: 'none' }), key, iv, text, tag),
      joined('', '', '', '', ''),
      '{"encData":""}',
      '{"encData":7}',
      '{"actionCode":"00"}',
      'bare',
      '',
    ];
    for (const answer of wrong) {
      assert.equal(decryptMessage(Buffer.from(answer), visa.privateKey).toString(), answer);
    }
    assert.equal(decryptMessage(Buffer.from(message), other.privateKey).toString(), message);
  });
});
