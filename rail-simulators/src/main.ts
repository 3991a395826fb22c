/**
 * `npm run simulators`: runs all simulators in one process, on the loopback interface only. No other file of the package reads
 * the environment, prints or handles signals.
 */
import { resolve } from 'node:path';
import process from 'node:process';
import { systemClock } from './clock.ts';
import type { Running } from './kernel/simulator-definition.ts';
import { readAllSettings, SIMULATOR_NAMES, startSimulator } from './simulators.ts';
import { StartupFault } from './startup-fault.ts';

const PROJECT_ROOT = resolve(import.meta.dirname, '../..');
const HERE = { host: '127.0.0.1', clock: systemClock, log: (line: string) => console.error(line) };

const running: Running[] = [];
const closeAll = () => Promise.all(running.map((simulator) => simulator.close()));

try {
  const settings = readAllSettings(process.env, PROJECT_ROOT);
  for (const name of SIMULATOR_NAMES) running.push(await startSimulator(name, HERE, settings[name]));
  for (const { line } of running) console.log(line);
  console.log('# For a gateway on this machine:');
  const variables = running.flatMap((simulator) => Object.entries(simulator.variables));
  for (const [name, value] of variables) console.log(`export ${name}=${value}`);
  const stop = () => void closeAll();
  process.once('SIGINT', stop).once('SIGTERM', stop);
} catch (error) {
  if (!(error instanceof StartupFault)) throw error;
  console.error(error.message);
  process.exitCode = 1;
  await closeAll();
}
