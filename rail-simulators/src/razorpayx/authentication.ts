/** How RazorpayX knows its client, and how its client knows RazorpayX. */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';

export interface Account {
  readonly keyId: string;
  readonly keySecret: string;
  readonly accountNumber: string;
  readonly webhookSecret: string;
}

/** The scheme's word is taken in one spelling only. */
export function isClient(header: string | undefined, { keyId, keySecret }: Account): boolean {
  const expected = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`;
  return timingSafeEqual(hash('sha256', header ?? '', 'buffer'), hash('sha256', expected, 'buffer'));
}

export function webhookSignature(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}
