/** Stores invitations in PostgreSQL. */
import type { Invitation, InvitationStore } from '../../domain/people/invitation.ts';
import type { Instant } from '../../foundation/clock.ts';
import { type Database, timestamp } from '../core/database.ts';

interface InvitationRow {
  readonly invitation_id: string;
  readonly purpose: Invitation['purpose'];
  readonly email: string | null;
  readonly merchant_id: string | null;
  readonly role: string | null;
  readonly invited_by: string;
  readonly invited_people: readonly string[];
  readonly approved_by: string | null;
  readonly created_at: Instant;
  readonly expires_at: Instant;
  readonly accepted_at: Instant | null;
  readonly revoked_at: Instant | null;
}

const COLUMNS = `invitation_id, purpose, email, merchant_id, role, invited_by, invited_people, approved_by, created_at,
  expires_at, accepted_at, revoked_at`;
const OPEN = 'accepted_at is null and revoked_at is null';

export function createInvitationStore(database: Database): InvitationStore {
  const findOne = async (where: string, value: unknown) => {
    const [row] = await database.query<InvitationRow>(`select ${COLUMNS} from invitations where ${where}`, [value]);
    return row && readInvitation(row);
  };
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
    async open(merchantId, now) {
      const rows = await database.query<InvitationRow>(
        `select ${COLUMNS} from invitations
         where merchant_id is not distinct from $1 and ${OPEN} and expires_at > $2 order by created_at desc limit 1000`,
        [merchantId, timestamp(now)],
      );
      return rows.map(readInvitation);
    },
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

function readInvitation(row: InvitationRow): Invitation {
  return {
    invitationId: row.invitation_id,
    purpose: row.purpose,
    email: row.email,
    merchantId: row.merchant_id,
    role: row.role,
    invitedBy: row.invited_by,
    invitedPeople: row.invited_people,
    approvedBy: row.approved_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    acceptedAt: row.accepted_at,
    revokedAt: row.revoked_at,
  };
}
