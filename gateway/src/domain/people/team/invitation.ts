/** Single-use links: to join a team, or to replace all credentials of a user. */
import { type Instant, MINUTE_MS } from '../../../foundation/clock.ts';
import { Secret } from '../../../foundation/secret.ts';
import type { Invitation } from '../invitation-store.ts';

export const INVITATION_ID_LENGTH = 12;
export const LINK_SECRET_LENGTH = 43;
export const INVITATION_VALID_MS = 48 * 60 * MINUTE_MS;

export function isOpen({ acceptedAt, revokedAt, expiresAt }: Invitation, now: Instant): boolean {
  return acceptedAt === null && revokedAt === null && now < expiresAt;
}

/** The secret is in the fragment, which browsers do not send to servers. */
export function linkOf(origin: string, secret: Secret): Secret {
  return new Secret(`${origin}/join#${secret.reveal()}`);
}
