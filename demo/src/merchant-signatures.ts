/**
 * The merchant's side of the signatures: how the demo merchant signs and verifies. It is written only from the API
 * documentation, without the gateway's code, like a merchant's program.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export type Fields = Readonly<Record<string, string>>;

/** The field that contains the signature, and which the signature does not cover. */
type SignatureField = 'sign' | 'co_sign';

/** Returns the base64 of the MD5 hash over the values, in order of their names, followed by the key. */
export function md5Sign(fields: Fields, key: string, field: SignatureField = 'sign'): string {
  const values = Object.keys(fields)
    .filter((name) => name !== field)
    .sort()
    .map((name) => fields[name]);
  return createHash('md5')
    .update([...values, key].join(':'))
    .digest('base64');
}

export function isSigned(fields: Fields, key: string, field: SignatureField = 'sign'): boolean {
  return isSame(fields[field] ?? '', md5Sign(fields, key, field));
}

/** Returns the base64 of the hexadecimal HMAC-SHA256 over the exact bytes that are sent. */
export function xSign(body: string | Buffer, key: string): string {
  const hex = createHmac('sha256', key).update(body).digest('hex');
  return Buffer.from(hex).toString('base64');
}

/** Verifies a response whose bytes are signed. `header` is its `X-Sign`. */
export function isSignedText(text: string, header: string | null, key: string): boolean {
  return isSame(header ?? '', xSign(text, key));
}

export interface ReceivedCallback {
  readonly body: Buffer;
  readonly fields: Fields;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** An older callback may be a replay. */
const TOLERANCE_MS = 300_000;

/** Returns the names of the invalid signatures, none for an authentic callback. `now` is in milliseconds since the epoch. */
export function badSignatures({ body, fields, headers }: ReceivedCallback, key: string, now: number): string[] {
  const id = String(headers['webhook-id']);
  const timestamp = String(headers['webhook-timestamp']);
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const given = String(headers['webhook-signature']).split(' ');
  // Only the callback of a deposit has co_ fields.
  const sign = 'co_inv_id' in fields ? 'co_sign' : 'sign';
  const checks = {
    [sign]: isSigned(fields, key, sign),
    'X-Sign': isSame(String(headers['x-sign']), xSign(body, key)),
    'webhook-signature': given.some((signature) => isSame(signature, `v1,${expected}`)),
    'webhook-timestamp': Math.abs(now - Number(timestamp) * 1_000) <= TOLERANCE_MS,
  };
  return Object.entries(checks).flatMap(([name, holds]) => (holds ? [] : [name]));
}

function isSame(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
