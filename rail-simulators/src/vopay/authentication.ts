/** How VoPay knows its client, and how its client may know VoPay: two SHA-1 sums, of which neither covers what is said. */
import { createHash, timingSafeEqual } from 'node:crypto';

export interface Account {
  readonly accountId: string;
  readonly key: string;
  readonly sharedSecret: string;
}

const minuteMs = 60_000;

/** `shiftMinutes`: by how much the day at VoPay is ahead of the day in UTC. */
export function isSignedFor(fields: URLSearchParams, account: Account, now: number, shiftMinutes: number): boolean {
  const day = new Date(now + shiftMinutes * minuteMs).toISOString().slice(0, 10);
  const signature = sha1(account.key + account.sharedSecret + day);
  const told = [fields.get('AccountID'), fields.get('Key'), fields.get('Signature')?.toLowerCase()].join('\n');
  return isEqual(told, [account.accountId, account.key, signature].join('\n'));
}

export function validationKeyOf(transactionId: number, { sharedSecret }: Pick<Account, 'sharedSecret'>): string {
  return sha1(`${sharedSecret}${transactionId}`);
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
