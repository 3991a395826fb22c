/** The Visa Direct simulator: its settings, and how to start it. The caller passes the environment. */
import { filled, onOff, path, port, readSettings, type SettingsOf, shaped } from '../kernel/settings.ts';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { gatewayVariables } from './gateway-variables.ts';
import { KEY_ID } from './message-encryption.ts';
import { startVisaDirect } from './server.ts';

const VARIABLES = {
  port: port('VISA_DIRECT_PORT', 4150),
  controlPort: port('VISA_DIRECT_CONTROL_PORT', 4151),
  secret: filled('VISA_DIRECT_CONTROL_SECRET', 'visa-direct-control-secret'),
  userId: shaped(
    'VISA_DIRECT_USER_ID',
    'gateway',
    /^[\x21-\x39\x3b-\x7e]{1,64}$/,
    '1 to 64 characters without spaces or colons',
  ),
  password: filled('VISA_DIRECT_PASSWORD', 'visa-direct-password'),
  acquiringBin: shaped('VISA_DIRECT_ACQUIRING_BIN', '408999', /^\d{6,11}$/, '6 to 11 digits'),
  certificateFolder: path('VISA_DIRECT_CERTIFICATES', './data/visa-direct', 'a folder'),
  encryption: onOff('VISA_DIRECT_ENCRYPTION'),
  bookPath: path('VISA_DIRECT_BOOK', './data/visa-direct.jsonl', 'a file'),
  control: onOff('VISA_DIRECT_CONTROL'),
};

type VisaDirectSettings = SettingsOf<typeof VARIABLES>;

export const visaDirect: SimulatorDefinition<VisaDirectSettings> = {
  read: (environment, projectRoot) => readSettings(VARIABLES, environment, projectRoot),

  async start(here, settings) {
    const { url, controlUrl, close } = await startVisaDirect({ ...here, ...settings });
    const line =
      `Visa Direct simulator ${NO_MONEY} listens on ${url}; it is controlled at ${controlUrl}; the certificates that it ` +
      `gave out are in ${settings.certificateFolder}; its book is ${settings.bookPath}`;
    const encrypted = settings.encryption ? { VISA_DIRECT_KEY_ID: KEY_ID } : {};
    return { line, variables: { ...gatewayVariables(url), ...encrypted }, close };
  },
};
