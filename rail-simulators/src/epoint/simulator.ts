/** The simulator of Epoint: its settings, read from an environment that the caller passes, and how it starts. */
import { resolve } from 'node:path';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { type Check, type Environment, isHttpUrl, isPort, isSwitch, type Read } from '../setting-checks.ts';
import { startEpoint } from './epoint-server.ts';

export interface EpointSettings {
  readonly port: number;
  readonly secret: string;
  readonly publicKey: string;
  readonly privateKey: string;
  readonly resultUrl: string;
  readonly bookPath: string;
  readonly control: boolean;
}

function readEpoint(environment: Environment, projectRoot: string): Read<EpointSettings> {
  const port = environment['EPOINT_PORT'] ?? '4110';
  const secret = environment['EPOINT_CONTROL_SECRET'] ?? 'epoint-control-secret';
  const publicKey = environment['EPOINT_PUBLIC_KEY'] ?? 'i000000001';
  const privateKey = environment['EPOINT_PRIVATE_KEY'] ?? 'epoint-private-key';
  const resultUrl = environment['EPOINT_RESULT_URL'] ?? 'http://127.0.0.1:8080/rail-notifications/epoint';
  const book = environment['EPOINT_BOOK'] ?? './data/epoint.jsonl';
  const control = environment['EPOINT_CONTROL'] ?? 'on';
  const checks: readonly Check[] = [
    [isPort(port), 'EPOINT_PORT must be a port (0 takes a free one)'],
    [secret !== '', 'EPOINT_CONTROL_SECRET must not be empty'],
    [/^\w{1,64}$/.test(publicKey), 'EPOINT_PUBLIC_KEY must be 1 to 64 letters, digits or _'],
    [privateKey !== '', 'EPOINT_PRIVATE_KEY must not be empty'],
    [isHttpUrl(resultUrl), 'EPOINT_RESULT_URL must be an http(s) address'],
    [book !== '', 'EPOINT_BOOK must be the path of a file'],
    [isSwitch(control), 'EPOINT_CONTROL must be on or off'],
  ];
  const bookPath = resolve(projectRoot, book);
  const settings = {
    port: Number(port),
    secret,
    publicKey,
    privateKey,
    resultUrl,
    bookPath,
    control: control === 'on',
  };
  return { settings, checks };
}

export const epoint: SimulatorDefinition<EpointSettings> = {
  read: readEpoint,

  async start(here, settings) {
    const { url, close } = await startEpoint({ ...here, ...settings });
    const line =
      `Epoint simulator ${NO_MONEY} listens on ${url}; ` +
      `it tells ${settings.publicKey} at ${settings.resultUrl}; its book is ${settings.bookPath}`;
    return { line, variables: { EPOINT_URL: `${url}/api/1` }, close };
  },
};
