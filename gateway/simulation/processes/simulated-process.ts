/** A gateway process: the production composition over simulated external systems. It can be killed at any turn. */
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { ServeRole } from '../../src/cli/command-host.ts';
import type { CallbackTransport } from '../../src/domain/callbacks/callback-transport.ts';
import { type Gateway, openGateway } from '../../src/main/compose/compose.ts';
import type { Config } from '../../src/main/config/config.ts';
import type { Hooks } from '../../src/main/observability/hooks.ts';
import type { Outside } from '../../src/main/outside.ts';
import { createRails, type Rails } from '../../src/rails/registry.ts';
import type { Admin } from '../database/restorable-database.ts';
import { type DatabaseFaults, SimulatedDatabase } from '../database/simulated-database.ts';
import { createLife, type Life } from '../world/life.ts';
import type { World } from '../world/world.ts';

export interface SimulatedProcess {
  readonly life: Life;
  readonly gateway: Gateway;
  /** The listener for merchants and banks. Undefined in a worker. */
  readonly api: FastifyInstance | undefined;
  readonly database: SimulatedDatabase;
  /** Kills the process and waits until PostgreSQL has closed its connections. */
  bury(): Promise<void>;
}

export interface ProcessParts {
  readonly world: World;
  readonly config: Config;
  readonly connection: pg.ClientConfig;
  readonly admin: Admin;
  readonly faults: DatabaseFaults;
  readonly watch: Partial<Hooks>;
  /** Replaces the real providers by simulated ones. */
  readonly ports: (rails: Rails, life: Life) => Rails;
  readonly transportOf: (life: Life) => CallbackTransport;
}

/** Starts a process. If `role` is null, it has no listeners and serves the operator's commands. */
export async function startProcess(
  parts: ProcessParts,
  name: string,
  role: ServeRole | null,
  housekeeping = false,
): Promise<SimulatedProcess> {
  const { world, config, connection, admin, faults, watch, ports, transportOf } = parts;
  const life = createLife(name);
  const clock = world.clockOf(life);
  let isStarted = false;
  const sinceStart: DatabaseFaults = {
    isAway: faults.isAway,
    commitFault: (of) => (isStarted ? faults.commitFault(of) : undefined),
  };
  const apps: FastifyInstance[] = [];
  const databases: SimulatedDatabase[] = [];
  const outside: Outside = {
    openConnection: async () => ({
      connection,
      embedded: null,
      folder: null,
      deleted: new Promise(() => {}),
      close: async () => {},
    }),
    openDatabase: () => {
      const database = new SimulatedDatabase(world, life, connection, sinceStart);
      databases.push(database);
      return database;
    },
    createRails: (configuration, railParts) => ports(createRails(configuration, railParts), life),
    createCallbackTransport: () => transportOf(life),
    listen: async (app) => {
      await app.ready();
      apps.push(app);
      return 'http://gateway.example';
    },
    steadyMs: world.now,
  };
  const open = async () => {
    const options = { clock, random: world.drawn.apart(`process ${name}`).random, logTo: { write: () => {} } };
    const gateway = await openGateway(config, { ...options, outside, watch });
    if (role !== null) await gateway.serve(role, { housekeeping });
    return gateway;
  };
  const gateway = await world.only(life, open());
  isStarted = true;
  const [database] = databases;
  if (!database) throw new Error('the gateway opened no database');
  return {
    life,
    gateway,
    api: apps[0],
    database,
    async bury() {
      life.kill();
      // A statement that waits for a lock would outlive its process, because its server process is stopped
      // (database/lock-watch.ts).
      const { rows } = await admin.query<{ pid: number }>(
        `select pid, pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = $1 and wait_event_type = 'Lock'`,
        [name],
      );
      for (const { pid } of rows) process.kill(pid, 'SIGCONT');
      await database.bury();
    },
  };
}
