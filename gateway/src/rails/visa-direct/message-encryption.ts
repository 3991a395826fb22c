/**
 * Whole messages encrypted for Visa, and Visa's for us: a JSON Web Encryption in `encData`, RSA-OAEP-256 around a key of AES-GCM.
 * Pure, but for the randomness that it is given.
 *
 * Confirmed by Visa's pages about the encryption of messages: that it is asked for wherever card numbers are sent, beside TLS; RSA
 * of 2048 bits with OAEP around AES-GCM of 128 or 256 bits; a pair of keys for each direction; the key's number as a request
 * header, `keyId`. By a page of Visa's about the same scheme: `alg`, `enc`, `iat` in milliseconds and `kid` in the protected
 * header. Not confirmed: which errors come back in the clear, so an answer without `encData` is taken as it is.
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
import type { Random } from '../../foundation/ids.ts';
import { readPlainObject, textOf } from '../kit/provider-json.ts';

const KEY_BYTES = 16;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const OAEP = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' } as const;
const CIPHERS: ReadonlyMap<string, 'aes-128-gcm' | 'aes-256-gcm'> = new Map([
  ['A128GCM', 'aes-128-gcm'],
  ['A256GCM', 'aes-256-gcm'],
]);

export interface EncryptionParts {
  readonly keyId: string;
  readonly visaKey: KeyObject;
  readonly now: Instant;
  readonly random: Random;
}

/** The body that goes instead of `body`. */
export function encryptMessage(body: string, { keyId, visaKey, now, random }: EncryptionParts): string {
  const [key, iv] = [random.bytes(KEY_BYTES), random.bytes(IV_BYTES)];
  const header = encoded(JSON.stringify({ alg: 'RSA-OAEP-256', enc: 'A128GCM', iat: now, kid: keyId }));
  const cipher = createCipheriv('aes-128-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(header));
  const text = Buffer.concat([cipher.update(body, 'utf8'), cipher.final()]);
  const wrapped = publicEncrypt({ key: visaKey, ...OAEP }, key);
  return JSON.stringify({ encData: [header, ...[wrapped, iv, text, cipher.getAuthTag()].map(encoded)].join('.') });
}

/** What the answer says; the answer itself where it is not encrypted, or not for us, so that it is read as nothing known. */
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
