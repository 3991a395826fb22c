/** The simulator of Token.io: its settings, read from an environment that the caller passes, and how it starts. */
import { resolve } from 'node:path';
import { publicKeyFile } from '../kernel/credentials.ts';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { type Check, type Environment, isHttpUrl, isPort, isSwitch } from '../setting-checks.ts';
import { publicText, webhookKey } from './key-files.ts';
import { startTokenIo } from './token-io-server.ts';

export interface TokenIoSettings {
  readonly port: number;
  readonly secret: string;
  readonly memberId: string;
  readonly keyId: string;
  readonly clientKeyPath: string;
  /** Of the key that signs webhooks: 64 hexadecimal digits. */
  readonly webhookKeySeed: string;
  readonly webhookUrl: string;
  readonly account: { readonly id: string; readonly iban: string; readonly name: string };
  readonly bookPath: string;
  readonly control: boolean;
}

function readTokenIo(environment: Environment, projectRoot: string) {
  const port = environment['TOKEN_IO_PORT'] ?? '4040';
  const secret = environment['TOKEN_IO_CONTROL_SECRET'] ?? 'token-io-control-secret';
  const memberId = environment['TOKEN_IO_MEMBER_ID'] ?? 'm:gateway:5zKtXEAq';
  const keyId = environment['TOKEN_IO_KEY_ID'] ?? 'gateway-key';
  const clientKey = environment['TOKEN_IO_CLIENT_PUBLIC_KEY'] ?? './data/token-io/public-key.pem';
  // Known to everybody, like every default of a simulator.
  const webhookKeySeed = environment['TOKEN_IO_WEBHOOK_KEY_SEED'] ?? '74'.repeat(32);
  const webhookUrl = environment['TOKEN_IO_WEBHOOK_URL'] ?? 'http://127.0.0.1:8080/rail-notifications/token-io';
  const account = environment['TOKEN_IO_SETTLEMENT_ACCOUNT'] ?? 'pa:gateway:2gFUX1NEGTG';
  const iban = environment['TOKEN_IO_CREDITOR_IBAN'] ?? 'NL91ABNA0417164300';
  const name = environment['TOKEN_IO_CREDITOR_NAME'] ?? 'Payment Gateway';
  const book = environment['TOKEN_IO_BOOK'] ?? './data/token-io.jsonl';
  const control = environment['TOKEN_IO_CONTROL'] ?? 'on';
  const checks: readonly Check[] = [
    [isPort(port), 'TOKEN_IO_PORT must be a port (0 takes a free one)'],
    [secret !== '', 'TOKEN_IO_CONTROL_SECRET must not be empty'],
    [/^m:[A-Za-z0-9:]{1,100}$/.test(memberId), 'TOKEN_IO_MEMBER_ID must be letters, digits and colons after m:'],
    [keyId !== '', 'TOKEN_IO_KEY_ID must not be empty'],
    [clientKey !== '', 'TOKEN_IO_CLIENT_PUBLIC_KEY must be the path of a PEM file'],
    [/^[0-9A-Fa-f]{64}$/.test(webhookKeySeed), 'TOKEN_IO_WEBHOOK_KEY_SEED must be 64 hexadecimal digits'],
    [isHttpUrl(webhookUrl), 'TOKEN_IO_WEBHOOK_URL must be an http(s) address'],
    [/^pa:[A-Za-z0-9:]{1,100}$/.test(account), 'TOKEN_IO_SETTLEMENT_ACCOUNT must be letters, digits, colons after pa:'],
    [/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban), 'TOKEN_IO_CREDITOR_IBAN must be an IBAN without blanks'],
    [name !== '', 'TOKEN_IO_CREDITOR_NAME must not be empty'],
    [book !== '', 'TOKEN_IO_BOOK must be the path of a file'],
    [isSwitch(control), 'TOKEN_IO_CONTROL must be on or off'],
  ];
  const settings = {
    port: Number(port),
    secret,
    memberId,
    keyId,
    clientKeyPath: resolve(projectRoot, clientKey),
    webhookKeySeed,
    webhookUrl,
    account: { id: account, iban, name },
    bookPath: resolve(projectRoot, book),
    control: control === 'on',
  };
  return { settings, checks };
}

export const tokenIo: SimulatorDefinition<TokenIoSettings> = {
  read: readTokenIo,

  async start(here, settings) {
    const { clientKeyPath, webhookKeySeed, webhookUrl, bookPath } = settings;
    const privateKey = webhookKey(webhookKeySeed);
    const findPublicKey = publicKeyFile(clientKeyPath);
    const { url, close } = await startTokenIo({ ...here, ...settings, privateKey, findPublicKey });
    const line =
      `Token.io simulator ${NO_MONEY} listens on ${url}; ` +
      `the key it knows is ${clientKeyPath}, its own is ${publicText(privateKey)}; ` +
      `it tells of payments at ${webhookUrl}; its book is ${bookPath}`;
    return { line, variables: { TOKEN_IO_URL: url }, close };
  },
};
