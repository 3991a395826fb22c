/**
 * Encrypts messages for Visa and decrypts Visa's: a JSON Web Encryption in `encData`, RSA-OAEP-256 around an AES-GCM
 * key. Pure, except for the given randomness.
 *
 * Confirmed by Visa's pages about message encryption: Visa requires it wherever card numbers are sent, in addition to
 * TLS; RSA of 2048 bits with OAEP around AES-GCM of 128 or 256 bits; a key pair for each direction; the key's id as a
 * request header, `keyId`. Confirmed by a page of Visa's about the same scheme: `alg`, `enc`, `iat` in milliseconds and
 * `kid` in the protected header. Not confirmed: which errors are not encrypted, so a response without `encData` is used
 * unchanged.
 */
import {
  constants,
  createCipheriv,
  createDecipheriv,
  type KeyObject,
  privateDecrypt,
  publicEncrypt,
} from 'node:crypto';
import type { Instant } from '../../foundation/clock.ts';
import type { Random } from '../../foundation/random.ts';
import { readPlainObject, textOf } from '../kit/provider-json.ts';

const KEY_BYTES = 16;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const OAEP = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' } as const;
const CIPHERS: ReadonlyMap<string, 'aes-128-gcm' | 'aes-256-gcm'> = new Map([
  ['A128GCM', 'aes-128-gcm'],
  ['A256GCM', 'aes-256-gcm'],
]);

interface EncryptionParts {
  readonly keyId: string;
  readonly visaKey: KeyObject;
  readonly now: Instant;
  readonly random: Random;
}

/** Returns the encrypted body in place of `body`. */
export function encryptMessage(body: string, { keyId, visaKey, now, random }: EncryptionParts): string {
  const [key, iv] = [random.bytes(KEY_BYTES), random.bytes(IV_BYTES)];
  const header = encoded(JSON.stringify({ alg: 'RSA-OAEP-256', enc: 'A128GCM', iat: now, kid: keyId }));
  const cipher = createCipheriv('aes-128-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(header));
  const text = Buffer.concat([cipher.update(body, 'utf8'), cipher.final()]);
  const wrapped = publicEncrypt({ key: visaKey, ...OAEP }, key);
  return JSON.stringify({ encData: [header, ...[wrapped, iv, text, cipher.getAuthTag()].map(encoded)].join('.') });
}

/** Returns the decrypted response. One that is not encrypted, or not for us, is unchanged, and then reads as unknown. */
export function decryptMessage(answer: Buffer, ownKey: KeyObject): Buffer {
  const encrypted = textOf(readPlainObject(answer), 'encData');
  if (encrypted === '') return answer;
  try {
    return decrypt(encrypted, ownKey) ?? answer;
  } catch {
    return answer;
  }
}

function decrypt(encrypted: string, ownKey: KeyObject): Buffer | undefined {
  const [header = '', ...parts] = encrypted.split('.');
  const fields = readPlainObject(Buffer.from(header, 'base64url'));
  const cipher = CIPHERS.get(textOf(fields, 'enc'));
  const [wrapped, iv, text, tag] = parts.map((part) => Buffer.from(part, 'base64url'));
  const isWhole = textOf(fields, 'alg') === 'RSA-OAEP-256' && parts.length === 4 && tag?.length === TAG_BYTES;
  if (!cipher || !isWhole || !wrapped || !iv || !text) return undefined;
  const key = privateDecrypt({ key: ownKey, ...OAEP }, wrapped);
  const decipher = createDecipheriv(cipher, key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(header)).setAuthTag(tag);
  return Buffer.concat([decipher.update(text), decipher.final()]);
}

function encoded(part: string | Buffer): string {
  return Buffer.from(part).toString('base64url');
}
