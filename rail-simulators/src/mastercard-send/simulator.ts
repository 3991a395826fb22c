/** The Mastercard Send simulator: its settings, and how to start it. The caller passes the environment. */
import { publicKeyFile } from '../kernel/credentials.ts';
import { filled, onOff, path, port, readSettings, type SettingsOf, shaped } from '../kernel/settings.ts';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { gatewayVariables } from './gateway-variables.ts';
import { startMastercardSend } from './server.ts';

const VARIABLES = {
  port: port('MASTERCARD_SEND_PORT', 4160),
  secret: filled('MASTERCARD_SEND_CONTROL_SECRET', 'mastercard-send-control-secret'),
  partnerId: shaped(
    'MASTERCARD_SEND_PARTNER_ID',
    'ptnr_gateway',
    /^ptnr_[A-Za-z0-9_-]{1,60}$/,
    'ptnr_ and letters, digits, _ or -',
  ),
  consumerKey: shaped(
    'MASTERCARD_SEND_CONSUMER_KEY',
    'gateway!mastercard-send',
    /^[\x21-\x7e]{1,200}$/,
    'up to 200 characters without spaces',
  ),
  clientKeyPath: path('MASTERCARD_SEND_CLIENT_PUBLIC_KEY', './data/mastercard-send/public-key.pem', 'a PEM file'),
  bookPath: path('MASTERCARD_SEND_BOOK', './data/mastercard-send.jsonl', 'a file'),
  control: onOff('MASTERCARD_SEND_CONTROL'),
};

type MastercardSendSettings = SettingsOf<typeof VARIABLES>;

export const mastercardSend: SimulatorDefinition<MastercardSendSettings> = {
  read: (environment, projectRoot) => readSettings(VARIABLES, environment, projectRoot),

  async start(here, settings) {
    const findPublicKey = publicKeyFile(settings.clientKeyPath);
    const { url, close } = await startMastercardSend({ ...here, ...settings, findPublicKey });
    const line =
      `Mastercard Send simulator ${NO_MONEY} listens on ${url}; ` +
      `the client’s public key is ${settings.clientKeyPath}; its book is ${settings.bookPath}`;
    return { line, variables: gatewayVariables(url), close };
  },
};
