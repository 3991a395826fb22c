/** The port for policies. */
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Actor } from '../audit/actor.ts';
import type { Policy } from './policy.ts';

/** A rule of a team. */
interface TeamPolicy extends Policy {
  readonly team: MerchantId;
}

/** The team that a caller acts for, and the users who can make it act. */
export interface BoundCaller {
  readonly team: MerchantId;
  readonly actor: Pick<Actor, 'kind' | 'id'>;
  readonly people: readonly string[];
}

export interface PolicyStore {
  /**
   * Returns the rules that bind the caller for this action: those of its team. If an operator's person or token acts as a
   * merchant, the operator's rules come first, so that operators cannot bypass their own rules.
   */
  binding(act: string, caller: BoundCaller): Promise<readonly TeamPolicy[]>;
  /** Returns the rules that bind the users and programs of a merchant, or of the operator, in their order. */
  list(team: MerchantId): Promise<readonly Policy[]>;
  /** Returns false, without a change, if the rules are not those that the caller read. */
  replace(
    team: MerchantId,
    policies: readonly Policy[],
    isCurrent: (policies: readonly Policy[]) => boolean,
  ): Promise<boolean>;
}
