/** The two signatures of the gateway. `sign` is the base64 of raw bytes, `X-Sign` the base64 of a hexadecimal string. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export type Fields = Readonly<Record<string, string>>;

/** Covers exactly `fields`, so leave out `sign` itself. */
export function md5Sign(fields: Fields, key: string): string {
  const values = Object.keys(fields)
    .sort()
    .map((name) => fields[name]);
  return createHash('md5')
    .update([...values, key].join(':'), 'utf8')
    .digest('base64');
}

/** Covers the bytes of a body as sent. */
export function xSign(body: string | Uint8Array, key: string): string {
  const hex = createHmac('sha256', key).update(body).digest('hex');
  return Buffer.from(hex, 'latin1').toString('base64');
}

/** Compares in constant time. */
export function isEqual(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
