/** The simulator of Adyen's Transfers API: its settings, read from an environment that the caller passes, and how it starts. */
import { resolve } from 'node:path';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { type Check, type Environment, isHttpUrl, isPort, isSwitch, type Read } from '../setting-checks.ts';
import { startAdyenTransfers } from './adyen-transfers-server.ts';

export interface AdyenTransfersSettings {
  readonly port: number;
  readonly secret: string;
  readonly apiKey: string;
  readonly balanceAccount: string;
  /** Hexadecimal. */
  readonly hmacKey: string;
  readonly webhookUrl: string;
  readonly bookPath: string;
  readonly control: boolean;
}

function readAdyenTransfers(environment: Environment, projectRoot: string): Read<AdyenTransfersSettings> {
  const port = environment['ADYEN_TRANSFERS_PORT'] ?? '4140';
  const secret = environment['ADYEN_TRANSFERS_CONTROL_SECRET'] ?? 'adyen-transfers-control-secret';
  const apiKey = environment['ADYEN_TRANSFERS_API_KEY'] ?? 'adyen-transfers-api-key';
  const balanceAccount = environment['ADYEN_TRANSFERS_BALANCE_ACCOUNT'] ?? 'BA00000000000000000000001';
  const hmacKey = environment['ADYEN_TRANSFERS_HMAC_KEY'] ?? 'FEDCBA9876543210'.repeat(4);
  const webhookUrl =
    environment['ADYEN_TRANSFERS_WEBHOOK_URL'] ?? 'http://127.0.0.1:8080/rail-notifications/adyen-transfers';
  const book = environment['ADYEN_TRANSFERS_BOOK'] ?? './data/adyen-transfers.jsonl';
  const control = environment['ADYEN_TRANSFERS_CONTROL'] ?? 'on';
  const checks: readonly Check[] = [
    [isPort(port), 'ADYEN_TRANSFERS_PORT must be a port (0 takes a free one)'],
    [secret !== '', 'ADYEN_TRANSFERS_CONTROL_SECRET must not be empty'],
    [apiKey !== '', 'ADYEN_TRANSFERS_API_KEY must not be empty'],
    [
      /^BA[A-Za-z0-9]{1,34}$/.test(balanceAccount),
      'ADYEN_TRANSFERS_BALANCE_ACCOUNT must be BA and up to 34 letters or digits',
    ],
    [/^[0-9A-Fa-f]{64}$/.test(hmacKey), 'ADYEN_TRANSFERS_HMAC_KEY must be 64 hexadecimal digits'],
    [isHttpUrl(webhookUrl), 'ADYEN_TRANSFERS_WEBHOOK_URL must be an http(s) address'],
    [book !== '', 'ADYEN_TRANSFERS_BOOK must be the path of a file'],
    [isSwitch(control), 'ADYEN_TRANSFERS_CONTROL must be on or off'],
  ];
  const bookPath = resolve(projectRoot, book);
  const account = { apiKey, balanceAccount, hmacKey, webhookUrl };
  return { settings: { port: Number(port), secret, ...account, bookPath, control: control === 'on' }, checks };
}

export const adyenTransfers: SimulatorDefinition<AdyenTransfersSettings> = {
  read: readAdyenTransfers,

  async start(here, settings) {
    const { url, close } = await startAdyenTransfers({ ...here, ...settings });
    const line =
      `Adyen Transfers simulator ${NO_MONEY} listens on ${url}; it pays out of ${settings.balanceAccount} ` +
      `and tells of it at ${settings.webhookUrl}; its book is ${settings.bookPath}`;
    const variables = { ADYEN_TRANSFERS_URL: `${url}/btl/v4`, ADYEN_TRANSFERS_BALANCES_URL: `${url}/bcl/v2` };
    return { line, variables, close };
  },
};
