/** The port for invitations. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';

export interface Invitation {
  readonly invitationId: string;
  /** `reset`: the person gets a new passkey, and every other credential is removed. */
  readonly purpose: 'join' | 'reset';
  /** Null: the first administrator, who states it. */
  readonly email: string | null;
  /** Null: the operator. */
  readonly merchantId: MerchantId | null;
  /** Null for a reset. */
  readonly role: string | null;
  /** The kind and the id of the actor. */
  readonly invitedBy: string;
  /** The people behind that actor, each as an actor. */
  readonly invitedPeople: readonly string[];
  /** The second administrator of a reset; null: it waits for one. */
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
  /** Open ones of the team, newest first; at most a thousand. A reset belongs to the operator. */
  open(merchantId: MerchantId | null, now: Instant): Promise<readonly Invitation[]>;
  /** False: it was accepted, revoked, or has expired. One of two simultaneous acceptances succeeds. */
  accept(invitationId: string, at: Instant): Promise<boolean>;
  revoke(invitationId: string, at: Instant): Promise<boolean>;
  /** The second administrator approves a reset. False: it is not open, or needs no approval. */
  approve(invitationId: string, approvedBy: string, secretHash: Buffer, at: Instant): Promise<boolean>;
  /** True: the operator has a person with this role, or an open invitation for one. */
  hasOperator(role: string, now: Instant): Promise<boolean>;
}
