/** The DT One simulator: its settings, and how to start it. The caller passes the environment. */
import { filled, onOff, path, port, readSettings, type SettingsOf, shaped } from '../kernel/settings.ts';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { gatewayVariables } from './gateway-variables.ts';
import { startDtOne } from './server.ts';

const VARIABLES = {
  port: port('DT_ONE_PORT', 4130),
  secret: filled('DT_ONE_CONTROL_SECRET', 'dt-one-control-secret'),
  apiKey: shaped(
    'DT_ONE_API_KEY',
    'gateway',
    /^[\x21-\x39\x3b-\x7e]{1,100}$/,
    '1 to 100 characters without spaces or colons',
  ),
  apiSecret: filled('DT_ONE_API_SECRET', 'dt-one-api-secret'),
  callbackUsername: shaped(
    'DT_ONE_CALLBACK_USERNAME',
    'dt-one',
    /^[\x21-\x39\x3b-\x7e]{1,100}$/,
    '1 to 100 characters without spaces or colons',
  ),
  callbackPassword: filled('DT_ONE_CALLBACK_PASSWORD', 'dt-one-callback-password'),
  bookPath: path('DT_ONE_BOOK', './data/dt-one.jsonl', 'a file'),
  control: onOff('DT_ONE_CONTROL'),
};

type DtOneSettings = SettingsOf<typeof VARIABLES>;

export const dtOne: SimulatorDefinition<DtOneSettings> = {
  read: (environment, projectRoot) => readSettings(VARIABLES, environment, projectRoot),

  async start(here, settings) {
    const { url, close } = await startDtOne({ ...here, ...settings });
    const line =
      `DT One simulator ${NO_MONEY} listens on ${url}; ` +
      `it notifies of transactions where each of them says; its book is ${settings.bookPath}`;
    return { line, variables: gatewayVariables(url), close };
  },
};
