/**
 * The lockout of secrets that people type. Ten wrong tries in a quarter of an hour close this way to sign in for half an
 * hour. Passkeys cannot be guessed and have no lockout, so an attacker cannot lock a person out.
 */
import { type Clock, type Instant, MINUTE_MS } from '../../foundation/clock.ts';

export interface TryStore {
  /**
   * Counts a try before its secret is compared, so that simultaneous tries count too. False: the way is closed, and the
   * try does not count.
   */
  begin(
    subject: string,
    rules: { readonly at: Instant; readonly since: Instant; readonly closesUntil: Instant; readonly most: number },
  ): Promise<boolean>;
  succeeded(subject: string): Promise<void>;
  /** Deletes rows without a try since; at most `limit`. Returns how many. */
  forget(before: Instant, limit: number): Promise<number>;
}

export interface LockoutParts {
  readonly tries: TryStore;
  readonly clock: Clock;
}

export const MOST_TRIES = 10;
export const TRIES_WITHIN_MS = 15 * MINUTE_MS;
export const CLOSED_FOR_MS = 30 * MINUTE_MS;

/** `code`: the confirmation of an act by somebody who is signed in. Wrong tries of strangers do not close it. */
export type TypedSecret = 'password' | 'recovery' | 'code';

const subjectOf = (way: TypedSecret, email: string) => `${way}:${email}`;

export function beginTry({ tries, clock }: LockoutParts, way: TypedSecret, email: string): Promise<boolean> {
  const at = clock.now();
  const rules = { at, since: at - TRIES_WITHIN_MS, closesUntil: at + CLOSED_FOR_MS, most: MOST_TRIES };
  return tries.begin(subjectOf(way, email), rules);
}

export function endTries({ tries }: LockoutParts, way: TypedSecret, email: string): Promise<void> {
  return tries.succeeded(subjectOf(way, email));
}
