/** The port for policies. */
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Actor } from '../audit/actor.ts';
import type { Policy } from './policy.ts';

/** A rule of a team. */
interface TeamPolicy extends Policy {
  readonly team: MerchantId;
}

/** The team that a caller acts for, and the people who can make it act. */
export interface BoundCaller {
  readonly team: MerchantId;
  readonly actor: Pick<Actor, 'kind' | 'id'>;
  readonly people: readonly string[];
}

export interface PolicyStore {
  /**
   * The rules of this act that bind the caller: those of its team, and before them the operator's if one of the operator's
   * people, or a token of the operator, is behind a caller of a merchant. Otherwise they would escape their rules with a
   * token or a role there.
   */
  binding(act: string, caller: BoundCaller): Promise<readonly TeamPolicy[]>;
  /** The rules that bind the people and programs of a merchant, or of the operator, in their order. */
  list(team: MerchantId): Promise<readonly Policy[]>;
  /** False, without a change: the rules are not those that the caller read. */
  replace(
    team: MerchantId,
    policies: readonly Policy[],
    isCurrent: (policies: readonly Policy[]) => boolean,
  ): Promise<boolean>;
}
