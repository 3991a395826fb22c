/** The Trustly simulator: its settings, and how to start it. The caller passes the environment. */
import { publicKeyFile } from '../kernel/credentials.ts';
import { filled, onOff, path, port, readSettings, type SettingsOf } from '../kernel/settings.ts';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { gatewayVariables } from './gateway-variables.ts';
import { ownPrivateKey } from './key-files.ts';
import { startTrustly } from './server.ts';

const VARIABLES = {
  port: port('TRUSTLY_PORT', 4070),
  secret: filled('TRUSTLY_CONTROL_SECRET', 'trustly-control-secret'),
  username: filled('TRUSTLY_USERNAME', 'gateway'),
  password: filled('TRUSTLY_PASSWORD', 'trustly-password'),
  clientKeyPath: path('TRUSTLY_CLIENT_PUBLIC_KEY', './data/trustly/public-key.pem', 'a PEM file'),
  ownKeyPath: path('TRUSTLY_OWN_KEY', './data/trustly/trustly-own-key.pem', 'a PEM file'),
  publicKeyPath: path('TRUSTLY_PUBLIC_KEY', './data/trustly/trustly-public-key.pem', 'a PEM file'),
  bookPath: path('TRUSTLY_BOOK', './data/trustly.jsonl', 'a file'),
  control: onOff('TRUSTLY_CONTROL'),
};

type TrustlySettings = SettingsOf<typeof VARIABLES>;

export const trustly: SimulatorDefinition<TrustlySettings> = {
  read: (environment, projectRoot) => readSettings(VARIABLES, environment, projectRoot),

  async start(here, settings) {
    const { clientKeyPath, ownKeyPath, publicKeyPath, bookPath } = settings;
    const privateKey = ownPrivateKey(ownKeyPath, publicKeyPath);
    const findPublicKey = publicKeyFile(clientKeyPath);
    const { url, close } = await startTrustly({ ...here, ...settings, privateKey, findPublicKey });
    const line =
      `Trustly simulator ${NO_MONEY} listens on ${url}; ` +
      `the client’s public key is ${clientKeyPath}, its own is shown at ${publicKeyPath}; its book is ${bookPath}`;
    return { line, variables: gatewayVariables(url), close };
  },
};
