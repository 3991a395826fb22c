/** The simulator of WayForPay: its settings, read from an environment that the caller passes, and how it starts. */
import { resolve } from 'node:path';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { type Check, type Environment, isPort, isSwitch, type Read } from '../setting-checks.ts';
import { startWayForPay } from './wayforpay-server.ts';

export interface WayForPaySettings {
  readonly port: number;
  readonly secret: string;
  readonly merchantAccount: string;
  readonly secretKey: string;
  readonly bookPath: string;
  readonly control: boolean;
}

function readWayForPay(environment: Environment, projectRoot: string): Read<WayForPaySettings> {
  const port = environment['WAYFORPAY_PORT'] ?? '4080';
  const secret = environment['WAYFORPAY_CONTROL_SECRET'] ?? 'wayforpay-control-secret';
  const merchantAccount = environment['WAYFORPAY_MERCHANT_ACCOUNT'] ?? 'gateway';
  const secretKey = environment['WAYFORPAY_SECRET_KEY'] ?? 'wayforpay-secret-key';
  const book = environment['WAYFORPAY_BOOK'] ?? './data/wayforpay.jsonl';
  const control = environment['WAYFORPAY_CONTROL'] ?? 'on';
  const checks: readonly Check[] = [
    [isPort(port), 'WAYFORPAY_PORT must be a port (0 takes a free one)'],
    [secret !== '', 'WAYFORPAY_CONTROL_SECRET must not be empty'],
    [/^[\w.-]{1,64}$/.test(merchantAccount), 'WAYFORPAY_MERCHANT_ACCOUNT must be 1 to 64 letters, digits, _, . or -'],
    [secretKey !== '', 'WAYFORPAY_SECRET_KEY must not be empty'],
    [book !== '', 'WAYFORPAY_BOOK must be the path of a file'],
    [isSwitch(control), 'WAYFORPAY_CONTROL must be on or off'],
  ];
  const bookPath = resolve(projectRoot, book);
  const settings = { port: Number(port), secret, merchantAccount, secretKey, bookPath, control: control === 'on' };
  return { settings, checks };
}

export const wayforpay: SimulatorDefinition<WayForPaySettings> = {
  read: readWayForPay,

  async start(here, settings) {
    const { url, close } = await startWayForPay({ ...here, ...settings });
    const line =
      `WayForPay simulator ${NO_MONEY} listens on ${url}; ` +
      `it tells ${settings.merchantAccount} of each payout where that says; its book is ${settings.bookPath}`;
    return { line, variables: { WAYFORPAY_URL: url }, close };
  },
};
