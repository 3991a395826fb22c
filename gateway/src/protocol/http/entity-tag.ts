/** Strong entity tags: equal only for equal bytes (RFC 9110, 8.8.3 and 13.1.2). */
import { createHash } from 'node:crypto';

export function entityTagOf(body: string): string {
  return `"${createHash('sha256').update(body, 'utf8').digest('base64url')}"`;
}

/** Reports whether the client's copy, named by If-None-Match, is current. */
export function isKnownToClient(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  // A cache that compresses the body may turn the tag into a weak one.
  const known = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return known.some((each) => each.replace(/^W\//, '') === tag);
}
