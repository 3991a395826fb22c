/**
 * The supervisor's own process, which serves with several processes on one machine. It opens the embedded database for all
 * of them, runs the operator's listener, and manages the processes. Traffic of merchants and banks never passes through it.
 */
import type { Clock } from '../../foundation/clock.ts';
import type { ProcessCount } from '../../foundation/process-count.ts';
import type { ConnectionConfig } from '../../storage/embedded/server-users.ts';
import { openConnection } from '../compose/open-connection.ts';
import { refuseRisks } from '../compose/refuse-risks.ts';
import type { Config } from '../config/config.ts';
import { listen, urlOf } from '../listen.ts';
import { createAlerts, type RaiseAlert } from '../observability/alerts.ts';
import { createLog, type Log, logDestination } from '../observability/log.ts';
import { createMetrics, type Metrics } from '../observability/metrics.ts';
import { createOpsServer } from '../observability/ops-server.ts';
import { startClusterProcess } from './cluster-process.ts';
import { machineReadiness } from './machine-readiness.ts';
import { mergeMetrics } from './merge-metrics.ts';
import { numberOfProcesses } from './number-of-processes.ts';
import { createSupervisor, type Supervisor, type SupervisorEvent } from './supervise.ts';

interface ServeProcessesParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly count: ProcessCount;
  /** Shown in the first line of the log. */
  readonly role: string;
  readonly onProgress: (line: string) => void;
  /** Calls its listener when this process ends for any reason, because its processes must not outlive it. */
  readonly onExit: (end: () => void) => void;
}

interface ServingProcesses {
  /** The address for merchants; null for workers. */
  readonly url: string | null;
  readonly opsUrl: string;
  /** Resolves when the embedded database is deleted while the gateway uses it. */
  readonly databaseDeleted: Promise<Error>;
  /** Replaces one process after the other, while the others serve. */
  replaceAll(): Promise<void>;
  /** Resolves with the worst exit code. */
  stop(): Promise<number>;
}

/** The supervisor's name in the log and the metrics. Its processes have numbers. */
const SUPERVISOR = 'supervisor';

/** The first process does the work that only one process of a machine does: it runs the schedule and samples the queues. */
export const HOUSEKEEPER = '1';

/** Throws ProcessFailed, ListenError or the errors of `openConnection`. */
export async function serveProcesses(parts: ServeProcessesParts): Promise<ServingProcesses> {
  const { config, clock, count } = parts;
  const destination = logDestination({ isShared: true });
  const log = createLog({ level: config.logLevel, clock, destination, processName: SUPERVISOR });
  const metrics = createMetrics(SUPERVISOR);
  const { alertUrl: url, runbooksUrl } = config;
  const alerts = createAlerts({ url, runbooksUrl, clock, log, onRaised: metrics.alertRaised });
  const { connection, embedded, deleted, close } = await openConnection(config, parts.onProgress);
  await refuseRisks(config, connection, log).catch(async (error) => {
    await close();
    throw error;
  });
  const variables = embedded ? { DATABASE_URL: urlOfDatabase(embedded) } : {};
  const supervisor = createSupervisor({
    names: Array.from({ length: numberOfProcesses(count) }, (_, index) => String(index + 1)),
    start: (name) => startClusterProcess(name, variables),
    clock,
    onEvent: (event) => noteEvent(event, log, alerts.raise),
  });
  parts.onExit(supervisor.kill);
  let draining = false;
  metrics.watchProcesses(supervisor.tally);
  const ops = createOpsServer({
    metrics: { contentType: metrics.contentType, text: () => allMetrics(metrics, supervisor) },
    readiness: async () => machineReadiness(await supervisor.ask('readiness'), { draining }),
  });
  const stop = async () => {
    draining = true;
    const code = await supervisor.stop();
    await ops.close();
    await close();
    await alerts.close();
    return code;
  };
  try {
    await listen(ops, config.metricsHost, config.metricsPort);
    const url = await supervisor.start();
    log('started', { environment: config.environment, role: parts.role });
    log('listening', { listener: 'operator', address: urlOf(ops) });
    return { url, opsUrl: urlOf(ops), databaseDeleted: deleted, replaceAll: supervisor.replaceAll, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function allMetrics(own: Metrics, supervisor: Supervisor): Promise<string> {
  const pages = await supervisor.ask('metrics');
  return mergeMetrics([await own.text(), ...pages.values()]);
}

/** Returns the embedded database's address for the processes. */
function urlOfDatabase({ host, port, user, database }: ConnectionConfig): string {
  return `postgresql://${encodeURIComponent(user)}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}

function noteEvent(event: SupervisorEvent, log: Log, raise: RaiseAlert): void {
  const { name } = event;
  switch (event.kind) {
    case 'started':
      log('process_started', { name, pid: event.pid });
      break;
    case 'replaced':
      log('process_replaced', { name, pid: event.pid });
      break;
    case 'died':
      log('process_died', { name, cause: event.how, restart_after_ms: event.againMs });
      raise('process_died', `${name}: ${event.how}`);
      break;
    case 'not_replaced':
      log('process_not_replaced', { name });
      raise('process_not_replaced', name);
  }
}
