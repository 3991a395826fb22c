/** The simulator of STP: its settings, read from an environment that the caller passes, and how it starts. */
import { resolve } from 'node:path';
import { publicKeyFile } from '../kernel/credentials.ts';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { type Check, type Environment, isHttpUrl, isPort, isSwitch } from '../setting-checks.ts';
import { startStp } from './stp-server.ts';

export interface StpSettings {
  readonly port: number;
  readonly secret: string;
  readonly empresa: string;
  readonly clabePrefix: string;
  readonly publicKeyPath: string;
  readonly notify: { readonly abonoUrl: string; readonly stateUrl: string };
  readonly bookPath: string;
  readonly control: boolean;
}

function readStp(environment: Environment, projectRoot: string) {
  const port = environment['STP_PORT'] ?? '4020';
  const secret = environment['STP_CONTROL_SECRET'] ?? 'stp-control-secret';
  const empresa = environment['STP_EMPRESA'] ?? 'GATEWAY';
  const clabePrefix = environment['STP_CLABE_PREFIX'] ?? '6461804990';
  const publicKey = environment['STP_PUBLIC_KEY'] ?? './data/stp-public-key.pem';
  const abonoUrl = environment['STP_ABONO_URL'] ?? 'http://127.0.0.1:8080/rail-notifications/stp';
  const stateUrl = environment['STP_STATE_URL'] ?? abonoUrl;
  const book = environment['STP_BOOK'] ?? './data/stp.jsonl';
  const control = environment['STP_CONTROL'] ?? 'on';
  const checks: readonly Check[] = [
    [isPort(port), 'STP_PORT must be a port (0 takes a free one)'],
    [secret !== '', 'STP_CONTROL_SECRET must not be empty'],
    [/^[A-Za-z0-9_]{1,15}$/.test(empresa), 'STP_EMPRESA must be 1 to 15 letters, digits or underscores'],
    [/^646\d{3,13}$/.test(clabePrefix), 'STP_CLABE_PREFIX must be 6 to 16 digits that begin with 646'],
    [publicKey !== '', 'STP_PUBLIC_KEY must be the path of a PEM file'],
    [isHttpUrl(abonoUrl), 'STP_ABONO_URL must be an http(s) address'],
    [isHttpUrl(stateUrl), 'STP_STATE_URL must be an http(s) address'],
    [book !== '', 'STP_BOOK must be the path of a file'],
    [isSwitch(control), 'STP_CONTROL must be on or off'],
  ];
  const settings = {
    port: Number(port),
    secret,
    empresa,
    clabePrefix,
    publicKeyPath: resolve(projectRoot, publicKey),
    notify: { abonoUrl, stateUrl },
    bookPath: resolve(projectRoot, book),
    control: control === 'on',
  };
  return { settings, checks };
}

export const stp: SimulatorDefinition<StpSettings> = {
  read: readStp,

  async start(here, settings) {
    const findPublicKey = publicKeyFile(settings.publicKeyPath);
    const { url, close } = await startStp({ ...here, ...settings, findPublicKey });
    const line =
      `STP simulator ${NO_MONEY} listens on ${url}; ` +
      `it tells ${settings.empresa} of transfers at ${settings.notify.abonoUrl}; ` +
      `the key it knows is ${settings.publicKeyPath}; its book is ${settings.bookPath}`;
    return { line, variables: { STP_URL: url }, close };
  },
};
