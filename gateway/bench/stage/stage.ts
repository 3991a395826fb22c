/** The environment of a benchmark (its "stage"): a separate database with fsync on, the processes, and their cleanup. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Gateway, openGateway } from '../../src/main/compose/compose.ts';
import { readConfig } from '../../src/main/config/config.ts';
import { type LoadProcess, startLoadProcess } from '../load/load-process.ts';
import { type AdminClient, numberOf, openAdminClient } from './admin-client.ts';
import { BENCH_KEY } from './bench-merchants.ts';
import { freePorts } from './free-ports.ts';
import { programsOf, urlAt } from './programs.ts';
import { type Program, type StagedProcess, startProgram } from './staged-process.ts';

export interface Stage {
  /** A gateway in this process for preparing, counting and verifying. It serves no requests. */
  readonly gateway: Gateway;
  readonly admin: AdminClient;
  readonly gatewayUrl: URL;
  readonly receiverUrl: URL;
  readonly load: LoadProcess;
  /** All running processes except the load generator. */
  readonly running: ReadonlySet<StagedProcess>;
  /** `variables` are added to those that every gateway process gets. */
  startGateway(role: 'api' | 'worker' | 'all', variables?: Program['environment']): Promise<StagedProcess>;
  /** Starts the simulators of the banks (servers/banks.ts). */
  startBanks(): Promise<StagedProcess>;
  startReceiver(): Promise<StagedProcess>;
  /** Returns the callbacks that the running receiver has accepted. */
  callbacksReceived(): Promise<Received>;
  /**
   * If `commits` is set, each payout waits for a commit of that statement (servers/http-floor.ts). The port defaults to a free
   * one.
   */
  startHttpFloor(options?: { commits?: BatchStatement; port?: number }): Promise<ServerOfFloor>;
  /** Starts a minimal worker with this many narrow payouts in its queue (servers/drain-floor.ts). */
  startDrainFloor(payouts: number): Promise<StagedProcess>;
  /** Starts a server without HTTP (servers/bare.ts). */
  startBareServer(): Promise<ServerOfFloor>;
  /** Stops all processes and deletes temporary files and databases. A second call waits for the first. */
  close(): Promise<void>;
}

/** A statement for a batch. `$1` contains the payout numbers. */
export interface BatchStatement {
  readonly statement: string;
  readonly firstNumber: number;
}

export type ServerOfFloor = StagedProcess & { readonly url: URL };

export interface Received {
  readonly requests: number;
  /** Each distinct callback by its webhook-id, with its first arrival by `monotonicMs`. */
  readonly arrivals: readonly (readonly [id: string, atMs: number])[];
}

/** Reuses or creates the database in the folder `keepIn`, and keeps it. If null, the database is temporary. */
export async function openStage(keepIn: string | null): Promise<Stage> {
  const folder = keepIn === null ? mkdtempSync(path.join(tmpdir(), 'gateway-bench-')) : path.resolve(keepIn);
  mkdirSync(folder, { recursive: true });
  const [gatewayPort = 0, bankPort = 0, stpPort = 0, receiverPort = 0] = await freePorts(4);
  const ports = { gatewayPort, bankPort, stpPort, receiverPort };
  const programs = programsOf(folder, ports);
  const config = readConfig(programs.variables);
  if (!config.ok) throw new Error(config.error.join('; '));
  const gateway = await openGateway(config.value);
  const admin = await openAdminClient(gateway.core.connection);
  await fillWalFiles(admin);
  const load = await startLoadProcess();
  const running = new Set<StagedProcess>();
  const start = async (program: Program): Promise<StagedProcess> => {
    const started = await startProgram(program);
    const staged: StagedProcess = {
      ...started,
      async stop() {
        running.delete(staged);
        await started.stop();
      },
    };
    running.add(staged);
    return staged;
  };
  const startFloor = async (program: (port: number) => Program, wanted?: number): Promise<ServerOfFloor> => {
    const port = wanted ?? (await freePorts(1))[0] ?? 0;
    return { ...(await start(program(port))), url: urlAt(port) };
  };
  let closing: Promise<void> | undefined;
  const close = async () => {
    await Promise.all([...running].map((staged) => staged.stop()));
    await load.stop();
    const databaseFolder = await folderOfDatabase(admin);
    await admin.close();
    await gateway.close();
    if (keepIn !== null) return;
    for (const used of [databaseFolder, folder]) rmSync(used, { recursive: true, force: true });
  };
  return {
    gateway,
    admin,
    gatewayUrl: urlAt(gatewayPort),
    receiverUrl: urlAt(receiverPort),
    load,
    running,
    async startGateway(role, variables = {}) {
      const program = programs.gateway(role, (await freePorts(1))[0] ?? 0);
      return start({ ...program, environment: { ...program.environment, ...variables } });
    },
    startBanks: () => start(programs.banks),
    startReceiver: () => start(programs.receiver),
    callbacksReceived: async () => (await (await fetch(urlAt(receiverPort))).json()) as Received,
    startHttpFloor: ({ commits, port: wanted } = {}) =>
      startFloor(
        (port) =>
          programs.httpFloor(port, {
            KEY: BENCH_KEY.reveal(),
            ...(commits && { COMMITS: JSON.stringify({ ...commits, connection: gateway.core.connection }) }),
          }),
        wanted,
      ),
    startDrainFloor: (payouts) =>
      startFloor((port) =>
        programs.drainFloor(port, {
          connection: gateway.core.connection,
          receiverUrl: urlAt(receiverPort).href,
          merchantKey: BENCH_KEY.reveal(),
          payouts,
        }),
      ),
    startBareServer: () => startFloor(programs.bareServer),
    close: () => (closing ??= close()),
  };
}

/**
 * Fills the WAL files once. A server that has run for a while reuses old WAL files; a new server would create a file of 16 MB
 * for each second of load, and the commits would wait for it.
 */
async function fillWalFiles(admin: AdminClient): Promise<void> {
  const files = await numberOf(
    admin,
    `select pg_size_bytes(current_setting('min_wal_size')) / pg_size_bytes(current_setting('wal_segment_size'))`,
  );
  for (let file = 0; file < files; file++) {
    await admin.query(`select pg_logical_emit_message(true, 'bench', ''), pg_switch_wal()`);
  }
  await admin.query('checkpoint');
}

/** Returns the folder, which differs from the data folder if root runs the benchmark. */
async function folderOfDatabase(admin: AdminClient): Promise<string> {
  const [row] = await admin.query<{ folder: string }>(`select current_setting('data_directory') as folder`);
  if (!row || path.basename(row.folder) !== 'cluster') throw new Error('the database lies where it was not expected');
  return path.dirname(row.folder);
}
