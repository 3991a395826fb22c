/**
 * Runs a PostgreSQL for a gateway without DATABASE_URL. All processes of one data directory share it: the first process starts
 * it and the last process stops it. It listens only on a Unix socket.
 */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { dataDirectoryDeleted, EmbeddedPostgresError, explainFileError } from './embedded-postgres-error.ts';
import { installPrograms } from './native-programs.ts';
import { rememberOrigin } from './root-home.ts';
import { findHome, makeHome, prepareDataDirectory, type ServerHome } from './server-home.ts';
import { makeClusterIfMissing, startServer, stopServer } from './server-process.ts';
import { type ConnectionConfig, connectionConfigFor, DATABASE, joinServer, leaveServer } from './server-users.ts';
import { withStartLock } from './start-lock.ts';

interface EmbeddedPostgresOptions {
  /** The directory of the database, created if it is missing. A relative path starts at the current folder. */
  readonly dataDirectory: string;
  /** Receives a line for each slow step or problem. */
  readonly log: (line: string) => void;
  /** Called once when the data directory was deleted during use. The database cannot continue. */
  readonly onDeleted?: (error: EmbeddedPostgresError) => void;
  /** False only in tests, where commits then do not wait for the disk. */
  readonly durable?: boolean;
}

export interface EmbeddedPostgres {
  /** The parameter of `new pg.Pool(…)` or `new pg.Client(…)`. */
  readonly connectionConfig: ConnectionConfig;
  /** The folder of the database's files. For root it is not the data directory. */
  readonly folder: string;
  /** Leaves the server and stops it if no other process uses it. Close every pool first. */
  close(): Promise<void>;
}

const RETRY_MS = 50;
const ATTEMPTS = 1_200;
const REJOIN_MS = 1_000;
const LOOK_MS = 1_000;

/**
 * Finds the server of `dataDirectory` or starts it. Rejects with EmbeddedPostgresError for problems that the user can solve.
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDirectory = await prepareDataDirectory(options.dataDirectory);
  const use = new UseOfServer({ ...options, dataDirectory });
  const home = await use.join();
  return {
    connectionConfig: connectionConfigFor(home.folder, DATABASE),
    folder: home.folder,
    close: () => use.leave(),
  };
}

/** This process's use of the server. It restarts a server that crashed, until the process leaves. */
class UseOfServer {
  readonly #options: EmbeddedPostgresOptions;
  #client: pg.Client | undefined;
  #home: ServerHome | undefined;
  #postmaster: number | undefined;
  #rejoining: Promise<void> = Promise.resolve();
  #looking: NodeJS.Timeout | undefined;
  #left = false;
  #isDeleted = false;

  constructor(options: EmbeddedPostgresOptions) {
    this.#options = options;
  }

  async join(): Promise<ServerHome> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const home = await findHome(this.#options.dataDirectory);
      if (this.#home && home?.folder !== this.#home.folder) throw this.#deleted();
      const joined = home ? await joinServer(home.folder, () => this.#onLost()) : 'absent';
      if (home && typeof joined !== 'string') {
        this.#client = joined;
        this.#home = home;
        this.#postmaster = await readPostmaster(home);
        this.#looking ??= setInterval(() => void this.#lookForFolder(), LOOK_MS).unref();
        await rememberOrigin(home.folder, this.#options.dataDirectory);
        return home;
      }
      if (joined === 'not-ready' || (await this.#start()) === 'still-held') await sleep(RETRY_MS);
    }
    throw new EmbeddedPostgresError(
      `The database in ${this.#options.dataDirectory} did not become ready within ${(ATTEMPTS * RETRY_MS) / 1_000} s`,
      'See server.log beside it; another PostgreSQL process may hold it or all of its connections',
    );
  }

  async leave(): Promise<void> {
    if (this.#left) return;
    this.#left = true;
    clearInterval(this.#looking);
    await this.#rejoining;
    const client = this.#client;
    if (!client) return;
    try {
      if (await leaveServer(client)) await this.#stop();
    } catch {
      // The server has already stopped, so this process has nothing to leave.
    }
    await client.end().catch(() => {});
  }

  async #start(): Promise<'started' | 'still-held'> {
    const { dataDirectory, durable = true, log } = this.#options;
    return this.#alone(async () => {
      const home = (await findHome(dataDirectory)) ?? (await makeHome(dataDirectory));
      const programs = await installPrograms(home.folder);
      await makeClusterIfMissing(home, programs, durable, () => log(`Creating a database in ${home.folder}`));
      return startServer(home, programs, durable);
    });
  }

  async #stop(): Promise<void> {
    if (this.#isDeleted) return this.#stopDeleted();
    await this.#alone(async () => {
      const home = await findHome(this.#options.dataDirectory);
      if (home) await stopServer(home, await installPrograms(home.folder));
    });
  }

  /**
   * Stops a server whose data directory was deleted, since no other process can find it. Without its files the server cannot
   * shut down cleanly.
   */
  async #stopDeleted(): Promise<void> {
    const home = this.#home;
    if (home && (await stat(home.folder).catch(() => undefined)))
      await stopServer(home, await installPrograms(home.folder));
    else if (this.#postmaster !== undefined) process.kill(this.#postmaster, 'SIGQUIT');
  }

  async #lookForFolder(): Promise<void> {
    const home = await findHome(this.#options.dataDirectory).catch(() => this.#home);
    if (home?.folder !== this.#home?.folder && !this.#left) this.#deleted();
  }

  #deleted(): EmbeddedPostgresError {
    const error = dataDirectoryDeleted(this.#options.dataDirectory);
    if (!this.#isDeleted) {
      this.#isDeleted = true;
      clearInterval(this.#looking);
      this.#options.onDeleted?.(error);
    }
    return error;
  }

  async #alone<Value>(work: () => Promise<Value>): Promise<Value> {
    const { dataDirectory } = this.#options;
    try {
      return await withStartLock(join(dataDirectory, 'postgres-start.lock'), work);
    } catch (error) {
      throw explainFileError(error, dataDirectory);
    }
  }

  #onLost(): void {
    if (this.#left) return;
    this.#client = undefined;
    this.#rejoining = this.#rejoin();
  }

  /**
   * Joins the server again after the connection broke: without a connection this process is not counted as a user. Starts the
   * server if it died.
   */
  async #rejoin(): Promise<void> {
    this.#options.log('The database became unreachable; the gateway reconnects to it, or starts it again');
    while (!this.#left && !this.#isDeleted) {
      try {
        await this.join();
        return;
      } catch (error) {
        this.#options.log(error instanceof Error ? error.message : String(error));
        await sleep(REJOIN_MS);
      }
    }
  }
}

async function readPostmaster({ folder }: ServerHome): Promise<number | undefined> {
  const text = await readFile(join(folder, 'cluster/postmaster.pid'), 'utf8').catch(() => '');
  return Number.parseInt(text, 10) || undefined;
}
