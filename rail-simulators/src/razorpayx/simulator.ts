/** The RazorpayX simulator: its settings, and how to start it. The caller passes the environment. */
import { filled, httpUrl, onOff, path, port, readSettings, type SettingsOf, shaped } from '../kernel/settings.ts';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { gatewayVariables } from './gateway-variables.ts';
import { startRazorpayX } from './server.ts';

const VARIABLES = {
  port: port('RAZORPAYX_PORT', 4120),
  secret: filled('RAZORPAYX_CONTROL_SECRET', 'razorpayx-control-secret'),
  keyId: shaped(
    'RAZORPAYX_KEY_ID',
    'rzp_test_gateway',
    /^rzp_[A-Za-z0-9_]{1,60}$/,
    'letters, digits and underscores after rzp_',
  ),
  keySecret: filled('RAZORPAYX_KEY_SECRET', 'razorpayx-key-secret'),
  accountNumber: shaped(
    'RAZORPAYX_ACCOUNT_NUMBER',
    '7878780080316316',
    /^[A-Za-z0-9]{5,40}$/,
    '5 to 40 letters and digits',
  ),
  webhookSecret: filled('RAZORPAYX_WEBHOOK_SECRET', 'razorpayx-webhook-secret'),
  webhookUrl: httpUrl('RAZORPAYX_WEBHOOK_URL', 'http://127.0.0.1:8080/rail-notifications/razorpayx'),
  bookPath: path('RAZORPAYX_BOOK', './data/razorpayx.jsonl', 'a file'),
  control: onOff('RAZORPAYX_CONTROL'),
};

type RazorpayXSettings = SettingsOf<typeof VARIABLES>;

export const razorpayx: SimulatorDefinition<RazorpayXSettings> = {
  read: (environment, projectRoot) => readSettings(VARIABLES, environment, projectRoot),

  async start(here, settings) {
    const { url, close } = await startRazorpayX({ ...here, ...settings });
    const line =
      `RazorpayX simulator ${NO_MONEY} listens on ${url}; ` +
      `it notifies of payouts at ${settings.webhookUrl}; its book is ${settings.bookPath}`;
    return { line, variables: gatewayVariables(url), close };
  },
};
