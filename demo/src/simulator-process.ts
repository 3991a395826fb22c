/**
 * One simulator as a process of the demo's own, named by the argument. It tells the demo over the channel between them
 * how its start went, and ends when that channel does: a demo that is killed leaves no simulator behind.
 */
import { resolve } from 'node:path';
import { startAdyen } from '../../rail-simulators/src/adyen/adyen-server.ts';
import { systemClock } from '../../rail-simulators/src/clock.ts';
import { type AllSettings, readSettingsOf } from '../../rail-simulators/src/environment.ts';
import { startPix } from '../../rail-simulators/src/pix/pix-server.ts';
import { startStandInBank } from '../../rail-simulators/src/stand-in-bank/stand-in-bank.ts';
import { StartupFault } from '../../rail-simulators/src/startup-fault.ts';
import { publicKeyFile } from '../../rail-simulators/src/stp/public-key-file.ts';
import { startStp } from '../../rail-simulators/src/stp/stp-server.ts';
import { ownPrivateKey, publicKeyFile as trustlyClientKey } from '../../rail-simulators/src/trustly/key-files.ts';
import { startTrustly } from '../../rail-simulators/src/trustly/trustly-server.ts';

export type SimulatorMessage = { readonly ready: true } | { readonly fault: string } | { readonly trouble: string };
export type SimulatorProgram = 'bank' | 'stp' | 'adyen' | 'pix' | 'trustly';

const PROJECT_ROOT = resolve(import.meta.dirname, '../..');
const here = { host: '127.0.0.1', clock: systemClock, log: (trouble: string) => tell({ trouble }) };

const STARTS: {
  readonly [Program in SimulatorProgram]: (settings: AllSettings[Program]) => Promise<{ close(): Promise<void> }>;
} = {
  bank: (settings) => startStandInBank({ ...here, ...settings }),
  stp: (settings) => startStp({ ...here, ...settings, findPublicKey: publicKeyFile(settings.publicKeyPath) }),
  adyen: (settings) => startAdyen({ ...here, ...settings }),
  pix: (settings) => startPix({ ...here, ...settings }),
  async trustly(settings) {
    const privateKey = ownPrivateKey(settings.ownKeyPath, settings.publicKeyPath);
    return startTrustly({ ...here, ...settings, privateKey, findPublicKey: trustlyClientKey(settings.clientKeyPath) });
  },
};

function start<Program extends SimulatorProgram>(program: Program): Promise<{ close(): Promise<void> }> {
  return STARTS[program](readSettingsOf(program, process.env, PROJECT_ROOT));
}

function tell(message: SimulatorMessage): void {
  if (process.connected) process.send?.(message);
}

// A terminal sends Ctrl-C to the demo's simulators as well, which are still needed while the gateway drains.
process.on('SIGINT', () => {});
try {
  const simulator = await start(process.argv[2] as SimulatorProgram);
  const stop = () => void simulator.close();
  process.once('disconnect', stop).once('SIGTERM', () => process.disconnect());
  if (process.connected) tell({ ready: true });
  else stop();
} catch (error) {
  if (!(error instanceof StartupFault)) throw error;
  tell({ fault: error.message });
  process.disconnect();
}
