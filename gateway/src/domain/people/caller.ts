/** The user or program that sends a request, and its permissions. */
import type { Instant } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Actor } from '../audit/actor.ts';

export interface Caller {
  readonly actor: Actor;
  /** The merchant whose objects the caller may see. Null for a caller of the operator, who may see all. */
  readonly merchantId: MerchantId | null;
  /** Null means every permission. */
  readonly permissions: ReadonlySet<string> | null;
  /** Set for an operator user who sees what `merchantId` sees and may change nothing. */
  readonly isViewing?: true;
  /** Present for a user. */
  readonly session?: CallerSession;
  /** The user who created the token. Empty if the command line did. */
  readonly createdBy?: string;
  /** The time when the token expires. */
  readonly expiresAt?: Instant;
  /** The second person, whose approval performs the action and who sees its secrets. */
  readonly approvedBy?: string;
  /** The user who approved the creation of this token and saw its secret. */
  readonly shownTo?: string;
}

/** Returns the user who is responsible for the caller's actions, or '' if unknown. */
export function personOf({ session, createdBy = '' }: Pick<Caller, 'session' | 'createdBy'>): string {
  return session?.personId ?? createdBy;
}

/** Returns the users who can make the caller act: its user, and for a token also the user who saw its secret. */
export function peopleBehind(caller: Pick<Caller, 'session' | 'createdBy' | 'shownTo'>): readonly string[] {
  return [personOf(caller), caller.shownTo ?? ''].filter((personId) => personId !== '');
}

export interface CallerSession {
  readonly sessionId: string;
  readonly personId: string;
  readonly way: SignInWay;
  readonly createdAt: Instant;
}

/**
 * How a user proved their identity. A session opened with a recovery code may only add credentials. `link` is an invitation.
 */
const SIGN_IN_WAYS = ['passkey', 'password', 'openid', 'recovery', 'link'] as const;
export type SignInWay = (typeof SIGN_IN_WAYS)[number];

export function mayUse({ permissions }: Pick<Caller, 'permissions'>, permission: string): boolean {
  return permissions === null || permissions.has(permission);
}
