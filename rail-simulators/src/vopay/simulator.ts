/** The VoPay simulator: its settings, and how to start it. The caller passes the environment. */
import { filled, httpUrl, onOff, path, port, readSettings, type SettingsOf, shaped } from '../kernel/settings.ts';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { gatewayVariables } from './gateway-variables.ts';
import { startVoPay } from './server.ts';

const VARIABLES = {
  port: port('VOPAY_PORT', 4060),
  secret: filled('VOPAY_CONTROL_SECRET', 'vopay-control-secret'),
  accountId: shaped('VOPAY_ACCOUNT_ID', 'gateway', /^[\x21-\x7e]{1,64}$/, '1 to 64 characters without spaces'),
  key: filled('VOPAY_KEY', 'vopay-key'),
  sharedSecret: filled('VOPAY_SHARED_SECRET', 'vopay-shared-secret'),
  webhookUrl: httpUrl('VOPAY_WEBHOOK_URL', 'http://127.0.0.1:8080/rail-notifications/vopay'),
  bookPath: path('VOPAY_BOOK', './data/vopay.jsonl', 'a file'),
  control: onOff('VOPAY_CONTROL'),
};

type VoPaySettings = SettingsOf<typeof VARIABLES>;

export const vopay: SimulatorDefinition<VoPaySettings> = {
  read: (environment, projectRoot) => readSettings(VARIABLES, environment, projectRoot),

  async start(here, settings) {
    const { url, close } = await startVoPay({ ...here, ...settings });
    const line =
      `VoPay simulator ${NO_MONEY} listens on ${url}; payers read their messages at ${url}/inbox; ` +
      `it notifies of payments at ${settings.webhookUrl}; its book is ${settings.bookPath}`;
    return { line, variables: gatewayVariables(url), close };
  },
};
