/** The Token.io simulator: its settings, and how to start it. The caller passes the environment. */
import { publicKeyFile } from '../kernel/credentials.ts';
import { filled, httpUrl, onOff, path, port, readSettings, type SettingsOf, shaped } from '../kernel/settings.ts';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { gatewayVariables } from './gateway-variables.ts';
import { publicText, webhookKey } from './key-files.ts';
import { startTokenIo } from './server.ts';

const VARIABLES = {
  port: port('TOKEN_IO_PORT', 4040),
  secret: filled('TOKEN_IO_CONTROL_SECRET', 'token-io-control-secret'),
  memberId: shaped(
    'TOKEN_IO_MEMBER_ID',
    'm:gateway:5zKtXEAq',
    /^m:[A-Za-z0-9:]{1,100}$/,
    'letters, digits and colons after m:',
  ),
  keyId: filled('TOKEN_IO_KEY_ID', 'gateway-key'),
  clientKeyPath: path('TOKEN_IO_CLIENT_PUBLIC_KEY', './data/token-io/public-key.pem', 'a PEM file'),
  // Public, like every default of a simulator.
  webhookKeySeed: shaped('TOKEN_IO_WEBHOOK_KEY_SEED', '74'.repeat(32), /^[0-9A-Fa-f]{64}$/, '64 hexadecimal digits'),
  webhookUrl: httpUrl('TOKEN_IO_WEBHOOK_URL', 'http://127.0.0.1:8080/rail-notifications/token-io'),
  account: {
    id: shaped(
      'TOKEN_IO_SETTLEMENT_ACCOUNT',
      'pa:gateway:2gFUX1NEGTG',
      /^pa:[A-Za-z0-9:]{1,100}$/,
      'letters, digits, colons after pa:',
    ),
    iban: shaped(
      'TOKEN_IO_CREDITOR_IBAN',
      'NL91ABNA0417164300',
      /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/,
      'an IBAN without spaces',
    ),
    name: filled('TOKEN_IO_CREDITOR_NAME', 'Payment Gateway'),
  },
  bookPath: path('TOKEN_IO_BOOK', './data/token-io.jsonl', 'a file'),
  control: onOff('TOKEN_IO_CONTROL'),
};

type TokenIoSettings = SettingsOf<typeof VARIABLES>;

export const tokenIo: SimulatorDefinition<TokenIoSettings> = {
  read: (environment, projectRoot) => readSettings(VARIABLES, environment, projectRoot),

  async start(here, settings) {
    const { clientKeyPath, webhookKeySeed, webhookUrl, bookPath } = settings;
    const privateKey = webhookKey(webhookKeySeed);
    const findPublicKey = publicKeyFile(clientKeyPath);
    const { url, close } = await startTokenIo({ ...here, ...settings, privateKey, findPublicKey });
    const line =
      `Token.io simulator ${NO_MONEY} listens on ${url}; ` +
      `the client’s public key is ${clientKeyPath}, its own is ${publicText(privateKey)}; ` +
      `it notifies of payments at ${webhookUrl}; its book is ${bookPath}`;
    return { line, variables: gatewayVariables(url), close };
  },
};
