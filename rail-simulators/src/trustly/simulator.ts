/** The simulator of Trustly: its settings, read from an environment that the caller passes, and how it starts. */
import { resolve } from 'node:path';
import { publicKeyFile } from '../kernel/credentials.ts';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { type Check, type Environment, isPort, isSwitch } from '../setting-checks.ts';
import { ownPrivateKey } from './key-files.ts';
import { startTrustly } from './trustly-server.ts';

export interface TrustlySettings {
  readonly port: number;
  readonly secret: string;
  readonly username: string;
  readonly password: string;
  readonly clientKeyPath: string;
  /** Trustly's own key: the private one, and where the public one is shown. */
  readonly ownKeyPath: string;
  readonly publicKeyPath: string;
  readonly bookPath: string;
  readonly control: boolean;
}

function readTrustly(environment: Environment, projectRoot: string) {
  const port = environment['TRUSTLY_PORT'] ?? '4070';
  const secret = environment['TRUSTLY_CONTROL_SECRET'] ?? 'trustly-control-secret';
  const username = environment['TRUSTLY_USERNAME'] ?? 'gateway';
  const password = environment['TRUSTLY_PASSWORD'] ?? 'trustly-password';
  const clientKey = environment['TRUSTLY_CLIENT_PUBLIC_KEY'] ?? './data/trustly/public-key.pem';
  const ownKey = environment['TRUSTLY_OWN_KEY'] ?? './data/trustly/trustly-own-key.pem';
  const publicKey = environment['TRUSTLY_PUBLIC_KEY'] ?? './data/trustly/trustly-public-key.pem';
  const book = environment['TRUSTLY_BOOK'] ?? './data/trustly.jsonl';
  const control = environment['TRUSTLY_CONTROL'] ?? 'on';
  const checks: readonly Check[] = [
    [isPort(port), 'TRUSTLY_PORT must be a port (0 takes a free one)'],
    [secret !== '', 'TRUSTLY_CONTROL_SECRET must not be empty'],
    [username !== '', 'TRUSTLY_USERNAME must not be empty'],
    [password !== '', 'TRUSTLY_PASSWORD must not be empty'],
    [clientKey !== '', 'TRUSTLY_CLIENT_PUBLIC_KEY must be the path of a PEM file'],
    [ownKey !== '', 'TRUSTLY_OWN_KEY must be the path of a PEM file'],
    [publicKey !== '', 'TRUSTLY_PUBLIC_KEY must be the path of a PEM file'],
    [book !== '', 'TRUSTLY_BOOK must be the path of a file'],
    [isSwitch(control), 'TRUSTLY_CONTROL must be on or off'],
  ];
  const settings = {
    port: Number(port),
    secret,
    username,
    password,
    clientKeyPath: resolve(projectRoot, clientKey),
    ownKeyPath: resolve(projectRoot, ownKey),
    publicKeyPath: resolve(projectRoot, publicKey),
    bookPath: resolve(projectRoot, book),
    control: control === 'on',
  };
  return { settings, checks };
}

export const trustly: SimulatorDefinition<TrustlySettings> = {
  read: readTrustly,

  async start(here, settings) {
    const { clientKeyPath, ownKeyPath, publicKeyPath, bookPath } = settings;
    const privateKey = ownPrivateKey(ownKeyPath, publicKeyPath);
    const findPublicKey = publicKeyFile(clientKeyPath);
    const { url, close } = await startTrustly({ ...here, ...settings, privateKey, findPublicKey });
    const line =
      `Trustly simulator ${NO_MONEY} listens on ${url}; ` +
      `the key it knows is ${clientKeyPath}, its own is shown at ${publicKeyPath}; its book is ${bookPath}`;
    return { line, variables: { TRUSTLY_URL: `${url}/api/1` }, close };
  },
};
