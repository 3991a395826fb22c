/** The port for policies. */
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Actor } from '../audit/actor.ts';
import type { Policy } from './policy.ts';

/** A policy of a team. */
interface TeamPolicy extends Policy {
  readonly team: MerchantId;
}

/** The team for which a caller acts, and the users who can make it act. */
export interface BoundCaller {
  readonly team: MerchantId;
  readonly actor: Pick<Actor, 'kind' | 'id'>;
  readonly people: readonly string[];
}

export interface PolicyStore {
  /**
   * Returns the policies that bind the caller for this action: those of its team. If an operator user or token acts as a
   * merchant, the operator's policies come first, so that operators cannot bypass their own.
   */
  binding(act: string, caller: BoundCaller): Promise<readonly TeamPolicy[]>;
  /** Returns the policies that bind the users and programs of a merchant, or of the operator, in order. */
  list(team: MerchantId): Promise<readonly Policy[]>;
  /** Returns false, without a change, if the policies are not those that the caller read. */
  replace(
    team: MerchantId,
    policies: readonly Policy[],
    isCurrent: (policies: readonly Policy[]) => boolean,
  ): Promise<boolean>;
}
