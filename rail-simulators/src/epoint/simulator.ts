/** The Epoint simulator: its settings, and how to start it. The caller passes the environment. */
import { filled, httpUrl, onOff, path, port, readSettings, type SettingsOf, shaped } from '../kernel/settings.ts';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { gatewayVariables } from './gateway-variables.ts';
import { startEpoint } from './server.ts';

const VARIABLES = {
  port: port('EPOINT_PORT', 4110),
  secret: filled('EPOINT_CONTROL_SECRET', 'epoint-control-secret'),
  publicKey: shaped('EPOINT_PUBLIC_KEY', 'i000000001', /^\w{1,64}$/, '1 to 64 letters, digits or _'),
  privateKey: filled('EPOINT_PRIVATE_KEY', 'epoint-private-key'),
  resultUrl: httpUrl('EPOINT_RESULT_URL', 'http://127.0.0.1:8080/rail-notifications/epoint'),
  bookPath: path('EPOINT_BOOK', './data/epoint.jsonl', 'a file'),
  control: onOff('EPOINT_CONTROL'),
};

type EpointSettings = SettingsOf<typeof VARIABLES>;

export const epoint: SimulatorDefinition<EpointSettings> = {
  read: (environment, projectRoot) => readSettings(VARIABLES, environment, projectRoot),

  async start(here, settings) {
    const { url, close } = await startEpoint({ ...here, ...settings });
    const line =
      `Epoint simulator ${NO_MONEY} listens on ${url}; ` +
      `it notifies ${settings.publicKey} at ${settings.resultUrl}; its book is ${settings.bookPath}`;
    return { line, variables: gatewayVariables(url), close };
  },
};
