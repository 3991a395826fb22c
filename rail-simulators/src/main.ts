/**
 * `npm run simulators`: the banks' side alone, as a process of its own, on the loopback only. The one file of this
 * package that reads the process's environment, prints and handles signals.
 */
import { resolve } from 'node:path';
import process from 'node:process';
import { startStandInBank } from './bank/stand-in-bank.ts';
import { systemClock } from './clock.ts';
import { readSettings } from './environment.ts';
import { StartupFault } from './startup-fault.ts';

const projectRoot = resolve(import.meta.dirname, '../..');

try {
  const settings = readSettings(process.env, projectRoot);
  const log = (line: string) => console.error(line);
  const bank = await startStandInBank({ host: '127.0.0.1', clock: systemClock, log, ...settings });
  console.log(
    `stand-in bank (for development, no money moves) listens on ${bank.url}; ` +
      `it notifies the gateway at ${settings.notifyUrl}; its book is ${settings.bookPath}`,
  );
  const stop = () => void bank.close();
  process.once('SIGINT', stop).once('SIGTERM', stop);
} catch (error) {
  if (!(error instanceof StartupFault)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
