/** The port for invitations. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';

export interface Invitation {
  readonly invitationId: string;
  /** `reset`: the user gets a new passkey, and every other credential is removed. */
  readonly purpose: 'join' | 'reset';
  /** Null for the first administrator, who enters it. */
  readonly email: string | null;
  /** Null for the operator's team. */
  readonly merchantId: MerchantId | null;
  /** Null for a reset. */
  readonly role: string | null;
  /** The kind and the id of the actor. */
  readonly invitedBy: string;
  /** The users behind that actor, each as an actor. */
  readonly invitedPeople: readonly string[];
  /** The second administrator of a reset. Null while the reset waits for one. */
  readonly approvedBy: string | null;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly acceptedAt: Instant | null;
  readonly revokedAt: Instant | null;
}

export interface InvitationStore {
  add(invitation: Invitation, secretHash: Buffer | null): Promise<void>;
  find(invitationId: string): Promise<Invitation | undefined>;
  findBySecret(secretHash: Buffer): Promise<Invitation | undefined>;
  /** Returns the open invitations of the team, newest first, at most a thousand. A reset belongs to the operator. */
  open(merchantId: MerchantId | null, now: Instant): Promise<readonly Invitation[]>;
  /** Returns false if it was accepted or revoked, or has expired. Only one of two concurrent acceptances succeeds. */
  accept(invitationId: string, at: Instant): Promise<boolean>;
  revoke(invitationId: string, at: Instant): Promise<boolean>;
  /** Records the second administrator's approval of a reset. Returns false if it is not open or needs no approval. */
  approve(invitationId: string, approvedBy: string, secretHash: Buffer, at: Instant): Promise<boolean>;
  /** True if the operator has a user with this role, or an open invitation for one. */
  hasOperator(role: string, now: Instant): Promise<boolean>;
}
