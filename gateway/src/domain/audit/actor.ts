/** The user or program that performs an action, as the audit log records it. */
import type { MerchantId } from '../../foundation/identifiers.ts';

/**
 * `person`: a signed-in user. `token`: a program. `emergency`: someone with a shell on the server, who needs neither a
 * permission nor a second person. `visitor`: a user who is not signed in.
 */
const ACTOR_KINDS = ['person', 'token', 'emergency', 'visitor'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

export interface Actor {
  readonly kind: ActorKind;
  /** The id is unique within the kind. */
  readonly id: string;
  /** The email address of a user. */
  readonly name: string;
}

/**
 * Resolves to the names of actors that a merchant may see: its own users and programs, rails, and components of the gateway.
 */
export type ActorNames = (merchantId: MerchantId) => Promise<ReadonlySet<string>>;
