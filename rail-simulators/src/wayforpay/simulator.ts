/** The WayForPay simulator: its settings, and how to start it. The caller passes the environment. */
import { filled, onOff, path, port, readSettings, type SettingsOf, shaped } from '../kernel/settings.ts';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { gatewayVariables } from './gateway-variables.ts';
import { startWayForPay } from './server.ts';

const VARIABLES = {
  port: port('WAYFORPAY_PORT', 4080),
  secret: filled('WAYFORPAY_CONTROL_SECRET', 'wayforpay-control-secret'),
  merchantAccount: shaped(
    'WAYFORPAY_MERCHANT_ACCOUNT',
    'gateway',
    /^[\w.-]{1,64}$/,
    '1 to 64 letters, digits, _, . or -',
  ),
  secretKey: filled('WAYFORPAY_SECRET_KEY', 'wayforpay-secret-key'),
  bookPath: path('WAYFORPAY_BOOK', './data/wayforpay.jsonl', 'a file'),
  control: onOff('WAYFORPAY_CONTROL'),
};

type WayForPaySettings = SettingsOf<typeof VARIABLES>;

export const wayforpay: SimulatorDefinition<WayForPaySettings> = {
  read: (environment, projectRoot) => readSettings(VARIABLES, environment, projectRoot),

  async start(here, settings) {
    const { url, close } = await startWayForPay({ ...here, ...settings });
    const line =
      `WayForPay simulator ${NO_MONEY} listens on ${url}; ` +
      `it notifies ${settings.merchantAccount} of each payout where that says; its book is ${settings.bookPath}`;
    return { line, variables: gatewayVariables(url), close };
  },
};
