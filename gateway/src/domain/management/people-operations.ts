/** The operations on people that need no second person: those of a shell on the server. */
import type { MerchantId } from '../../foundation/identifiers.ts';
import type { Result } from '../../foundation/result.ts';
import type { Secret } from '../../foundation/secret.ts';
import type { Member } from '../people/person.ts';
import type { InvitationOrder, Invited, TeamRefusal } from '../people/team.ts';

export interface PeopleOperations {
  /** `merchantId` null: the operator’s people. */
  members(merchantId: MerchantId | null): Promise<readonly Member[]>;
  invite(order: InvitationOrder): Promise<Result<Invited, TeamRefusal>>;
  remove(email: string, merchantId: MerchantId | null): Promise<Result<unknown, TeamRefusal>>;
  /** The link that replaces all credentials of the person. */
  reset(email: string): Promise<Result<Secret, TeamRefusal>>;
  /** The link for the first administrator. Undefined: there is one, or an open invitation for one. */
  firstAdministrator(): Promise<Secret | undefined>;
}
