/** The expiry date of a card, for payouts and for the payment page. */
import type { Instant } from '../../foundation/clock.ts';

/** `mm/yy`, valid until the last moment of its month, UTC. */
export function isFutureExpiry(text: string, now: Instant): boolean {
  const match = /^(0[1-9]|1[0-2])\/(\d{2})$/.exec(text);
  if (!match) return false;
  // Months start at zero, so this is the first moment of the next month.
  return now < Date.UTC(2000 + Number(match[2]), Number(match[1]), 1);
}
