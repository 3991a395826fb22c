/** The STP simulator: its settings, and how to start it. The caller passes the environment. */
import { publicKeyFile } from '../kernel/credentials.ts';
import { filled, httpUrl, onOff, path, port, readSettings, type SettingsOf, shaped } from '../kernel/settings.ts';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { gatewayVariables } from './gateway-variables.ts';
import { startStp } from './server.ts';

const ABONO_URL = 'http://127.0.0.1:8080/rail-notifications/stp';

const VARIABLES = {
  port: port('STP_PORT', 4020),
  secret: filled('STP_CONTROL_SECRET', 'stp-control-secret'),
  empresa: shaped('STP_EMPRESA', 'GATEWAY', /^[A-Za-z0-9_]{1,15}$/, '1 to 15 letters, digits or underscores'),
  clabePrefix: shaped('STP_CLABE_PREFIX', '6461804990', /^646\d{3,13}$/, '6 to 16 digits that begin with 646'),
  publicKeyPath: path('STP_PUBLIC_KEY', './data/stp-public-key.pem', 'a PEM file'),
  notify: {
    abonoUrl: httpUrl('STP_ABONO_URL', ABONO_URL),
    stateUrl: httpUrl('STP_STATE_URL', ({ STP_ABONO_URL = ABONO_URL }) => STP_ABONO_URL),
  },
  bookPath: path('STP_BOOK', './data/stp.jsonl', 'a file'),
  control: onOff('STP_CONTROL'),
};

type StpSettings = SettingsOf<typeof VARIABLES>;

export const stp: SimulatorDefinition<StpSettings> = {
  read: (environment, projectRoot) => readSettings(VARIABLES, environment, projectRoot),

  async start(here, settings) {
    const findPublicKey = publicKeyFile(settings.publicKeyPath);
    const { url, close } = await startStp({ ...here, ...settings, findPublicKey });
    const line =
      `STP simulator ${NO_MONEY} listens on ${url}; ` +
      `it notifies ${settings.empresa} of transfers at ${settings.notify.abonoUrl}; ` +
      `the client’s public key is ${settings.publicKeyPath}; its book is ${settings.bookPath}`;
    return { line, variables: gatewayVariables(url), close };
  },
};
