/** The port for storing users, their roles and their credentials. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Member, Membership, Passkey, Person, StoredPasskey, StoredPassword } from './person.ts';

interface RoleChange {
  readonly personId: string;
  readonly merchantId: MerchantId | null;
  readonly role: string | null;
  readonly keeps: string;
  readonly at: Instant;
}

export interface PeopleStore {
  /** Returns false if the email address belongs to another user. */
  add(person: Person): Promise<boolean>;
  find(personId: string): Promise<Person | undefined>;
  findByEmail(email: string): Promise<Person | undefined>;

  /** The operator's first, then the oldest. */
  memberships(personId: string): Promise<readonly Membership[]>;
  /** Returns the team of a merchant or of the operator, the oldest members first, at most a thousand. */
  members(merchantId: MerchantId | null): Promise<readonly Member[]>;
  setRole(personId: string, membership: Membership): Promise<void>;
  /**
   * Changes a role, or removes the user if it is null. Returns false, without any effect, if the team would have no user in
   * the role `keeps`. Revokes open invitations that the user created and, with a removal, those for the user.
   */
  changeRole(change: RoleChange): Promise<boolean>;

  addPasskey(passkey: StoredPasskey): Promise<boolean>;
  findPasskey(credentialId: string): Promise<StoredPasskey | undefined>;
  passkeys(personId: string): Promise<readonly StoredPasskey[]>;
  /** Returns false if the counter does not exceed the last counter: the device is a copy, or a concurrent request was faster. */
  countPasskey(credentialId: string, counter: number, at: Instant): Promise<boolean>;
  removePasskey(personId: string, credentialId: string): Promise<boolean>;

  setPassword(personId: string, password: StoredPassword): Promise<void>;
  findPassword(personId: string): Promise<StoredPassword | undefined>;
  removePassword(personId: string): Promise<boolean>;
  /** Returns false if a code of this or a later time step was already used. */
  useTotpStep(personId: string, step: number): Promise<boolean>;

  replaceRecoveryCodes(personId: string, hashes: readonly Buffer[]): Promise<void>;
  countRecoveryCodes(personId: string): Promise<number>;
  /** Returns false if the code does not exist or was already used. */
  useRecoveryCode(personId: string, hash: Buffer, at: Instant): Promise<boolean>;

  findIdentity(issuer: string, subject: string): Promise<Person | undefined>;
  /** Returns false if the user has a different account at this issuer. */
  linkIdentity(personId: string, issuer: string, subject: string, at: Instant): Promise<boolean>;

  /** Removes every credential, so that the user has only the new passkey. */
  resetCredentials(personId: string, passkey: Passkey & { readonly name: string }, at: Instant): Promise<void>;
}
