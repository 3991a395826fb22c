/** The simulator of Adyen: its settings, read from an environment that the caller passes, and how it starts. */
import { resolve } from 'node:path';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { type Check, type Environment, isHttpUrl, isPort, isSwitch } from '../setting-checks.ts';
import { startAdyen } from './adyen-server.ts';

export interface AdyenSettings {
  readonly port: number;
  readonly secret: string;
  readonly merchantAccount: string;
  readonly apiKey: string;
  readonly hmacKey: string;
  readonly webhookUrl: string;
  readonly bookPath: string;
  readonly control: boolean;
}

function readAdyen(environment: Environment, projectRoot: string) {
  const port = environment['ADYEN_PORT'] ?? '4030';
  const secret = environment['ADYEN_CONTROL_SECRET'] ?? 'adyen-control-secret';
  const merchantAccount = environment['ADYEN_MERCHANT_ACCOUNT'] ?? 'GatewayECOM';
  const apiKey = environment['ADYEN_API_KEY'] ?? 'adyen-api-key';
  const hmacKey = environment['ADYEN_HMAC_KEY'] ?? '0123456789ABCDEF'.repeat(4);
  const webhookUrl = environment['ADYEN_WEBHOOK_URL'] ?? 'http://127.0.0.1:8080/rail-notifications/adyen';
  const book = environment['ADYEN_BOOK'] ?? './data/adyen.jsonl';
  const control = environment['ADYEN_CONTROL'] ?? 'on';
  const checks: readonly Check[] = [
    [isPort(port), 'ADYEN_PORT must be a port (0 takes a free one)'],
    [secret !== '', 'ADYEN_CONTROL_SECRET must not be empty'],
    [/^[A-Za-z0-9_-]{1,80}$/.test(merchantAccount), 'ADYEN_MERCHANT_ACCOUNT must be 1 to 80 letters, digits, _ or -'],
    [apiKey !== '', 'ADYEN_API_KEY must not be empty'],
    [/^[0-9A-Fa-f]{64}$/.test(hmacKey), 'ADYEN_HMAC_KEY must be 64 hexadecimal digits'],
    [isHttpUrl(webhookUrl), 'ADYEN_WEBHOOK_URL must be an http(s) address'],
    [book !== '', 'ADYEN_BOOK must be the path of a file'],
    [isSwitch(control), 'ADYEN_CONTROL must be on or off'],
  ];
  const settings = {
    port: Number(port),
    secret,
    merchantAccount,
    apiKey,
    hmacKey,
    webhookUrl,
    bookPath: resolve(projectRoot, book),
    control: control === 'on',
  };
  return { settings, checks };
}

export const adyen: SimulatorDefinition<AdyenSettings> = {
  read: readAdyen,

  async start(here, settings) {
    const { url, close } = await startAdyen({ ...here, ...settings });
    const line =
      `Adyen simulator ${NO_MONEY} listens on ${url}; ` +
      `it tells ${settings.merchantAccount} of payments at ${settings.webhookUrl}; its book is ${settings.bookPath}`;
    return { line, variables: { ADYEN_URL: `${url}/v72` }, close };
  },
};
