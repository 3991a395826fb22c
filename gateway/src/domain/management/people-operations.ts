/** The invitations that the gateway makes itself, before anybody can sign in. */
import type { Result } from '../../foundation/result.ts';
import type { Secret } from '../../foundation/secret.ts';
import type { InvitationOrder, Invited, TeamRejection } from '../people/team.ts';

export interface PeopleOperations {
  invite(order: InvitationOrder): Promise<Result<Invited, TeamRejection>>;
  /** The link for the first administrator. Undefined: there is one, or an open invitation for one. */
  firstAdministrator(): Promise<Secret | undefined>;
}
