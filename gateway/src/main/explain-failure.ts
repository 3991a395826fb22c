/** Explains, in one sentence each, the failures that an operator can fix. Any other failure is a bug. */
import { AskingIncomplete } from '../domain/reconciliation/reconcile-by-asking.ts';
import { UnknownMasterKey } from '../domain/vault/create-vault.ts';
import { OutcomeUnknown, Overloaded } from '../foundation/commit-errors.ts';
import { errorCode } from '../foundation/error-code.ts';
import { ListIncomplete } from '../rails/kit/list-incomplete.ts';
import { BackupError } from '../storage/backup/backup-error.ts';
import { NotDistributable } from '../storage/cluster/distribute-tables.ts';
import { isConnectionFailure } from '../storage/core/database-errors.ts';
import { EmbeddedPostgresError } from '../storage/embedded/embedded-postgres-error.ts';
import { MigrationBlocked } from '../storage/migrations/migrate.ts';
import { UnfitSchema } from './compose/open-connection.ts';
import { ProductionRefusal } from './compose/refuse-risks.ts';
import { MasterKeyError } from './config/master-key.ts';
import { KeyServiceError } from './key-service/key-service.ts';
import { ListenError } from './listen.ts';
import { ProcessFailed } from './processes/child-process.ts';

/** Errors whose own message is that sentence. */
const SPOKEN = [
  EmbeddedPostgresError,
  BackupError,
  MasterKeyError,
  KeyServiceError,
  UnfitSchema,
  MigrationBlocked,
  NotDistributable,
  ListenError,
  ProcessFailed,
  ProductionRefusal,
  ListIncomplete,
  AskingIncomplete,
] as const;

export const MEND_READ_ONLY = 'Point DATABASE_URL at the primary, or make the database writable';

/** The driver's message, which has no code. */
const NO_TLS = 'The server does not support SSL connections';
/** The server's message about `allow_connections false`. Its SQLSTATE 55000 also has other meanings. */
const NOT_ACCEPTING = /is not currently accepting connections/;

/** The advice by SQLSTATE or errno. */
const BY_CODE: Readonly<Record<string, string>> = {
  '28P01': 'The database refuses the user or password of DATABASE_URL: correct DATABASE_URL',
  '28000': 'The database refuses the user of DATABASE_URL, or requires TLS: add ?sslmode=require',
  '3D000': 'The database that DATABASE_URL names does not exist: create it, then run "gateway migrate"',
  '42501':
    'The user of DATABASE_URL lacks a privilege: run "gateway migrate" as the owner of the database, and let this user act as gateway_app',
  '22023': 'The role gateway_app does not exist: run "gateway migrate" as the owner of the database',
  '25006':
    'The database does not accept writes, because it is a standby or read-only: point DATABASE_URL at the primary, or make the database writable',
  '53100': 'The disk of the database is full: free disk space',
  '53300': 'The database has no free connection: lower DATABASE_POOL_SIZE, or raise max_connections of the database',
  EACCES:
    'This user cannot read or write a file in the data directory: give this user read and write access to GATEWAY_DATA_DIR',
  EROFS: 'The data directory is on a read-only file system: check GATEWAY_DATA_DIR',
  ENOSPC: 'No disk space is left: check GATEWAY_DATA_DIR',
};

/** A table or a column is missing. The list of migrations does not show that it was dropped. */
const DAMAGED: readonly string[] = ['42P01', '42703'];

export function explainFailure(error: unknown): string | undefined {
  if (SPOKEN.some((kind) => error instanceof kind)) return (error as Error).message;
  if (error instanceof UnknownMasterKey) return explainUnknownMasterKey(error.masterKeyId);
  if (error instanceof OutcomeUnknown)
    return 'The connection to the database broke: check whether the command took effect before you repeat it';
  if (error instanceof Overloaded) return 'The gateway is overloaded: retry later';
  const code = errorCode(error);
  if (error instanceof Error && error.message === NO_TLS)
    return 'The database does not offer TLS: enable TLS there, or correct sslmode in DATABASE_URL';
  if (error instanceof Error && NOT_ACCEPTING.test(error.message))
    return 'The database in DATABASE_URL does not allow connections: run "alter database NAME allow_connections true"';
  if (error instanceof Error && DAMAGED.includes(code ?? ''))
    return `The schema of the database is damaged (${error.message}): restore the database from a backup`;
  const known = BY_CODE[code ?? ''];
  if (known) return known;
  return isConnectionFailure(error)
    ? `The database is unreachable (${(error as Error).message || code}): check DATABASE_URL`
    : undefined;
}

/** `id` is that of the missing key. */
export function explainUnknownMasterKey(id: string): string {
  return `The master key does not open this database, which was sealed under the key ${id}: set that key in GATEWAY_MASTER_KEY, after the current key if a newer key is current`;
}
