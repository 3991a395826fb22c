/** The doctor's check of the database: version, schema, clock, connections, and whether the master key opens the vault. */
import type pg from 'pg';
import type { Finding } from '../../cli/command-host.ts';
import { PROCESS_COUNTS_FOR_MS, type RunningProcess } from '../../domain/monitoring/running-process.ts';
import { HEALTH_COUNTS_FOR_MS } from '../../domain/rails/rail-health.ts';
import { isRecovering } from '../../domain/recovery/recovery.ts';
import { createSealer } from '../../domain/vault/create-vault.ts';
import { FINGERPRINT_KEY_PLACE } from '../../domain/vault/open-fingerprint-key.ts';
import { configuredRails } from '../../rails/registry.ts';
import { type ClusterState, readClusterState } from '../../storage/cluster/cluster-state.ts';
import { readClockDifference } from '../../storage/core/connection/clock-difference.ts';
import { readServerSettings } from '../../storage/core/connection/server-settings.ts';
import { type Database, openDatabase } from '../../storage/core/database.ts';
import { countOpenDifferences } from '../../storage/differences/difference-store.ts';
import { readSchemaState, type SchemaState } from '../../storage/migrations/schema-state.ts';
import { createProcessStore } from '../../storage/monitoring/process-store.ts';
import { readQueueStatistics } from '../../storage/monitoring/queue-statistics.ts';
import { createRailHealthStore } from '../../storage/rails/rail-health-store.ts';
import { createLineageStore } from '../../storage/recovery/lineage-store.ts';
import { createRecoveryStore } from '../../storage/recovery/recovery-store.ts';
import { createVaultStore } from '../../storage/vault/vault-store.ts';
import { CLOCK_TOLERANCE_MS } from '../../worker/clock-guard.ts';
import { findDatabase } from '../compose/open-connection.ts';
import type { Config } from '../config/config.ts';
import { keyringFromSecret, openFileKeyring } from '../config/master-key.ts';
import { explainFailure, explainUnknownMasterKey, MEND_READ_ONLY } from '../explain-failure.ts';
import { numberOfProcesses } from '../processes/number-of-processes.ts';
import { examineBackups } from './doctor-backups.ts';
import { examineCluster } from './doctor-cluster.ts';
import { bad, type DoctorNotes, type DoctorParts, good, noted } from './doctor-finding.ts';
import { examineProduction } from './doctor-production.ts';
import { examineUnsignedForms } from './doctor-unsigned-forms.ts';

const NEEDED_VERSION = 15;
/** A commit waits while the server creates a new WAL segment. A checkpoint keeps this much WAL for reuse. */
const RECYCLED_WAL_MB = 1_024;

export async function examineDatabase(config: Config, parts: DoctorParts, notes: DoctorNotes): Promise<Finding[]> {
  const name = 'Database';
  try {
    return await withConnection(config, (connection) => examineConnection(connection, config, parts, notes));
  } catch (error) {
    const found = explainFailure(error) ?? `cannot be used (${(error as Error).message})`;
    return [
      bad(
        name,
        found,
        config.databaseUrl
          ? 'Correct DATABASE_URL, or start the PostgreSQL server'
          : 'Repair the data directory, or set DATABASE_URL to your own PostgreSQL',
      ),
    ];
  }
}

async function withConnection<Value>(
  config: Config,
  work: (connection: pg.ClientConfig) => Promise<Value>,
): Promise<Value> {
  const { connection, close } = await findDatabase(config, () => {});
  try {
    return await work(connection);
  } finally {
    await close();
  }
}

async function examineConnection(
  connection: pg.ClientConfig,
  config: Config,
  parts: DoctorParts,
  notes: DoctorNotes,
): Promise<Finding[]> {
  const asOwner = openDatabase(connection, { poolSize: 1, actAsApp: false });
  try {
    const schema = await readSchemaState(asOwner);
    const cluster = await readClusterState(asOwner);
    const findings = [
      await examineVersion(asOwner, config),
      await examineClock(asOwner, parts),
      await examineConnections(asOwner, config),
      await examineSettings(asOwner, config),
      examineSchema(schema, config),
      ...(cluster ? [examineCluster(cluster)] : []),
      ...(schema === 'fit' ? [await examineRecovery(asOwner)] : []),
    ];
    // The other checks read from every worker.
    if (schema !== 'fit' || !isWhole(cluster)) return findings;
    notes.workers = await createRailHealthStore(asOwner).health(parts.clock.now() - HEALTH_COUNTS_FOR_MS);
    notes.processes = await createProcessStore(asOwner).running(parts.clock.now() - PROCESS_COUNTS_FOR_MS);
    return [
      ...findings,
      ...examineProcesses(notes.processes),
      await examineVault(connection, config, parts),
      await examineDifferences(asOwner),
      ...(await examineBackups(asOwner, config, parts.clock)),
      ...(await examineForsakenPayouts(asOwner, config, parts, notes)),
      ...(await examineProduction(config, connection)),
      await examineUnsignedForms(connection),
    ];
  } finally {
    await asOwner.close();
  }
}

function isWhole(cluster: ClusterState | undefined): boolean {
  return (cluster?.unreachable ?? []).length === 0;
}

function examineProcesses(processes: readonly RunningProcess[]): Finding[] {
  if (processes.length === 0) return [];
  const name = 'Processes';
  const versions = [...new Set(processes.map(({ version }) => version))];
  const found = `${processes.length} running, ${versions.join(' and ')}`;
  return [
    versions.length === 1
      ? good(name, found)
      : noted(name, found, 'Restart the older processes: "gateway process list"'),
  ];
}

async function examineVersion(database: Database, { databaseUrl }: Config): Promise<Finding> {
  const [row] = await database.query<{ version: string; is_writable: boolean }>(
    `select current_setting('server_version') as version, current_setting('transaction_read_only') = 'off' as is_writable`,
  );
  const version = row?.version ?? '?';
  if (row?.is_writable === false)
    return bad(
      'Database',
      `PostgreSQL ${version} does not accept writes: it is a standby or read-only`,
      MEND_READ_ONLY,
    );
  const where = databaseUrl ? 'DATABASE_URL' : 'embedded';
  return Number.parseInt(version, 10) >= NEEDED_VERSION
    ? good('Database', `PostgreSQL ${version} (${where})`)
    : bad('Database', `PostgreSQL ${version} is too old`, `Use PostgreSQL ${NEEDED_VERSION} or newer`);
}

async function examineClock(database: Database, { clock }: DoctorParts): Promise<Finding> {
  const differenceMs = Math.round(await readClockDifference(database, clock));
  return Math.abs(differenceMs) <= CLOCK_TOLERANCE_MS
    ? good('Clock', `within ${CLOCK_TOLERANCE_MS} ms of the database's clock`)
    : bad(
        'Clock',
        `${differenceMs} ms off the database's: the workers would not send anything`,
        'Synchronise both clocks by NTP',
      );
}

/** Open differences stop nothing, so the doctor does not report them as a fault. */
async function examineDifferences(database: Database): Promise<Finding> {
  const open = await countOpenDifferences(database);
  const count = open.reduce((sum, each) => sum + each.count, 0);
  if (count === 0) return good('Differences', 'no difference with a provider is open');
  const since = new Date(Math.min(...open.map(({ oldestAt }) => oldestAt))).toISOString();
  return good('Differences', `${count} open, the oldest since ${since}: resolve them ("gateway difference list")`);
}

/** Returns the pending payouts of rails that neither a running process nor this shell is configured for: no worker claims them. */
async function examineForsakenPayouts(
  database: Database,
  { rails }: Config,
  { clock }: DoctorParts,
  { processes }: DoctorNotes,
): Promise<Finding[]> {
  const served = new Set([
    ...configuredRails(rails).map(({ definition }) => definition.name),
    ...processes.flatMap((process) => process.rails),
  ]);
  const { payoutStages } = await readQueueStatistics(database, clock.now());
  const forsaken = Map.groupBy(
    payoutStages.filter(({ rail }) => !served.has(rail)),
    ({ rail }) => rail,
  );
  return [...forsaken].map(([rail, stages]) => {
    const count = stages.reduce((sum, stage) => sum + stage.count, 0);
    const since = new Date(Math.min(...stages.map(({ oldestSince }) => oldestSince))).toISOString();
    return bad(
      `Payouts of ${rail}`,
      `${count} pending, the oldest since ${since}, and no process is configured for the rail`,
      `Configure ${rail} again until they are final ("gateway payout list --state pending --rail ${rail}")`,
    );
  });
}

/** Counts the processes of this machine only, plus one more for the time of a replacement. */
async function examineConnections(database: Database, { processes, databasePoolSize }: Config): Promise<Finding> {
  const name = 'Connections';
  const [row] = await database.query<{ available: number }>(
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
       - coalesce(current_setting('reserved_connections', true)::int, 0) as available`,
  );
  const available = row?.available ?? 0;
  const count = processes === null ? 1 : numberOfProcesses(processes) + 1;
  const needed = count * databasePoolSize;
  const found = `${count} × ${databasePoolSize} = at most ${needed} of the database's ${available}`;
  if (needed > available)
    return bad(name, found, 'Lower DATABASE_POOL_SIZE or GATEWAY_PROCESSES, or raise max_connections of the database');
  return good(name, `${found}: enough for ${Math.floor(available / needed)} such machines`);
}

/** Production refuses to serve with unsafe settings. In every environment the doctor reports them. */
async function examineSettings(database: Database, { databaseUrl }: Config): Promise<Finding> {
  const name = 'Settings';
  const { unsafe, minWalSizeMb } = await readServerSettings(database);
  if (unsafe.length > 0)
    return bad(
      name,
      `${unsafe.join(', ')}: a crash loses acknowledged payouts`,
      'Enable these settings on the database server',
    );
  return databaseUrl !== null && minWalSizeMb < RECYCLED_WAL_MB
    ? noted(name, `min_wal_size is ${minWalSizeMb} MB: commits wait for new files`, 'Set min_wal_size to 1GB or more')
    : good(name, 'a commit survives a crash');
}

function examineSchema(state: SchemaState, { databaseUrl }: Config): Finding {
  if (state === 'fit') return good('Schema', 'up to date');
  if (state === 'too_new') return bad('Schema', 'newer than this version', 'Start a newer version of the gateway');
  if (state === 'foreign')
    return bad('Schema', 'this version cannot migrate this schema', 'Use an empty database or a new GATEWAY_DATA_DIR');
  return databaseUrl
    ? bad('Schema', 'older than this version needs', 'Run "gateway migrate"')
    : good('Schema', 'the next start migrates it');
}

async function examineRecovery(database: Database): Promise<Finding> {
  const name = 'Restore';
  const { isKnown } = await createLineageStore(database).read();
  if (!isKnown)
    return bad(
      name,
      'the database runs on another server or timeline, as after a restore: no payout is sent',
      'If it was restored, run "gateway after-restore begin"; if it lost no data, run "gateway after-restore not-needed"',
    );
  const recovery = await createRecoveryStore(database).latest();
  if (!isRecovering(recovery)) return good(name, 'the gateway is not recovering');
  const since = new Date(recovery.startedAt).toISOString();
  const found = `the gateway has been recovering since ${since}: it queries banks before it sends`;
  return bad(name, found, 'Follow "gateway after-restore status" until every rail is completed');
}

/** Opens the secret that every start opens, and queries which other keys still seal values. */
async function examineVault(
  connection: pg.ClientConfig,
  config: Config,
  { clock, random }: DoctorParts,
): Promise<Finding> {
  const name = 'Master key';
  const remedy = 'Add the missing key to GATEWAY_MASTER_KEY, after the current key and a comma';
  const database = openDatabase(connection, { poolSize: 1 });
  try {
    const store = createVaultStore(database);
    const keyring = config.masterKey
      ? keyringFromSecret(config.masterKey)
      : openFileKeyring(config.dataDir, clock, random);
    const missing = (await store.masterKeyIds()).filter((id) => !keyring.find(id));
    if (missing[0] !== undefined) return bad(name, explainUnknownMasterKey(missing.join(', ')), remedy);
    const sealed = await store.findFingerprintKey();
    if (sealed) createSealer(keyring, random).open(sealed, FINGERPRINT_KEY_PLACE);
    return good(name, sealed ? 'decrypts the vault' : 'the vault is still empty');
  } catch (error) {
    return bad(name, explainFailure(error) ?? (error as Error).message, remedy);
  } finally {
    await database.close();
  }
}
