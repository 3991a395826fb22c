/** The simulators of the banks that a benchmark pays through. Other simulators are off, because their ports may be in use. */
import path from 'node:path';
import { systemClock } from '../../../rail-simulators/src/clock.ts';
import { readSettingsOf, startSimulator } from '../../../rail-simulators/src/simulators.ts';

const here = { host: '127.0.0.1', clock: systemClock, log: (line: string) => console.error(line) };
const root = path.join(import.meta.dirname, '../../..');

const running = [
  await startSimulator('stp', here, readSettingsOf('stp', process.env, root)),
  await startSimulator('wayforpay', here, readSettingsOf('wayforpay', process.env, root)),
];
process.once('SIGTERM', () => void Promise.all(running.map((bank) => bank.close())));
