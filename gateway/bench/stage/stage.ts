/** What a benchmark runs on: a database of its own with fsync on, the processes it needs, and their tidy end. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Gateway, openGateway } from '../../src/main/compose/compose.ts';
import { readConfig } from '../../src/main/config/config.ts';
import { type LoadProcess, startLoadProcess } from '../load/load-process.ts';
import { type AdminClient, openAdminClient } from './admin-client.ts';
import { freePorts } from './free-ports.ts';
import { programsOf, urlAt } from './programs.ts';
import { type Program, type StagedProcess, startProgram } from './staged-process.ts';

export interface Stage {
  /** This process's own view of the gateway: for preparing, counting and verifying; it serves nothing. */
  readonly gateway: Gateway;
  readonly admin: AdminClient;
  readonly gatewayUrl: URL;
  readonly receiverUrl: URL;
  readonly load: LoadProcess;
  /** Whatever runs now, but the load generator. */
  readonly running: ReadonlySet<StagedProcess>;
  startGateway(role: 'api' | 'worker' | 'all'): Promise<StagedProcess>;
  /** The simulators of all banks. */
  startBanks(): Promise<StagedProcess>;
  startReceiver(): Promise<StagedProcess>;
  /** What has come to the receiver that runs now. */
  callbacksReceived(): Promise<Received>;
  startHttpFloor(key: string): Promise<StagedProcess & { readonly url: URL }>;
  /** Ends what runs, and removes what is not kept. A second call waits for the first. */
  close(): Promise<void>;
}

export interface Received {
  readonly requests: number;
  /** Each different callback by its webhook-id, with the time of its first coming, by `monotonicMs`. */
  readonly arrivals: readonly (readonly [id: string, atMs: number])[];
}

/** `keepIn`: a folder whose database is used where there is one, and stays afterwards; null: one that is thrown away. */
export async function openStage(keepIn: string | null): Promise<Stage> {
  const folder = keepIn === null ? mkdtempSync(path.join(tmpdir(), 'gateway-bench-')) : path.resolve(keepIn);
  mkdirSync(folder, { recursive: true });
  const [gatewayPort = 0, bankPort = 0, stpPort = 0, receiverPort = 0, floorPort = 0] = await freePorts(5);
  const ports = { gatewayPort, bankPort, stpPort, receiverPort, floorPort };
  const programs = programsOf(folder, ports);
  const config = readConfig(programs.variables);
  if (!config.ok) throw new Error(config.error.join('; '));
  const gateway = await openGateway(config.value);
  const admin = await openAdminClient(gateway.core.connection);
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
    startGateway: async (role) => start(programs.gateway(role, (await freePorts(1))[0] ?? 0)),
    startBanks: () => start(programs.banks),
    startReceiver: () => start(programs.receiver),
    callbacksReceived: async () => (await (await fetch(urlAt(receiverPort))).json()) as Received,
    startHttpFloor: async (key) => ({ ...(await start(programs.httpFloor(key))), url: urlAt(floorPort) }),
    close: () => (closing ??= close()),
  };
}

/** Which is not the data folder where the benchmark is run as root. */
async function folderOfDatabase(admin: AdminClient): Promise<string> {
  const [row] = await admin.query<{ folder: string }>(`select current_setting('data_directory') as folder`);
  if (!row || path.basename(row.folder) !== 'cluster') throw new Error('the database lies where it was not expected');
  return path.dirname(row.folder);
}
