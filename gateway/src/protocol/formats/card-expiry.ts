/** The expiry date of a card, in payouts and on the payment page alike. */
import type { Instant } from '../../foundation/clock.ts';

/** `mm/yy`, good until the last moment of its month, UTC. */
export function isFutureExpiry(text: string, now: Instant): boolean {
  const match = /^(0[1-9]|1[0-2])\/(\d{2})$/.exec(text);
  if (!match) return false;
  // Months count from zero, so this is the first moment of the month after.
  return now < Date.UTC(2000 + Number(match[2]), Number(match[1]), 1);
}
