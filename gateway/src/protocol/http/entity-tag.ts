/** Strong entity tags: equal only for equal bytes (RFC 9110, 8.8.3 and 13.1.2). */
import { createHash } from 'node:crypto';

export function entityTagOf(body: string): string {
  return `"${createHash('sha256').update(body, 'utf8').digest('base64url')}"`;
}

/** Whether what the client has, by its If-None-Match, is what it would be given. */
export function isKnownToClient(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  // A cache on the way that compressed the bytes may have made the tag a weak one.
  const known = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return known.some((each) => each.replace(/^W\//, '') === tag);
}
