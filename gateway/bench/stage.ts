/** What a benchmark runs on: a database of its own with fsync on, the processes it needs, and their tidy end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Gateway, openGateway } from '../src/main/compose.ts';
import { readConfig } from '../src/main/config.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const BANK_SECRET = 'bench-bank-secret';

export interface Stage {
  /** This process's own view of the gateway: for preparing, counting and verifying; it serves nothing. */
  readonly gateway: Gateway;
  readonly gatewayUrl: URL;
  readonly receiverUrl: URL;
  /** Starts a process of the gateway and resolves when it is ready. */
  startGateway(role: 'api' | 'worker' | 'all'): Promise<Process>;
  /** The simulators of all banks. */
  startBanks(): Promise<Process>;
  startReceiver(): Promise<Process>;
  /** What has come to the receiver that runs now. */
  callbacksReceived(): Promise<Received>;
  startHttpFloor(key: string): Promise<Process & { readonly url: URL }>;
  close(): Promise<void>;
}

export interface Received {
  readonly requests: number;
  /** Each different callback by its webhook-id, with the time of its first coming, by `monotonicMs`. */
  readonly arrivals: readonly (readonly [id: string, atMs: number])[];
}

export interface Process {
  stop(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gateway-bench-'));
  const [port, metricsPort, bankPort, stpPort, receiverPort, floorPort] = await freePorts(6);
  const variables = {
    GATEWAY_DATA_DIR: folder,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    STAND_IN_BANK_URL: `http://127.0.0.1:${bankPort}`,
    STAND_IN_BANK_SECRET: BANK_SECRET,
    STP_URL: `http://127.0.0.1:${stpPort}`,
    STP_PRIVATE_KEY_FILE: path.join(folder, 'stp-private-key.pem'),
    LOG_LEVEL: 'error',
  };
  const config = readConfig(variables);
  if (!config.ok) throw new Error(config.error.join('; '));
  const gateway = await openGateway(config.value);
  const running = new Set<Process>();
  const urlOf = (at: number | undefined) => new URL(`http://127.0.0.1:${at}`);
  const start = async (script: string, args: string[], environment: Record<string, string>, ready: URL) => {
    const child = launch(script, args, environment);
    const process: Process = {
      async stop() {
        running.delete(process);
        await end(child);
      },
    };
    running.add(process);
    await untilAnswered(ready, child);
    return process;
  };
  return {
    gateway,
    gatewayUrl: urlOf(port),
    receiverUrl: urlOf(receiverPort),
    startGateway: (role) =>
      start('gateway/src/main/cli.ts', ['serve', '--role', role], variables, new URL('/readyz', urlOf(metricsPort))),
    startBanks: () =>
      start(
        'rail-simulators/src/main.ts',
        [],
        {
          STAND_IN_BANK_PORT: String(bankPort),
          STAND_IN_BANK_SECRET: BANK_SECRET,
          STAND_IN_BANK_NOTIFY_URL: `http://127.0.0.1:${port}/rail-notifications/stand-in-bank`,
          STAND_IN_BANK_BOOK: path.join(folder, 'bank.jsonl'),
          STP_PORT: String(stpPort),
          STP_ABONO_URL: `http://127.0.0.1:${port}/rail-notifications/stp`,
          STP_PUBLIC_KEY: path.join(folder, 'stp-public-key.pem'),
          STP_BOOK: path.join(folder, 'stp.jsonl'),
        },
        urlOf(stpPort),
      ),
    startReceiver: () => start('gateway/bench/serve-receiver.ts', [String(receiverPort)], {}, urlOf(receiverPort)),
    callbacksReceived: async () => (await (await fetch(urlOf(receiverPort))).json()) as Received,
    async startHttpFloor(key) {
      const url = urlOf(floorPort);
      const process = await start('gateway/bench/serve-http-floor.ts', [String(floorPort)], { KEY: key }, url);
      return { ...process, url };
    },
    async close() {
      await Promise.all([...running].map((process) => process.stop()));
      await gateway.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function launch(script: string, args: readonly string[], environment: Record<string, string>): ChildProcess {
  const { PATH } = process.env;
  return spawn(process.execPath, [path.join(ROOT, script), ...args], {
    env: { PATH, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

/** Any answer will do: it means that somebody listens. */
async function untilAnswered(url: URL, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (child.exitCode !== null) throw new Error(`a process of the benchmark ended with ${child.exitCode}`);
    const answer = await fetch(url).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer && answer.status !== 503) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nothing answers at ${url}`);
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
