/**
 * The merchant's side of the signatures: how the demo merchant signs and what it verifies. Written from the interface
 * alone and on purpose without the gateway's own code, as a merchant's program is.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export type Fields = Readonly<Record<string, string>>;

/** MD5 over the values in the order of their names, then the key; base64 of the raw bytes. */
export function md5Sign(fields: Fields, key: string): string {
  const values = Object.keys(fields)
    .filter((name) => name !== 'sign')
    .sort()
    .map((name) => fields[name]);
  return createHash('md5')
    .update([...values, key].join(':'))
    .digest('base64');
}

export function isSigned(fields: Fields, key: string): boolean {
  return isSame(fields['sign'] ?? '', md5Sign(fields, key));
}

export interface ReceivedCallback {
  readonly body: Buffer;
  readonly fields: Fields;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Older ones may be a replay. */
const TOLERANCE_MS = 300_000;

/** The names of the signatures that do not hold; empty for an authentic callback. `now`: milliseconds UTC. */
export function badSignatures({ body, fields, headers }: ReceivedCallback, key: string, now: number): string[] {
  const hex = createHmac('sha256', key).update(body).digest('hex');
  const id = String(headers['webhook-id']);
  const timestamp = String(headers['webhook-timestamp']);
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const given = String(headers['webhook-signature']).split(' ');
  const checks = {
    sign: isSigned(fields, key),
    'X-Sign': isSame(String(headers['x-sign']), Buffer.from(hex).toString('base64')),
    'webhook-signature': given.some((signature) => isSame(signature, `v1,${expected}`)),
    'webhook-timestamp': Math.abs(now - Number(timestamp) * 1_000) <= TOLERANCE_MS,
  };
  return Object.entries(checks).flatMap(([name, holds]) => (holds ? [] : [name]));
}

function isSame(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
