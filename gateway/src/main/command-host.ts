/** Provides what the command line needs: reads the configuration on demand, and opens, serves and closes a gateway. */

import type { CommandHost, GlobalOptions, OpenedGateway, ServeRole } from '../cli/command-host.ts';
import { CommandFailure } from '../cli/command-output.ts';
import type { ProcessCount } from '../foundation/process-count.ts';
import { deliverSigned } from '../protocol/conformance/deliver-signed.ts';
import { playReceiver } from '../protocol/conformance/play-receiver.ts';
import { examineRequest } from '../protocol/signature-doctor/examine-request.ts';
import { createBackups } from './backup/create-backups.ts';
import { openGateway } from './compose/compose.ts';
import type { Pace } from './compose/create-worker.ts';
import { migrateDatabase } from './compose/migrate-database.ts';
import type { Serving } from './compose/start-serving.ts';
import { type Config, readConfig } from './config/config.ts';
import { readVersion } from './config/read-version.ts';
import { examineInstallation } from './doctor/doctor.ts';
import type { DoctorParts } from './doctor/doctor-finding.ts';
import { noticeOfNoProvider } from './doctor/no-provider.ts';
import { explainFailure } from './explain-failure.ts';
import { emergencyCaller, inProcess, overHttp } from './manage-transport.ts';
import { ALERTS, type AlertKind } from './observability/alert-kinds.ts';
import { ProcessFailed } from './processes/child-process.ts';
import type { SupervisorLink } from './processes/cluster-process.ts';
import { obeySupervisor } from './processes/obey-supervisor.ts';
import { HOUSEKEEPER, serveProcesses } from './processes/serve-processes.ts';
import { orderSandbox } from './sandbox/order-sandbox.ts';

export interface CommandHostParts extends DoctorParts {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Resolves when the process must stop serving. */
  readonly untilStopSignal: () => Promise<void>;
  /** Registers a function that replaces the processes one by one. Absent where nothing can request a replacement. */
  readonly onReplaceSignal?: (replace: () => void) => void;
  /** Registers a function that runs when the process ends for any reason. */
  readonly onExit?: (end: () => void) => void;
  /** Present only in a process started by a supervisor. */
  readonly supervisor?: SupervisorLink | undefined;
  /** The user of the operating system and its server, as the actor of commands. */
  readonly systemUser?: string;
  /** Called once the gateway serves. With several processes, only their supervisor calls it. */
  readonly onServing?: (serving: Pick<Serving, 'url' | 'opsUrl'>) => void;
  readonly pace?: Pace;
}

export function createCommandHost(parts: CommandHostParts): CommandHost {
  const { stdout, stderr } = parts;
  const onProgress = progressOf(parts);
  const configured = () => configOrFail(parts);
  return {
    stdout,
    stderr,
    explain: explainFailure,
    open: (options) => (options.url === undefined ? openHere(parts, options) : openElsewhere(parts, options)),
    version: readVersion,
    examineInstallation: () => examineInstallation(parts),
    backups: () => createBackups({ ...parts, config: configured(), onProgress }),
    untilStopSignal: parts.untilStopSignal,
    examineRequest,
    playReceiver: (request) => playReceiver(request, parts.clock, parts.random),
    deliverSigned: (delivery) => deliverSigned(delivery, parts.clock),
    orderSandbox,
    clock: parts.clock,
    migrate: (distributed) => migrateDatabase(configured(), distributed, onProgress),
    serve(role, processes) {
      const config = configured();
      const count = processes ?? config.processes;
      if (parts.supervisor) return serveObediently(parts, config, role, parts.supervisor);
      const notice = noticeOfNoProvider(config.rails);
      if (notice !== null) onProgress(`Rails: ${notice}`);
      return count === null ? serveAlone(parts, config, role) : superviseUntilStopped(parts, config, role, count);
    },
  };
}

async function openHere(parts: CommandHostParts, { as }: GlobalOptions): Promise<OpenedGateway> {
  const { clock, random, systemUser = 'unknown' } = parts;
  const gateway = await openGateway(forOneCommand(configOrFail(parts)), {
    clock,
    random,
    onProgress: progressOf(parts),
    logTo: { write: (line) => parts.stderr(readableLine(line)) },
  });
  let internalError: unknown;
  const app = await gateway.manageApi({
    caller: emergencyCaller(systemUser, as),
    onInternalError: (error) => {
      internalError = error;
    },
  });
  return {
    api: { ...inProcess(app, () => internalError), newKey: random.uuid },
    async close() {
      await app.close();
      await gateway.close();
    },
  };
}

async function openElsewhere(parts: CommandHostParts, { url = '', tokenFile }: GlobalOptions): Promise<OpenedGateway> {
  const transport = await overHttp(url, tokenFile ?? parts.variables['GATEWAY_TOKEN_FILE']);
  return {
    api: { ...transport, newKey: parts.random.uuid },
    close: async () => {},
  };
}

async function serveAlone(parts: CommandHostParts, config: Config, role: ServeRole): Promise<0 | 1> {
  // A stop signal during the start takes effect when the start is complete.
  const stopSignal = parts.untilStopSignal();
  const gateway = await openGateway(config, { ...parts, onProgress: progressOf(parts) });
  try {
    const serving = await gateway.serve(role);
    parts.onServing?.(serving);
    const exitCode = await untilOver(parts, stopSignal, gateway.core.databaseDeleted);
    await serving.stop();
    return exitCode;
  } finally {
    await gateway.close();
  }
}

/**
 * Resolves to the exit code when the process must stop. Code 1: the embedded database was deleted, and this prints the error.
 */
async function untilOver(
  { stderr }: CommandHostParts,
  stopSignal: Promise<void>,
  databaseDeleted: Promise<Error>,
): Promise<0 | 1> {
  const failure = await Promise.race([stopSignal, databaseDeleted]);
  if (!failure) return 0;
  stderr(`${failure.message} The gateway stops.\n`);
  return 1;
}

async function serveObediently(
  parts: CommandHostParts,
  config: Config,
  role: ServeRole,
  link: SupervisorLink,
): Promise<0> {
  const stopSignal = parts.untilStopSignal();
  const gateway = await openGateway(config, { ...parts, onProgress: progressOf(parts), processName: link.name });
  try {
    const serving = await gateway.serve(role, { housekeeping: link.name === HOUSEKEEPER });
    const how = await obeySupervisor({ link, serving, metrics: gateway.metrics, stopSignal });
    await serving.stop(how);
  } finally {
    await gateway.close();
    link.close();
  }
  return 0;
}

async function superviseUntilStopped(
  parts: CommandHostParts,
  config: Config,
  role: ServeRole,
  count: ProcessCount,
): Promise<0 | 1> {
  const { clock, onReplaceSignal = () => {}, onExit = () => {} } = parts;
  const stopSignal = parts.untilStopSignal();
  const starting = serveProcesses({ config, clock, count, role, onProgress: progressOf(parts), onExit });
  onReplaceSignal(
    () =>
      void starting.then(
        (serving) => serving.replaceAll(),
        () => {},
      ),
  );
  const serving = await unlessStopped(starting, stopSignal);
  if (!serving) return 0;
  parts.onServing?.(serving);
  const exitCode = await untilOver(parts, stopSignal, serving.databaseDeleted);
  if ((await serving.stop()) === 0) return exitCode;
  parts.stderr('A process failed while it stopped, or was killed: read its last lines in the log.\n');
  return 1;
}

/** Resolves to undefined if the start failed because a stop signal had already ended some of its processes. */
async function unlessStopped<Value>(starting: Promise<Value>, stopSignal: Promise<void>): Promise<Value | undefined> {
  let isStopping = false;
  void stopSignal.then(() => {
    isStopping = true;
  });
  return starting.catch((error: unknown) => {
    if (isStopping && error instanceof ProcessFailed) return undefined;
    throw error;
  });
}

function progressOf({ stderr }: CommandHostParts): (line: string) => void {
  return (line) => stderr(`${line}\n`);
}

function configOrFail({ variables }: CommandHostParts): Config {
  const config = readConfig(variables);
  if (config.ok) return config.value;
  throw new CommandFailure(`The configuration is invalid:\n${config.error.map((fault) => `- ${fault}`).join('\n')}`, 2);
}

/** A command's output must not drown in log lines, so only warnings and errors appear, unless the operator set another level. */
function forOneCommand(config: Config): Config {
  return config.logLevel === 'info' ? { ...config, logLevel: 'warn' } : config;
}

/** Returns an alert as a sentence for the user at the terminal. Other lines of the log stay unchanged. */
function readableLine(line: string): string {
  const { event, alert, detail } = JSON.parse(line) as Readonly<Record<string, string>>;
  const text = event === 'alert_raised' ? ALERTS[alert as AlertKind].text : undefined;
  return text === undefined ? line : `Alert ${alert}: ${text} About: ${detail}\n`;
}
