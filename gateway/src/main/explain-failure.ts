/** Explains, in one sentence each, the failures that an operator can fix. Any other failure is a bug. */
import { AskingIncomplete } from '../domain/reconciliation/reconcile-by-asking.ts';
import { UnknownMasterKey } from '../domain/vault/keyring.ts';
import { OutcomeUnknown, Overloaded } from '../foundation/commit-errors.ts';
import { errorCode } from '../foundation/error-code.ts';
import { ListIncomplete } from '../rails/kit/list-incomplete.ts';
import { NotDistributable } from '../storage/cluster/distribute-tables.ts';
import { isConnectionFailure } from '../storage/core/database-errors.ts';
import { EmbeddedPostgresError } from '../storage/embedded/embedded-postgres-error.ts';
import { MigrationBlocked } from '../storage/migrations/migrate.ts';
import { UnfitSchema } from './compose/open-connection.ts';
import { ProductionRefusal } from './compose/refuse-risks.ts';
import { MasterKeyError } from './config/master-key.ts';
import { ListenError } from './listen.ts';
import { ProcessFailed } from './processes/running-process.ts';

/** Errors whose own message is that sentence. */
const SPOKEN = [
  EmbeddedPostgresError,
  MasterKeyError,
  UnfitSchema,
  MigrationBlocked,
  NotDistributable,
  ListenError,
  ProcessFailed,
  ProductionRefusal,
  ListIncomplete,
  AskingIncomplete,
] as const;

/** By SQLSTATE or errno. */
const BY_CODE: Readonly<Record<string, string>> = {
  '28P01': 'The database refuses the user or password of DATABASE_URL',
  '28000': 'The database refuses the user of DATABASE_URL, or wants TLS: add ?sslmode=require',
  '3D000': 'The database that DATABASE_URL names does not exist: create it, then run "gateway migrate"',
  '42501':
    'The user of DATABASE_URL lacks a right: run "gateway migrate" as the owner of the database, and let this user act as gateway_app',
  '22023': 'The role gateway_app does not exist: run "gateway migrate" as the owner of the database',
  '53100': 'The disk of the database is full',
  '53300': 'The database has no connection left: lower DATABASE_POOL_SIZE, or raise its max_connections',
  EACCES: 'A file of the data directory can’t be read or written by this user: see GATEWAY_DATA_DIR',
  EROFS: 'The data directory lies on a file system that can’t be written: see GATEWAY_DATA_DIR',
  ENOSPC: 'There is no disk space left: see GATEWAY_DATA_DIR',
};

export function explainFailure(error: unknown): string | undefined {
  if (SPOKEN.some((kind) => error instanceof kind)) return (error as Error).message;
  if (error instanceof UnknownMasterKey) return explainUnknownMasterKey(error.masterKeyId);
  if (error instanceof OutcomeUnknown)
    return 'The database was lost meanwhile: look whether it took effect before you repeat it';
  if (error instanceof Overloaded) return 'The gateway has too much to do at the moment: try again';
  const code = errorCode(error);
  const known = BY_CODE[code ?? ''];
  if (known) return known;
  return isConnectionFailure(error)
    ? `The database can’t be reached (${(error as Error).message || code}): see DATABASE_URL`
    : undefined;
}

/** `id`: the id of the missing key. */
export function explainUnknownMasterKey(id: string): string {
  return `The master key does not open this database, which was sealed under the key ${id}: give that key in GATEWAY_MASTER_KEY, after the current one if there is a newer`;
}
