/**
 * Encodes and decodes 3-D Secure messages in form fields: JSON in UTF-8 in base64url without padding (EMV 3-D Secure 2.2.0,
 * browser flow). Adyen encodes its tokens in plain base64, so the reader accepts both alphabets, with or without padding.
 */
import { asFields, type Fields } from '../kit/provider-json.ts';

const LARGEST = 256 * 1024;

export function packBase64Url(message: Readonly<Record<string, string>>): string {
  return Buffer.from(JSON.stringify(message)).toString('base64url');
}

export function packBase64(message: Readonly<Record<string, string>>): string {
  return Buffer.from(JSON.stringify(message)).toString('base64');
}

/** Returns undefined if the string is not base64 of a JSON object. */
export function unpack(text: string): Fields | undefined {
  if (text.length > LARGEST || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  try {
    return asFields(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  } catch {
    return undefined;
  }
}
