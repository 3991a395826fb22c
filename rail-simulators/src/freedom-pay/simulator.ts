/** The Freedom Pay simulator: its settings, and how to start it. The caller passes the environment. */
import { filled, onOff, path, port, readSettings, type SettingsOf, shaped } from '../kernel/settings.ts';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { gatewayVariables } from './gateway-variables.ts';
import { startFreedomPay } from './server.ts';

const VARIABLES = {
  port: port('FREEDOM_PAY_PORT', 4100),
  secret: filled('FREEDOM_PAY_CONTROL_SECRET', 'freedom-pay-control-secret'),
  merchantId: shaped('FREEDOM_PAY_MERCHANT_ID', '500001', /^\d{1,20}$/, 'up to 20 digits'),
  payoutSecret: filled('FREEDOM_PAY_PAYOUT_SECRET', 'freedom-pay-payout-secret'),
  bookPath: path('FREEDOM_PAY_BOOK', './data/freedom-pay.jsonl', 'a file'),
  control: onOff('FREEDOM_PAY_CONTROL'),
};

type FreedomPaySettings = SettingsOf<typeof VARIABLES>;

export const freedomPay: SimulatorDefinition<FreedomPaySettings> = {
  read: (environment, projectRoot) => readSettings(VARIABLES, environment, projectRoot),

  async start(here, settings) {
    const { url, close } = await startFreedomPay({ ...here, ...settings });
    const line =
      `Freedom Pay simulator ${NO_MONEY} listens on ${url}; ` +
      `it notifies of payouts where they say; its book is ${settings.bookPath}`;
    return { line, variables: gatewayVariables(url), close };
  },
};
