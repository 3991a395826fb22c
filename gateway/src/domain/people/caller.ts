/** The person or program that performs an act, as the audit log names it. */
import type { MerchantId } from '../../foundation/identifiers.ts';

/** `token`: a program. `emergency`: a person with a shell on the server, who needs no permission and no second person. */
export const ACTOR_KINDS = ['token', 'emergency'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

export interface Actor {
  readonly kind: ActorKind;
  /** Unique within the kind. */
  readonly id: string;
  readonly name: string;
}

export interface Caller {
  readonly actor: Actor;
  /** The merchant whose objects the caller may see; null: the operator's caller, who may see all. */
  readonly merchantId: MerchantId | null;
  /** Null: every permission. */
  readonly permissions: ReadonlySet<string> | null;
}

export function mayUse({ permissions }: Caller, permission: string): boolean {
  return permissions === null || permissions.has(permission);
}
