/** How a provider knows its client: comparisons that take the same time wherever the difference is, and registered keys. */
import { createPublicKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Compares digests, whose lengths are equal whatever was sent. */
export function isSame(given: unknown, expected: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(typeof given === 'string' ? given : ''), digest(expected));
}

/** The header of HTTP Basic. */
export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** The client's key as a PEM file, which may come or change while the simulator runs; undefined as long as it holds none. */
export function publicKeyFile(path: string): () => KeyObject | undefined {
  return () => {
    try {
      return createPublicKey(readFileSync(path));
    } catch {
      return undefined;
    }
  };
}

/** Of a card's or an account's number, what a book may hold: the last four signs. */
export function lastFourOf(number: string): string {
  return `****${number.slice(-4)}`;
}
