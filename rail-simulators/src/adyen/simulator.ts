/** The Adyen simulator: its settings, and how to start it. The caller passes the environment. */
import { filled, httpUrl, onOff, path, port, readSettings, type SettingsOf, shaped } from '../kernel/settings.ts';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { gatewayVariables } from './gateway-variables.ts';
import { startAdyen } from './server.ts';

const VARIABLES = {
  port: port('ADYEN_PORT', 4030),
  secret: filled('ADYEN_CONTROL_SECRET', 'adyen-control-secret'),
  merchantAccount: shaped(
    'ADYEN_MERCHANT_ACCOUNT',
    'GatewayECOM',
    /^[A-Za-z0-9_-]{1,80}$/,
    '1 to 80 letters, digits, _ or -',
  ),
  apiKey: filled('ADYEN_API_KEY', 'adyen-api-key'),
  hmacKey: shaped('ADYEN_HMAC_KEY', '0123456789ABCDEF'.repeat(4), /^[0-9A-Fa-f]{64}$/, '64 hexadecimal digits'),
  webhookUrl: httpUrl('ADYEN_WEBHOOK_URL', 'http://127.0.0.1:8080/rail-notifications/adyen'),
  bookPath: path('ADYEN_BOOK', './data/adyen.jsonl', 'a file'),
  control: onOff('ADYEN_CONTROL'),
};

type AdyenSettings = SettingsOf<typeof VARIABLES>;

export const adyen: SimulatorDefinition<AdyenSettings> = {
  read: (environment, projectRoot) => readSettings(VARIABLES, environment, projectRoot),

  async start(here, settings) {
    const { url, close } = await startAdyen({ ...here, ...settings });
    const line =
      `Adyen simulator ${NO_MONEY} listens on ${url}; ` +
      `it notifies ${settings.merchantAccount} of payments at ${settings.webhookUrl}; its book is ${settings.bookPath}`;
    return { line, variables: gatewayVariables(url), close };
  },
};
