/** How DT One knows its client, and how its client may know DT One: HTTP Basic, both ways. */
import { hash, timingSafeEqual } from 'node:crypto';

export interface Account {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly callbackUsername: string;
  readonly callbackPassword: string;
}

export function isClient(header: string | undefined, { apiKey, apiSecret }: Account): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(header ?? ''), digest(basic(apiKey, apiSecret)));
}

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
