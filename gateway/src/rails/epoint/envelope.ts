/**
 * Wraps messages from and to Epoint: a JSON string in base64, and a signature over that base64. Pure.
 *
 * Confirmed by Epoint's API description, with a published vector: `signature` is base64 of the 20 bytes of SHA-1 over private
 * key, data and private key again, without separators, in both directions. Both are form fields. Confirmed by one integrator:
 * a callback may arrive as multipart/form-data.
 */
import { createHash } from 'node:crypto';
import { equalInConstantTime, type Secret } from '../../foundation/secret.ts';
import { readPairs } from '../kit/form-pairs.ts';
import { type JsonObject, readObject } from '../kit/provider-json.ts';

interface Envelope {
  readonly data: string;
  readonly signature: string;
}

export function sealed(fields: Readonly<Record<string, string>>, privateKey: Secret): Envelope {
  const data = Buffer.from(JSON.stringify(fields), 'utf8').toString('base64');
  return { data, signature: signatureOf(data, privateKey) };
}

/** Encodes the envelope as a form-urlencoded body. */
export function writeForm({ data, signature }: Envelope): string {
  return new URLSearchParams({ data, signature }).toString();
}

export function isGenuine({ data, signature }: Envelope, privateKey: Secret): boolean {
  return data !== '' && equalInConstantTime(signature, signatureOf(data, privateKey));
}

export function opened({ data }: Envelope): JsonObject | undefined {
  return readObject(Buffer.from(data, 'base64'));
}

/** Returns empty strings if a field is missing. The form is not authenticated yet, so reading it must take linear time. */
export function readForm(body: Buffer, contentType: string): Envelope {
  const text = body.toString('latin1');
  if (contentType.startsWith('multipart/form-data'))
    return { data: partOf(text, 'data'), signature: partOf(text, 'signature') };
  const form = readPairs(text);
  return { data: form?.get('data') ?? '', signature: form?.get('signature') ?? '' };
}

/** Base64 has no character that could end a part, so the boundary is not needed. */
function partOf(text: string, name: string): string {
  const isNamed = new RegExp(`;[ \\t]*name="${name}"`);
  for (const part of text.split('\r\n--')) {
    const end = part.indexOf('\r\n\r\n');
    const value = part.slice(end + 4);
    if (end >= 0 && isNamed.test(part.slice(0, end)) && /^[A-Za-z0-9+/=]+$/.test(value)) return value;
  }
  return '';
}

function signatureOf(data: string, privateKey: Secret): string {
  const key = privateKey.reveal();
  return createHash('sha1')
    .update(key + data + key, 'utf8')
    .digest('base64');
}
