/**
 * The stand-in bank as a process of the demo's own. It tells the demo over the channel between them how its start went,
 * and ends when that channel does: a demo that is killed leaves no bank behind.
 */
import { resolve } from 'node:path';
import { systemClock } from '../../rail-simulators/src/clock.ts';
import { readSettings } from '../../rail-simulators/src/environment.ts';
import { startStandInBank } from '../../rail-simulators/src/stand-in-bank/stand-in-bank.ts';
import { StartupFault } from '../../rail-simulators/src/startup-fault.ts';

export type BankMessage = { readonly ready: true } | { readonly fault: string } | { readonly trouble: string };

const PROJECT_ROOT = resolve(import.meta.dirname, '../..');

function tell(message: BankMessage): void {
  if (process.connected) process.send?.(message);
}

// A terminal sends Ctrl-C to the demo's bank as well, which is still needed while the gateway drains.
process.on('SIGINT', () => {});
try {
  const settings = readSettings(process.env, PROJECT_ROOT);
  const log = (trouble: string) => tell({ trouble });
  const bank = await startStandInBank({ host: '127.0.0.1', clock: systemClock, log, ...settings });
  const stop = () => void bank.close();
  process.once('disconnect', stop).once('SIGTERM', () => process.disconnect());
  if (process.connected) tell({ ready: true });
  else stop();
} catch (error) {
  if (!(error instanceof StartupFault)) throw error;
  tell({ fault: error.message });
  process.disconnect();
}
