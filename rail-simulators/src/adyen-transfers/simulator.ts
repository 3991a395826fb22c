/** The simulator of Adyen's Transfers API: its settings, and how to start it. The caller passes the environment. */
import { filled, httpUrl, onOff, path, port, readSettings, type SettingsOf, shaped } from '../kernel/settings.ts';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { gatewayVariables } from './gateway-variables.ts';
import { startAdyenTransfers } from './server.ts';

const VARIABLES = {
  port: port('ADYEN_TRANSFERS_PORT', 4140),
  secret: filled('ADYEN_TRANSFERS_CONTROL_SECRET', 'adyen-transfers-control-secret'),
  apiKey: filled('ADYEN_TRANSFERS_API_KEY', 'adyen-transfers-api-key'),
  balanceAccount: shaped(
    'ADYEN_TRANSFERS_BALANCE_ACCOUNT',
    'BA00000000000000000000001',
    /^BA[A-Za-z0-9]{1,34}$/,
    'BA and up to 34 letters or digits',
  ),
  hmacKey: shaped(
    'ADYEN_TRANSFERS_HMAC_KEY',
    'FEDCBA9876543210'.repeat(4),
    /^[0-9A-Fa-f]{64}$/,
    '64 hexadecimal digits',
  ),
  webhookUrl: httpUrl('ADYEN_TRANSFERS_WEBHOOK_URL', 'http://127.0.0.1:8080/rail-notifications/adyen-transfers'),
  bookPath: path('ADYEN_TRANSFERS_BOOK', './data/adyen-transfers.jsonl', 'a file'),
  control: onOff('ADYEN_TRANSFERS_CONTROL'),
};

type AdyenTransfersSettings = SettingsOf<typeof VARIABLES>;

export const adyenTransfers: SimulatorDefinition<AdyenTransfersSettings> = {
  read: (environment, projectRoot) => readSettings(VARIABLES, environment, projectRoot),

  async start(here, settings) {
    const { url, close } = await startAdyenTransfers({ ...here, ...settings });
    const line =
      `Adyen Transfers simulator ${NO_MONEY} listens on ${url}; it pays out of ${settings.balanceAccount} ` +
      `and notifies of it at ${settings.webhookUrl}; its book is ${settings.bookPath}`;
    return { line, variables: gatewayVariables(url), close };
  },
};
