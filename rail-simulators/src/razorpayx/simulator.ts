/** The simulator of RazorpayX: its settings, read from an environment that the caller passes, and how it starts. */
import { resolve } from 'node:path';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { type Check, type Environment, isHttpUrl, isPort, isSwitch, type Read } from '../setting-checks.ts';
import { startRazorpayX } from './razorpayx-server.ts';

export interface RazorpayXSettings {
  readonly port: number;
  readonly secret: string;
  readonly keyId: string;
  readonly keySecret: string;
  readonly accountNumber: string;
  readonly webhookSecret: string;
  readonly webhookUrl: string;
  readonly bookPath: string;
  readonly control: boolean;
}

function readRazorpayX(environment: Environment, projectRoot: string): Read<RazorpayXSettings> {
  const port = environment['RAZORPAYX_PORT'] ?? '4120';
  const secret = environment['RAZORPAYX_CONTROL_SECRET'] ?? 'razorpayx-control-secret';
  const keyId = environment['RAZORPAYX_KEY_ID'] ?? 'rzp_test_gateway';
  const keySecret = environment['RAZORPAYX_KEY_SECRET'] ?? 'razorpayx-key-secret';
  const accountNumber = environment['RAZORPAYX_ACCOUNT_NUMBER'] ?? '7878780080316316';
  const webhookSecret = environment['RAZORPAYX_WEBHOOK_SECRET'] ?? 'razorpayx-webhook-secret';
  const webhookUrl = environment['RAZORPAYX_WEBHOOK_URL'] ?? 'http://127.0.0.1:8080/rail-notifications/razorpayx';
  const book = environment['RAZORPAYX_BOOK'] ?? './data/razorpayx.jsonl';
  const control = environment['RAZORPAYX_CONTROL'] ?? 'on';
  const checks: readonly Check[] = [
    [isPort(port), 'RAZORPAYX_PORT must be a port (0 takes a free one)'],
    [secret !== '', 'RAZORPAYX_CONTROL_SECRET must not be empty'],
    [/^rzp_[A-Za-z0-9_]{1,60}$/.test(keyId), 'RAZORPAYX_KEY_ID must be letters, digits and underscores after rzp_'],
    [keySecret !== '', 'RAZORPAYX_KEY_SECRET must not be empty'],
    [/^[A-Za-z0-9]{5,40}$/.test(accountNumber), 'RAZORPAYX_ACCOUNT_NUMBER must be 5 to 40 letters and digits'],
    [webhookSecret !== '', 'RAZORPAYX_WEBHOOK_SECRET must not be empty'],
    [isHttpUrl(webhookUrl), 'RAZORPAYX_WEBHOOK_URL must be an http(s) address'],
    [book !== '', 'RAZORPAYX_BOOK must be the path of a file'],
    [isSwitch(control), 'RAZORPAYX_CONTROL must be on or off'],
  ];
  const account = { keyId, keySecret, accountNumber, webhookSecret };
  const bookPath = resolve(projectRoot, book);
  return {
    settings: { port: Number(port), secret, ...account, webhookUrl, bookPath, control: control === 'on' },
    checks,
  };
}

export const razorpayx: SimulatorDefinition<RazorpayXSettings> = {
  read: readRazorpayX,

  async start(here, settings) {
    const { url, close } = await startRazorpayX({ ...here, ...settings });
    const line =
      `RazorpayX simulator ${NO_MONEY} listens on ${url}; ` +
      `it tells of payouts at ${settings.webhookUrl}; its book is ${settings.bookPath}`;
    return { line, variables: { RAZORPAYX_URL: `${url}/v1` }, close };
  },
};
