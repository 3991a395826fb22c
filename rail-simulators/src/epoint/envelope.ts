/** How Epoint and its client say anything: base64 of a JSON text, and base64 of SHA-1 over key, that base64, and key again. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { type Fields, parseFields } from './amounts.ts';

export function seal(body: object, privateKey: string): { readonly data: string; readonly signature: string } {
  const data = Buffer.from(JSON.stringify(body)).toString('base64');
  return { data, signature: signatureOf(data, privateKey) };
}

/** Undefined: the signature is none, or there is no JSON object in it. */
export function open(form: URLSearchParams, privateKey: string): Fields | undefined {
  const data = form.get('data') ?? '';
  const [given, expected] = [form.get('signature') ?? '', signatureOf(data, privateKey)].map((text) =>
    Buffer.from(text),
  );
  const isGenuine = given !== undefined && expected?.length === given.length && timingSafeEqual(given, expected);
  return isGenuine ? parseFields(Buffer.from(data, 'base64').toString()) : undefined;
}

function signatureOf(data: string, privateKey: string): string {
  return createHash('sha1').update(`${privateKey}${data}${privateKey}`).digest('base64');
}
