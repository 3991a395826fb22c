/**
 * The settings of `npm run simulators`, read from an environment that the caller passes: every fault is listed in one
 * message. Only main.ts passes the process's own.
 */
import { resolve } from 'node:path';
import { StartupFault } from './startup-fault.ts';

export interface SimulatorSettings {
  readonly port: number;
  readonly secret: string;
  readonly notifyUrl: string;
  readonly bookPath: string;
  readonly control: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A relative path of the book starts at `projectRoot`, so that it doesn't depend on where the command was given. */
export function readSettings(environment: Environment, projectRoot: string): SimulatorSettings {
  const port = environment['STAND_IN_BANK_PORT'] ?? '4010';
  const secret = environment['STAND_IN_BANK_SECRET'] ?? 'stand-in-bank-secret';
  const notifyUrl = environment['STAND_IN_BANK_NOTIFY_URL'] ?? 'http://127.0.0.1:8080/rail-notifications/stand-in-bank';
  const book = environment['STAND_IN_BANK_BOOK'] ?? './data/stand-in-bank.jsonl';
  const control = environment['STAND_IN_BANK_CONTROL'] ?? 'on';
  const checks: readonly (readonly [holds: boolean, fault: string])[] = [
    [/^\d{1,5}$/.test(port) && Number(port) <= 65_535, 'STAND_IN_BANK_PORT must be a port (0 takes a free one)'],
    [secret !== '', 'STAND_IN_BANK_SECRET must not be empty'],
    [/^https?:$/.test(URL.parse(notifyUrl)?.protocol ?? ''), 'STAND_IN_BANK_NOTIFY_URL must be an http(s) address'],
    [book !== '', 'STAND_IN_BANK_BOOK must be the path of a file'],
    [control === 'on' || control === 'off', 'STAND_IN_BANK_CONTROL must be on or off'],
  ];
  const faults = checks.filter(([holds]) => !holds).map(([, fault]) => fault);
  if (faults.length > 0) throw new StartupFault(`The settings are wrong: ${faults.join('; ')}.`);
  return { port: Number(port), secret, notifyUrl, bookPath: resolve(projectRoot, book), control: control === 'on' };
}
