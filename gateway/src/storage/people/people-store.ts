/** Stores users, their roles and their credentials in PostgreSQL. */
import type { PeopleStore } from '../../domain/people/people-store.ts';
import type { Member, Membership, Person } from '../../domain/people/person.ts';
import type { Instant } from '../../foundation/clock.ts';
import { lockKey } from '../core/advisory-locks.ts';
import type { Database, Queryable } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';
import { credentialQueries } from './credential-queries.ts';

interface PersonRow {
  readonly person_id: string;
  readonly email: string;
  readonly name: string;
  readonly created_at: Instant;
}

interface MembershipRow {
  readonly merchant_id: string | null;
  readonly role: string;
  readonly since: Instant;
}

const PERSON = 'people.person_id, people.email, people.name, people.created_at';

/** A user of the operator may have invited users to any team. */
const END_INVITATIONS = `
update invitations set revoked_at = $4
where accepted_at is null and revoked_at is null and purpose = 'join' and (
  ('person:' || $1 = any (invited_people) and ($2::text is null or merchant_id = $2))
  or ($3::text is null and merchant_id is not distinct from $2 and email = (select email from people where person_id = $1)))`;

export function createPeopleStore(database: Database): PeopleStore {
  const findOne = async (text: string, values: readonly unknown[]) => {
    const [row] = await database.query<PersonRow>(text, values);
    return row && readPerson(row);
  };
  return {
    ...credentialQueries(database),
    async add({ personId, email, name, createdAt }) {
      const added = await database.query(
        `insert into people (person_id, email, name, created_at) values ($1, $2, $3, $4)
         on conflict (email) do nothing returning 1`,
        [personId, email, name, timestamp(createdAt)],
      );
      return added.length > 0;
    },
    find: (personId) => findOne(`select ${PERSON} from people where person_id = $1`, [personId]),
    findByEmail: (email) => findOne(`select ${PERSON} from people where email = $1`, [email]),
    findIdentity: (issuer, subject) =>
      findOne(
        `select ${PERSON} from people join openid_identities using (person_id) where issuer = $1 and subject = $2`,
        [issuer, subject],
      ),
    async linkIdentity(personId, issuer, subject, at) {
      const linked = await database.query(
        `insert into openid_identities (issuer, subject, person_id, linked_at)
         select $2, $3, $1, $4
         where not exists (select 1 from openid_identities where person_id = $1 and issuer = $2)
         on conflict do nothing returning 1`,
        [personId, issuer, subject, timestamp(at)],
      );
      return linked.length > 0;
    },
    async memberships(personId) {
      const rows = await database.query<MembershipRow>(
        `select merchant_id, role, since from memberships where person_id = $1
         order by merchant_id is not null, since, merchant_id`,
        [personId],
      );
      return rows.map(readMembership);
    },
    async members(merchantId) {
      const rows = await database.query<PersonRow & MembershipRow & { readonly last_seen_at: Instant | null }>(
        `select ${PERSON}, memberships.role, memberships.since,
           (select max(last_used_at) from sessions where sessions.person_id = people.person_id
              and sessions.merchant_id is not distinct from memberships.merchant_id) as last_seen_at
         from memberships join people using (person_id)
         where memberships.merchant_id is not distinct from $1 order by since, email limit 1000`,
        [merchantId],
      );
      return rows.map(
        (row): Member => ({ ...readPerson(row), role: row.role, since: row.since, lastSeenAt: row.last_seen_at }),
      );
    },
    setRole: (personId, membership) => setRole(database, personId, membership),
    changeRole: ({ personId, merchantId, role, keeps, at }) =>
      database.transaction(async (transaction) => {
        await transaction.query(`select pg_advisory_xact_lock(${lockKey('team', '$1::text')})::text as held`, [
          merchantId ?? '',
        ]);
        const changed = await transaction.query(
          `${role === null ? 'delete from memberships' : 'update memberships set role = $3'}
           where person_id = $1 and merchant_id is not distinct from $2
             and (role <> $4 or $3 = $4 or exists (
               select 1 from memberships as others
               where others.merchant_id is not distinct from $2 and others.role = $4 and others.person_id <> $1))
           returning 1`,
          [personId, merchantId, role, keeps],
        );
        if (changed.length === 0) return false;
        await transaction.query(END_INVITATIONS, [personId, merchantId, role, timestamp(at)]);
        return true;
      }),
  };
}

async function setRole(queryable: Queryable, personId: string, { merchantId, role, since }: Membership) {
  await queryable.query(
    `insert into memberships (person_id, merchant_id, role, since) values ($1, $2, $3, $4)
     on conflict on constraint one_role_each do update set role = $3`,
    [personId, merchantId, role, timestamp(since)],
  );
}

function readPerson(row: PersonRow): Person {
  return { personId: row.person_id, email: row.email, name: row.name, createdAt: row.created_at };
}

function readMembership(row: MembershipRow): Membership {
  return { merchantId: row.merchant_id, role: row.role, since: row.since };
}
