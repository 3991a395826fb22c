/**
 * Composes a gateway from its configuration: log, metrics and alerts, then the core, then the role of the process. The
 * command line, the demo and the tests all open a gateway here.
 */
import { hostname } from 'node:os';
import type { FastifyInstance } from 'fastify';
import type { DestinationStream } from 'pino';
import type { ServeRole } from '../../cli/command-host.ts';
import type { GatewayOperations } from '../../domain/gateway-operations.ts';
import { type Clock, type Instant, systemClock } from '../../foundation/clock.ts';
import { type Random, systemRandom } from '../../foundation/random.ts';
import { removeOrphanedHomes } from '../../storage/embedded/orphaned-homes.ts';
import type { Config } from '../config/config.ts';
import type { TracesConfig } from '../config/traces-config.ts';
import { createAlerts } from '../observability/alerts.ts';
import { createHooks, type Hooks } from '../observability/hooks.ts';
import { createLog, type Log, logDestination } from '../observability/log.ts';
import { createMetrics, type Metrics } from '../observability/metrics.ts';
import { OUTSIDE, type Outside } from '../outside.ts';
import type { Pace } from './create-worker.ts';
import type { GatewayCore } from './gateway-core.ts';
import type { CommandLineCaller } from './manage/create-manage-api.ts';
import { type CoreOptions, openCore } from './open-core.ts';
import { createOperations } from './operations/create-operations.ts';
import { refuseRisks } from './refuse-risks.ts';
import { type Serving, type Share, startServing } from './start-serving.ts';

export interface GatewayOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  /** True if the clock deliberately differs from the database's, as in a sandbox world. */
  readonly clockIsSteered?: boolean;
  /** Watches the pool of the database. */
  readonly watchDatabase?: CoreOptions['watchDatabase'];
  /** The destination of the log. Defaults to standard error. */
  readonly logTo?: DestinationStream;
  /** Called with one line for each slow step of the start. */
  readonly onProgress?: (line: string) => void;
  /** Called for each event in addition to the log. The demo prints its own lines with it. */
  readonly watch?: Partial<Hooks>;
  readonly pace?: Pace;
  /** Defaults to the real one. */
  readonly outside?: Outside;
  /**
   * The providers have no data from before this time, because the demo's simulators lose their books. The schedule compares no
   * day before or at it.
   */
  readonly booksSince?: Instant;
  /** Identifies this process among those of its supervisor, in the log and in the metrics. */
  readonly processName?: string;
}

export interface Gateway {
  readonly core: GatewayCore;
  readonly operations: GatewayOperations;
  readonly metrics: Metrics;
  /** The management API for the command line, which sends its requests without a network. */
  manageApi(commandLine: CommandLineCaller): Promise<FastifyInstance>;
  /** `share` is absent if this is the only process on the machine. */
  serve(role: ServeRole, share?: Share): Promise<Serving>;
  /** Closes what `openGateway` opened. The caller must stop serving first. */
  close(): Promise<void>;
}

/** Throws EmbeddedPostgresError, MasterKeyError, UnfitSchema or the database's own errors, for an operator to fix. */
export async function openGateway(config: Config, options: GatewayOptions = {}): Promise<Gateway> {
  const { clock = systemClock, random = systemRandom, onProgress = () => {}, watch = {}, pace = {} } = options;
  const { processName, booksSince, clockIsSteered = false, watchDatabase } = options;
  const destination = options.logTo ?? logDestination({ isShared: processName !== undefined });
  const log = createLog({ level: config.logLevel, clock, destination, ...(processName ? { processName } : {}) });
  const metrics = createMetrics(processName);
  const { alertUrl: url, runbooksUrl } = config;
  const alerts = createAlerts({ url, runbooksUrl, clock, log, onRaised: metrics.alertRaised });
  const traces = config.traces && (await openTracing(config.traces, { processName, clock, log }));
  const own = watched(createHooks({ log, metrics, raise: alerts.raise }), watch);
  const hooks = traces ? watched(own, traces.hooks) : own;
  const outside = traces ? traces.around(options.outside ?? OUTSIDE) : (options.outside ?? OUTSIDE);
  const opened = await openCore(config, {
    clock,
    random,
    outside,
    clockIsSteered,
    onProgress,
    hooks,
    ...(watchDatabase ? { watchDatabase } : {}),
    booksSince: booksSince ?? null,
  });
  const core = atPace(opened, pace);
  const operations = createOperations(core, hooks);
  return {
    core,
    operations,
    metrics,
    async manageApi(commandLine) {
      // Imported here, because its schemas are a third of all modules and other processes do not need them.
      const { createManageApi } = await import('./manage/create-manage-api.ts');
      return createManageApi(core, operations, hooks, commandLine);
    },
    async serve(role, share) {
      if (core.databaseFolder !== null && config.environment === 'development')
        for (const line of await removeOrphanedHomes(clock.now())) onProgress(line);
      if (!share) await refuseRisks(config, core.connection, log);
      const serving = await startServing({ core, operations, hooks, metrics, pace }, role, share);
      log('started', { environment: config.environment, role });
      if (serving.url) log('listening', { listener: 'public', address: serving.url });
      if (serving.opsUrl) log('listening', { listener: 'operator', address: serving.opsUrl });
      if (serving.manageUrl) {
        log('listening', { listener: 'management', address: serving.manageUrl });
        await operations.statements.makeFirstKey();
        const link = await operations.people.firstAdministrator();
        if (link) onProgress(`The first administrator opens this link once, within 48 hours: ${link.reveal()}`);
      }
      return {
        ...serving,
        async stop(how) {
          log('draining', {});
          await serving.stop(how);
          log('stopped', {});
        },
      };
    },
    async close() {
      await core.close();
      await alerts.close();
      await traces?.close();
    },
  };
}

/** Applies one pace to the payers' pages, the notifications, the worker and the operator's commands. */
function atPace(core: GatewayCore, { rail: payout, payment }: Pace): GatewayCore {
  const paymentRails = core.rails.paymentRails.map((rail) => ({ ...rail, ...payment }));
  const sendingRails = core.sendingRails.map((rail) => ({ ...rail, ...payout }));
  return { ...core, sendingRails, rails: { ...core.rails, paymentRails } };
}

/** Its libraries load slowly, so a process without traces loads none of them. */
async function openTracing(
  config: TracesConfig,
  { processName = 'gateway', clock, log }: { processName: string | undefined; clock: Clock; log: Log },
) {
  const { openTraces } = await import('../observability/traces/open-traces.ts');
  const { watchPayments } = await import('../observability/traces/watch-payments.ts');
  const onLost = (spans: number, error: unknown) => log('spans_lost', { spans, error });
  const traces = openTraces({ config, processName: `${hostname()}/${processName}`, onLost });
  return { ...watchPayments(traces.record, clock), close: traces.close };
}

/** Calls the watcher's hook of the same name after each hook. */
function watched(hooks: Hooks, watch: Partial<Hooks>): Hooks {
  const both = Object.entries(hooks).map(([name, hook]) => {
    const watcher = watch[name as keyof Hooks] as ((...values: unknown[]) => void) | undefined;
    const follow = (...values: unknown[]) => {
      (hook as (...values: unknown[]) => void)(...values);
      watcher?.(...values);
    };
    return [name, watcher ? follow : hook];
  });
  return Object.fromEntries(both) as Hooks;
}
