/**
 * The lockout for secrets that users type. Ten failed attempts in 15 minutes lock this way to sign in for half an hour.
 * Passkeys cannot be guessed and have no lockout, so an attacker cannot lock a user out.
 */
import { type Clock, MINUTE_MS } from '../../../foundation/clock.ts';
import type { LockoutStore } from '../lockout-store.ts';

export interface LockoutParts {
  readonly lockouts: LockoutStore;
  readonly clock: Clock;
}

const MOST_FAILED_ATTEMPTS = 10;
const FAILED_ATTEMPTS_WITHIN_MS = 15 * MINUTE_MS;
const CLOSED_FOR_MS = 30 * MINUTE_MS;

/** `code` confirms an action of a signed-in user. Failed attempts of visitors do not lock it. */
type TypedSecret = 'password' | 'recovery' | 'code';

const subjectOf = (way: TypedSecret, email: string) => `${way}:${email}`;

export function countSecretAttempt(
  { lockouts, clock }: LockoutParts,
  way: TypedSecret,
  email: string,
): Promise<boolean> {
  const at = clock.now();
  const rules = {
    at,
    since: at - FAILED_ATTEMPTS_WITHIN_MS,
    closesUntil: at + CLOSED_FOR_MS,
    most: MOST_FAILED_ATTEMPTS,
  };
  return lockouts.begin(subjectOf(way, email), rules);
}

export function clearSecretAttempts({ lockouts }: LockoutParts, way: TypedSecret, email: string): Promise<void> {
  return lockouts.succeeded(subjectOf(way, email));
}
