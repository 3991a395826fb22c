/** The simulator of Freedom Pay: its settings, read from an environment that the caller passes, and how it starts. */
import { resolve } from 'node:path';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { type Check, type Environment, isPort, isSwitch, type Read } from '../setting-checks.ts';
import { startFreedomPay } from './freedom-pay-server.ts';

export interface FreedomPaySettings {
  readonly port: number;
  readonly secret: string;
  readonly merchantId: string;
  readonly payoutSecret: string;
  readonly bookPath: string;
  readonly control: boolean;
}

function readFreedomPaySettings(environment: Environment, projectRoot: string): Read<FreedomPaySettings> {
  const port = environment['FREEDOM_PAY_PORT'] ?? '4100';
  const secret = environment['FREEDOM_PAY_CONTROL_SECRET'] ?? 'freedom-pay-control-secret';
  const merchantId = environment['FREEDOM_PAY_MERCHANT_ID'] ?? '500001';
  const payoutSecret = environment['FREEDOM_PAY_PAYOUT_SECRET'] ?? 'freedom-pay-payout-secret';
  const book = environment['FREEDOM_PAY_BOOK'] ?? './data/freedom-pay.jsonl';
  const control = environment['FREEDOM_PAY_CONTROL'] ?? 'on';
  const checks: readonly Check[] = [
    [isPort(port), 'FREEDOM_PAY_PORT must be a port (0 takes a free one)'],
    [secret !== '', 'FREEDOM_PAY_CONTROL_SECRET must not be empty'],
    [/^\d{1,20}$/.test(merchantId), 'FREEDOM_PAY_MERCHANT_ID must be up to 20 digits'],
    [payoutSecret !== '', 'FREEDOM_PAY_PAYOUT_SECRET must not be empty'],
    [book !== '', 'FREEDOM_PAY_BOOK must be the path of a file'],
    [isSwitch(control), 'FREEDOM_PAY_CONTROL must be on or off'],
  ];
  const bookPath = resolve(projectRoot, book);
  return {
    settings: { port: Number(port), secret, merchantId, payoutSecret, bookPath, control: control === 'on' },
    checks,
  };
}

export const freedomPay: SimulatorDefinition<FreedomPaySettings> = {
  read: readFreedomPaySettings,

  async start(here, settings) {
    const { url, close } = await startFreedomPay({ ...here, ...settings });
    const line =
      `Freedom Pay simulator ${NO_MONEY} listens on ${url}; ` +
      `it tells of payouts where they say; its book is ${settings.bookPath}`;
    return { line, variables: { FREEDOM_PAY_URL: url }, close };
  },
};
