/** The person or program that performs an act, as the audit log names it. */
import type { MerchantId } from '../../foundation/identifiers.ts';

/**
 * `person`: somebody who signed in. `token`: a program. `emergency`: a person with a shell on the server, who needs no
 * permission and no second person. `visitor`: somebody who has not signed in.
 */
export const ACTOR_KINDS = ['person', 'token', 'emergency', 'visitor'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

export interface Actor {
  readonly kind: ActorKind;
  /** Unique within the kind. */
  readonly id: string;
  /** Of a person: the e-mail address. */
  readonly name: string;
}

export interface Caller {
  readonly actor: Actor;
  /** The merchant whose objects the caller may see; null: the operator's caller, who may see all. */
  readonly merchantId: MerchantId | null;
  /** Null: every permission. */
  readonly permissions: ReadonlySet<string> | null;
  /** Present for a person. */
  readonly session?: CallerSession;
}

export interface CallerSession {
  readonly sessionId: string;
  readonly personId: string;
  readonly way: SignInWay;
}

/** How a person proved their identity. A session by a recovery code may only add credentials. `link`: an invitation. */
export const SIGN_IN_WAYS = ['passkey', 'password', 'openid', 'recovery', 'link'] as const;
export type SignInWay = (typeof SIGN_IN_WAYS)[number];

export function mayUse({ permissions }: Pick<Caller, 'permissions'>, permission: string): boolean {
  return permissions === null || permissions.has(permission);
}
