/**
 * How 3-D Secure packs its messages into a form's field: JSON in UTF-8 in base64url without padding (EMV 3-D Secure
 * 2.2.0, the browser's flow). Adyen packs its tokens in plain base64. Readers take both alphabets, padded or not.
 */
import { asFields, type Fields } from '../kit/provider-json.ts';

const LARGEST = 256 * 1024;

export function packBase64Url(message: Readonly<Record<string, string>>): string {
  return Buffer.from(JSON.stringify(message)).toString('base64url');
}

export function packBase64(message: Readonly<Record<string, string>>): string {
  return Buffer.from(JSON.stringify(message)).toString('base64');
}

/** Undefined when it is not base64 of a JSON object. */
export function unpack(text: string): Fields | undefined {
  if (text.length > LARGEST || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  try {
    return asFields(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  } catch {
    return undefined;
  }
}
