/** The simulator of DT One: its settings, read from an environment that the caller passes, and how it starts. */
import { resolve } from 'node:path';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { type Check, type Environment, isPort, isSwitch, type Read } from '../setting-checks.ts';
import { startDtOne } from './dt-one-server.ts';

export interface DtOneSettings {
  readonly port: number;
  readonly secret: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly callbackUsername: string;
  readonly callbackPassword: string;
  readonly bookPath: string;
  readonly control: boolean;
}

const isUserName = (text: string) => /^[\x21-\x39\x3b-\x7e]{1,100}$/.test(text);

function readDtOne(environment: Environment, projectRoot: string): Read<DtOneSettings> {
  const port = environment['DT_ONE_PORT'] ?? '4130';
  const secret = environment['DT_ONE_CONTROL_SECRET'] ?? 'dt-one-control-secret';
  const apiKey = environment['DT_ONE_API_KEY'] ?? 'gateway';
  const apiSecret = environment['DT_ONE_API_SECRET'] ?? 'dt-one-api-secret';
  const callbackUsername = environment['DT_ONE_CALLBACK_USERNAME'] ?? 'dt-one';
  const callbackPassword = environment['DT_ONE_CALLBACK_PASSWORD'] ?? 'dt-one-callback-password';
  const book = environment['DT_ONE_BOOK'] ?? './data/dt-one.jsonl';
  const control = environment['DT_ONE_CONTROL'] ?? 'on';
  const checks: readonly Check[] = [
    [isPort(port), 'DT_ONE_PORT must be a port (0 takes a free one)'],
    [secret !== '', 'DT_ONE_CONTROL_SECRET must not be empty'],
    [isUserName(apiKey), 'DT_ONE_API_KEY must be 1 to 100 characters without blanks and colons'],
    [apiSecret !== '', 'DT_ONE_API_SECRET must not be empty'],
    [isUserName(callbackUsername), 'DT_ONE_CALLBACK_USERNAME must be 1 to 100 characters without blanks and colons'],
    [callbackPassword !== '', 'DT_ONE_CALLBACK_PASSWORD must not be empty'],
    [book !== '', 'DT_ONE_BOOK must be the path of a file'],
    [isSwitch(control), 'DT_ONE_CONTROL must be on or off'],
  ];
  const account = { apiKey, apiSecret, callbackUsername, callbackPassword };
  const bookPath = resolve(projectRoot, book);
  return { settings: { port: Number(port), secret, ...account, bookPath, control: control === 'on' }, checks };
}

export const dtOne: SimulatorDefinition<DtOneSettings> = {
  read: readDtOne,

  async start(here, settings) {
    const { url, close } = await startDtOne({ ...here, ...settings });
    const line =
      `DT One simulator ${NO_MONEY} listens on ${url}; ` +
      `it tells of transactions where each of them says; its book is ${settings.bookPath}`;
    return { line, variables: { DT_ONE_URL: `${url}/v1` }, close };
  },
};
