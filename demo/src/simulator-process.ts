/**
 * The process of the simulators that its arguments name. It reports to the demo which of them could not start, and ends when
 * its channel to the demo closes, so that a killed demo leaves no simulator behind.
 */
import { resolve } from 'node:path';
import { systemClock } from '../../rail-simulators/src/clock.ts';
import type { Running } from '../../rail-simulators/src/kernel/simulator-definition.ts';
import { readSettingsOf, type SimulatorName, startSimulator } from '../../rail-simulators/src/simulators.ts';
import { StartupFault } from '../../rail-simulators/src/startup-fault.ts';

/** The reason for each simulator that does not run. */
export type SimulatorFaults = Partial<Readonly<Record<SimulatorName, string>>>;

/** Sends `faults` once, when every simulator has started or failed. */
export type SimulatorMessage = { readonly faults: SimulatorFaults } | { readonly trouble: string };

const PROJECT_ROOT = resolve(import.meta.dirname, '../..');
const here = { host: '127.0.0.1', clock: systemClock, log: (trouble: string) => send({ trouble }) };

function send(message: SimulatorMessage): void {
  if (process.connected) process.send?.(message);
}

/** Resolves to the running simulator, or to the reason why it does not run. */
async function start(name: SimulatorName): Promise<Running | string> {
  try {
    return await startSimulator(name, here, readSettingsOf(name, process.env, PROJECT_ROOT));
  } catch (error) {
    if (error instanceof StartupFault) return error.message;
    throw error;
  }
}

// Ignore Ctrl-C, which the terminal also sends to this process: the gateway still needs the simulators while it shuts down.
process.on('SIGINT', () => {});
const names = process.argv.slice(2) as SimulatorName[];
const outcomes = await Promise.all(names.map(async (name) => [name, await start(name)] as const));
const stop = () => {
  for (const [, outcome] of outcomes) if (typeof outcome !== 'string') void outcome.close();
};
process.once('disconnect', stop).once('SIGTERM', () => process.disconnect());
if (process.connected)
  send({ faults: Object.fromEntries(outcomes.filter(([, outcome]) => typeof outcome === 'string')) });
else stop();
