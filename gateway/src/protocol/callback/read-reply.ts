/** Reads a merchant's reply to a callback. The reply is untrusted text, so it is bounded and cleaned. */
import { type Instant, SECOND_MS } from '../../foundation/clock.ts';

/** The transport closes the connection after this many bytes. */
export const MOST_READ_BYTES = 64 * 1024;
const MOST_KEPT_BYTES = 1024;

/** Returns at most the first KiB, as text that PostgreSQL can store and a terminal can show. */
export function shownReply(bytes: Buffer): string {
  const text = bytes.subarray(0, MOST_KEPT_BYTES).toString('utf8');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to go
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '\ufffd');
}

/** Milliseconds from `now`, from a number of seconds or a date. Null if the header is missing or invalid. */
export function readRetryAfter(header: string | string[] | undefined, now: Instant): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND_MS;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(at - now, 0);
}
