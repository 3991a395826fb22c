/** The simulator of VoPay: its settings, read from an environment that the caller passes, and how it starts. */
import { resolve } from 'node:path';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { type Check, type Environment, isHttpUrl, isPort, isSwitch } from '../setting-checks.ts';
import { startVoPay } from './vopay-server.ts';

export interface VoPaySettings {
  readonly port: number;
  readonly secret: string;
  readonly accountId: string;
  readonly key: string;
  readonly sharedSecret: string;
  readonly webhookUrl: string;
  readonly bookPath: string;
  readonly control: boolean;
}

function readVoPay(environment: Environment, projectRoot: string) {
  const port = environment['VOPAY_PORT'] ?? '4060';
  const secret = environment['VOPAY_CONTROL_SECRET'] ?? 'vopay-control-secret';
  const accountId = environment['VOPAY_ACCOUNT_ID'] ?? 'gateway';
  const key = environment['VOPAY_KEY'] ?? 'vopay-key';
  const sharedSecret = environment['VOPAY_SHARED_SECRET'] ?? 'vopay-shared-secret';
  const webhookUrl = environment['VOPAY_WEBHOOK_URL'] ?? 'http://127.0.0.1:8080/rail-notifications/vopay';
  const book = environment['VOPAY_BOOK'] ?? './data/vopay.jsonl';
  const control = environment['VOPAY_CONTROL'] ?? 'on';
  const checks: readonly Check[] = [
    [isPort(port), 'VOPAY_PORT must be a port (0 takes a free one)'],
    [secret !== '', 'VOPAY_CONTROL_SECRET must not be empty'],
    [/^[\x21-\x7e]{1,64}$/.test(accountId), 'VOPAY_ACCOUNT_ID must be 1 to 64 characters without blanks'],
    [key !== '', 'VOPAY_KEY must not be empty'],
    [sharedSecret !== '', 'VOPAY_SHARED_SECRET must not be empty'],
    [isHttpUrl(webhookUrl), 'VOPAY_WEBHOOK_URL must be an http(s) address'],
    [book !== '', 'VOPAY_BOOK must be the path of a file'],
    [isSwitch(control), 'VOPAY_CONTROL must be on or off'],
  ];
  const bookPath = resolve(projectRoot, book);
  const account = { accountId, key, sharedSecret };
  return {
    settings: { port: Number(port), secret, ...account, webhookUrl, bookPath, control: control === 'on' },
    checks,
  };
}

export const vopay: SimulatorDefinition<VoPaySettings> = {
  read: readVoPay,

  async start(here, settings) {
    const { url, close } = await startVoPay({ ...here, ...settings });
    const line =
      `VoPay simulator ${NO_MONEY} listens on ${url}; payers read their messages at ${url}/inbox; ` +
      `it tells of payments at ${settings.webhookUrl}; its book is ${settings.bookPath}`;
    return { line, variables: { VOPAY_URL: `${url}/api/v2` }, close };
  },
};
