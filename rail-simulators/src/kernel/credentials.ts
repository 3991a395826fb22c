/** Authenticates a provider's client: comparisons in constant time, and registered keys. */
import { createPublicKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Compares digests, whose lengths are equal for any input. */
export function isSame(given: unknown, expected: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(typeof given === 'string' ? given : ''), digest(expected));
}

/** Returns an HTTP Basic authorization header. */
export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/**
 * Reads the client's key from a PEM file, which may appear or change while the simulator runs. Returns undefined while it
 * contains no key.
 */
export function publicKeyFile(path: string): () => KeyObject | undefined {
  return () => {
    try {
      return createPublicKey(readFileSync(path));
    } catch {
      return undefined;
    }
  };
}

/** Returns the part of a card or account number that a book may store: its last four characters. */
export function lastFourOf(number: string): string {
  return `****${number.slice(-4)}`;
}
