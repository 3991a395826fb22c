/** Stores invitations in PostgreSQL. */
import type { Invitation, InvitationStore } from '../../domain/people/invitation-store.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';

const COLUMNS = `invitation_id as "invitationId", purpose, email, merchant_id as "merchantId", role,
  invited_by as "invitedBy", invited_people as "invitedPeople", approved_by as "approvedBy", created_at as "createdAt",
  expires_at as "expiresAt", accepted_at as "acceptedAt", revoked_at as "revokedAt"`;
const OPEN = 'accepted_at is null and revoked_at is null';

export function createInvitationStore(database: Database): InvitationStore {
  const findOne = async (where: string, value: unknown) =>
    (await database.query<Invitation>(`select ${COLUMNS} from invitations where ${where}`, [value]))[0];
  const changed = async (text: string, values: readonly unknown[]) => (await database.query(text, values)).length > 0;
  return {
    async add(invitation, secretHash) {
      const { invitationId, purpose, email, merchantId, role, invitedBy, approvedBy, createdAt, expiresAt } =
        invitation;
      const { invitedPeople } = invitation;
      await database.query(
        `insert into invitations (invitation_id, purpose, secret_hash, email, merchant_id, role, invited_by, approved_by,
           created_at, expires_at, invited_people)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        [
          invitationId,
          purpose,
          secretHash,
          email,
          merchantId,
          role,
          invitedBy,
          approvedBy,
          timestamp(createdAt),
          timestamp(expiresAt),
          invitedPeople,
        ],
      );
    },
    find: (invitationId) => findOne('invitation_id = $1', invitationId),
    findBySecret: (secretHash) => findOne('secret_hash = $1', secretHash),
    open: (merchantId, now) =>
      database.query<Invitation>(
        `select ${COLUMNS} from invitations
         where merchant_id is not distinct from $1 and ${OPEN} and expires_at > $2 order by created_at desc limit 1000`,
        [merchantId, timestamp(now)],
      ),
    accept: (invitationId, at) =>
      changed(
        `update invitations set accepted_at = $2
         where invitation_id = $1 and ${OPEN} and expires_at > $2 and secret_hash is not null returning 1`,
        [invitationId, timestamp(at)],
      ),
    revoke: (invitationId, at) =>
      changed(`update invitations set revoked_at = $2 where invitation_id = $1 and ${OPEN} returning 1`, [
        invitationId,
        timestamp(at),
      ]),
    approve: (invitationId, approvedBy, secretHash, at) =>
      changed(
        `update invitations set approved_by = $2, secret_hash = $3
         where invitation_id = $1 and ${OPEN} and expires_at > $4
           and purpose = 'reset' and secret_hash is null and invited_by <> $2 and $2 <> all (invited_people) returning 1`,
        [invitationId, approvedBy, secretHash, timestamp(at)],
      ),
    async hasOperator(role, now) {
      const found = await database.query(
        `select 1 from memberships where merchant_id is null and role = $1
         union all
         select 1 from invitations where merchant_id is null and role = $1 and ${OPEN} and expires_at > $2 limit 1`,
        [role, timestamp(now)],
      );
      return found.length > 0;
    },
  };
}
