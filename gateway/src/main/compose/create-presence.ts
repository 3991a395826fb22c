/** The report of a running process. */
import { hostname } from 'node:os';
import { PROCESS_SEEN_EVERY_MS, type RunningProcess } from '../../domain/monitoring/running-process.ts';
import { createPeriodicWork } from '../../worker/periodic-work.ts';
import { readVersion } from '../config/read-version.ts';
import type { Hooks } from '../observability/hooks.ts';
import { railNames, railSummaries } from './create-rail-view.ts';
import type { GatewayCore } from './gateway-core.ts';

/** After this time, the row of a dead process is deleted. */
const KEPT_FOR_MS = 100 * PROCESS_SEEN_EVERY_MS;

/** A serving process reports its role, its version and its rails. Commands and the doctor read it. */
export async function createPresence(core: GatewayCore, { onProblem }: Pick<Hooks, 'onProblem'>, role: string) {
  const { clock, random, processes, keyring } = core;
  const since = clock.now();
  const own: Omit<RunningProcess, 'seenAt'> = {
    processId: random.uuid(),
    role,
    version: await readVersion(),
    host: hostname(),
    since,
    rails: railNames(core),
    sendingRails: railSummaries(core),
  };
  const run = () => processes.report({ ...own, seenAt: clock.now() }, clock.now() - KEPT_FOR_MS, keyring.ids);
  const work = createPeriodicWork({
    tasks: [{ name: 'report this process', everyMs: PROCESS_SEEN_EVERY_MS, run }],
    clock,
    onProblem,
  });
  return {
    start: work.start,
    async stop() {
      await work.stop();
      // A process whose row remains counts as running for half a minute.
      await processes.end(own.processId).catch(() => {});
    },
  };
}
