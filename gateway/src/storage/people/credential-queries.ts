/** The credentials of users: passkeys, passwords with their authenticator apps, and recovery codes. */
import type { PeopleStore } from '../../domain/people/people-store.ts';
import type { StoredPasskey } from '../../domain/people/person.ts';
import type { Instant } from '../../foundation/clock.ts';
import type { Database, Queryable } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';

interface PasskeyRow {
  readonly credential_id: string;
  readonly person_id: string;
  readonly public_key: Buffer;
  readonly counter: bigint;
  readonly transports: readonly string[];
  readonly name: string;
  readonly created_at: Instant;
  readonly last_used_at: Instant | null;
}

const PASSKEY = 'credential_id, person_id, public_key, counter, transports, name, created_at, last_used_at';

interface PasswordRow {
  readonly salt: Buffer;
  readonly hash: Buffer;
  readonly totp_seed: Buffer;
  readonly totp_step: bigint;
  readonly changed_at: Instant;
}

type CredentialQueries = Omit<
  PeopleStore,
  | 'add'
  | 'find'
  | 'findByEmail'
  | 'memberships'
  | 'members'
  | 'setRole'
  | 'changeRole'
  | 'findIdentity'
  | 'linkIdentity'
>;

export function credentialQueries(database: Database): CredentialQueries {
  return {
    ...passkeyQueries(database),
    ...passwordQueries(database),
    replaceRecoveryCodes: (personId, hashes) =>
      database.transaction(async (transaction) => {
        await transaction.query('delete from recovery_codes where person_id = $1', [personId]);
        await transaction.query('insert into recovery_codes (person_id, code_hash) select $1, unnest($2::bytea[])', [
          personId,
          hashes,
        ]);
      }),
    async countRecoveryCodes(personId) {
      const [row] = await database.query<{ readonly count: bigint }>(
        'select count(*) from recovery_codes where person_id = $1 and used_at is null',
        [personId],
      );
      return Number(row?.count ?? 0n);
    },
    async useRecoveryCode(personId, hash, at) {
      const used = await database.query(
        `update recovery_codes set used_at = $3 where person_id = $1 and code_hash = $2 and used_at is null returning 1`,
        [personId, hash, timestamp(at)],
      );
      return used.length > 0;
    },
    resetCredentials: (personId, passkey, at) =>
      database.transaction(async (transaction) => {
        for (const table of ['passkeys', 'passwords', 'recovery_codes', 'openid_identities'])
          await transaction.query(`delete from ${table} where person_id = $1`, [personId]);
        await addPasskey(transaction, { ...passkey, personId, createdAt: at, lastUsedAt: null });
        await transaction.query('update sessions set ended_at = $2 where person_id = $1 and ended_at is null', [
          personId,
          timestamp(at),
        ]);
      }),
  };
}

function passkeyQueries(
  database: Database,
): Pick<PeopleStore, 'addPasskey' | 'findPasskey' | 'passkeys' | 'countPasskey' | 'removePasskey'> {
  return {
    addPasskey: (passkey) => addPasskey(database, passkey),
    async findPasskey(credentialId) {
      const [row] = await database.query<PasskeyRow>(`select ${PASSKEY} from passkeys where credential_id = $1`, [
        credentialId,
      ]);
      return row && readPasskey(row);
    },
    async passkeys(personId) {
      const rows = await database.query<PasskeyRow>(
        `select ${PASSKEY} from passkeys where person_id = $1 order by created_at, credential_id`,
        [personId],
      );
      return rows.map(readPasskey);
    },
    async countPasskey(credentialId, counter, at) {
      const counted = await database.query(
        `update passkeys set counter = $2, last_used_at = greatest(last_used_at, $3::timestamptz)
         where credential_id = $1 and (counter < $2 or (counter = 0 and $2 = 0)) returning 1`,
        [credentialId, counter, timestamp(at)],
      );
      return counted.length > 0;
    },
    async removePasskey(personId, credentialId) {
      const removed = await database.query(
        'delete from passkeys where person_id = $1 and credential_id = $2 returning 1',
        [personId, credentialId],
      );
      return removed.length > 0;
    },
  };
}

async function addPasskey(queryable: Queryable, passkey: StoredPasskey): Promise<boolean> {
  const { credentialId, personId, publicKey, counter, transports, name, createdAt } = passkey;
  const added = await queryable.query(
    `insert into passkeys (credential_id, person_id, public_key, counter, transports, name, created_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning 1`,
    [credentialId, personId, publicKey, counter, transports, name, timestamp(createdAt)],
  );
  return added.length > 0;
}

function passwordQueries(
  database: Database,
): Pick<PeopleStore, 'setPassword' | 'findPassword' | 'removePassword' | 'useTotpStep'> {
  return {
    async setPassword(personId, { salt, hash, totpSeed, totpStep, changedAt }) {
      await database.query(
        `insert into passwords (person_id, salt, hash, totp_seed, totp_step, changed_at)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (person_id) do update
           set salt = $2, hash = $3, totp_seed = $4, totp_step = $5, changed_at = $6`,
        [personId, salt, hash, totpSeed, totpStep, timestamp(changedAt)],
      );
    },
    async findPassword(personId) {
      const [row] = await database.query<PasswordRow>(
        'select salt, hash, totp_seed, totp_step, changed_at from passwords where person_id = $1',
        [personId],
      );
      return (
        row && {
          salt: row.salt,
          hash: row.hash,
          totpSeed: row.totp_seed,
          totpStep: Number(row.totp_step),
          changedAt: row.changed_at,
        }
      );
    },
    async removePassword(personId) {
      const removed = await database.query('delete from passwords where person_id = $1 returning 1', [personId]);
      return removed.length > 0;
    },
    async useTotpStep(personId, step) {
      const used = await database.query(
        'update passwords set totp_step = $2 where person_id = $1 and totp_step < $2 returning 1',
        [personId, step],
      );
      return used.length > 0;
    },
  };
}

function readPasskey(row: PasskeyRow): StoredPasskey {
  return {
    credentialId: row.credential_id,
    personId: row.person_id,
    publicKey: row.public_key,
    counter: Number(row.counter),
    transports: row.transports,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
