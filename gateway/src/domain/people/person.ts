/** Users, their roles and their credentials. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';

export interface Person {
  readonly personId: string;
  /** The email address in lower case. */
  readonly email: string;
  readonly name: string;
  readonly createdAt: Instant;
}

/** `merchantId` is null for the operator's team. */
export interface Membership {
  readonly merchantId: MerchantId | null;
  readonly role: string;
  readonly since: Instant;
}

export interface Member extends Person {
  readonly role: string;
  readonly since: Instant;
  /** Null if the user never signed in. */
  readonly lastSeenAt: Instant | null;
}

export interface Passkey {
  /** The credential's id in base64url. */
  readonly credentialId: string;
  /** The public key in COSE format. */
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
}

export interface StoredPasskey extends Passkey {
  readonly personId: string;
  readonly name: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
}

export interface StoredPassword {
  readonly salt: Buffer;
  readonly hash: Buffer;
  readonly totpSeed: Buffer;
  readonly totpStep: number;
  readonly changedAt: Instant;
}

/** Returns an email address in lower case. Returns undefined for any other string, and for an address with invisible letters. */
export function readEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= 254 &&
    !/\p{C}/u.test(email) &&
    /^[^\s@"<>(),:;\\]+@[^\s@"<>(),:;\\]+\.[^\s@"<>(),:;\\]+$/.test(email)
    ? email
    : undefined;
}

/**
 * Mail servers ignore a tag after `+`, and Gmail ignores dots. A host may have two spellings. Such addresses reach the same
 * user.
 */
export function mailboxOf(email: string): string {
  const written = email.normalize('NFKC').toLowerCase();
  const at = written.lastIndexOf('@');
  const [name = ''] = written.slice(0, at).split('+');
  const domain = written.slice(at + 1).replace(/\.$/, '');
  const address = `https://${domain}`;
  const host = (URL.canParse(address) ? new URL(address).hostname : domain).replace(/^googlemail\.com$/, 'gmail.com');
  return `${host === 'gmail.com' ? name.replaceAll('.', '') : name}@${host}`;
}

/** True for two accounts that recognisably belong to the same user. */
export function isSamePerson(
  left: Pick<Person, 'personId' | 'email'>,
  right: Pick<Person, 'personId' | 'email'>,
): boolean {
  return left.personId === right.personId || mailboxOf(left.email) === mailboxOf(right.email);
}

/** Returns the user handle for a device, with which it can offer a passkey without an email address. */
export function userHandleOf(personId: string): string {
  return Buffer.from(personId).toString('base64url');
}
