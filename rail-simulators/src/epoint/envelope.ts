/**
 * The message format of Epoint and its client: a JSON string as base64, signed with the base64 of SHA-1 over the key, the data
 * and the key.
 */
import { createHash } from 'node:crypto';
import { isSame } from '../kernel/credentials.ts';
import { type Fields, parseKeepingNumbers } from '../kernel/fields.ts';

export function seal(body: object, privateKey: string): { readonly data: string; readonly signature: string } {
  const data = Buffer.from(JSON.stringify(body)).toString('base64');
  return { data, signature: signatureOf(data, privateKey) };
}

/** Returns undefined if the signature is invalid, or if the message is not a JSON object. */
export function open(form: URLSearchParams, privateKey: string): Fields | undefined {
  const data = form.get('data') ?? '';
  const isGenuine = isSame(form.get('signature'), signatureOf(data, privateKey));
  return isGenuine ? parseKeepingNumbers(Buffer.from(data, 'base64')) : undefined;
}

function signatureOf(data: string, privateKey: string): string {
  return createHash('sha1').update(`${privateKey}${data}${privateKey}`).digest('base64');
}
