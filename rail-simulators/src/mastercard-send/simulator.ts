/** The simulator of Mastercard Send: its settings, read from an environment that the caller passes, and how it starts. */
import { resolve } from 'node:path';
import { publicKeyFile } from '../kernel/credentials.ts';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { type Check, type Environment, isPort, isSwitch, type Read } from '../setting-checks.ts';
import { startMastercardSend } from './mastercard-send-server.ts';

export interface MastercardSendSettings {
  readonly port: number;
  readonly secret: string;
  readonly partnerId: string;
  readonly consumerKey: string;
  readonly clientKeyPath: string;
  readonly bookPath: string;
  readonly control: boolean;
}

function readMastercardSend(environment: Environment, projectRoot: string): Read<MastercardSendSettings> {
  const port = environment['MASTERCARD_SEND_PORT'] ?? '4160';
  const secret = environment['MASTERCARD_SEND_CONTROL_SECRET'] ?? 'mastercard-send-control-secret';
  const partnerId = environment['MASTERCARD_SEND_PARTNER_ID'] ?? 'ptnr_gateway';
  const consumerKey = environment['MASTERCARD_SEND_CONSUMER_KEY'] ?? 'gateway!mastercard-send';
  const clientKey = environment['MASTERCARD_SEND_CLIENT_PUBLIC_KEY'] ?? './data/mastercard-send/public-key.pem';
  const book = environment['MASTERCARD_SEND_BOOK'] ?? './data/mastercard-send.jsonl';
  const control = environment['MASTERCARD_SEND_CONTROL'] ?? 'on';
  const checks: readonly Check[] = [
    [isPort(port), 'MASTERCARD_SEND_PORT must be a port (0 takes a free one)'],
    [secret !== '', 'MASTERCARD_SEND_CONTROL_SECRET must not be empty'],
    [
      /^ptnr_[A-Za-z0-9_-]{1,60}$/.test(partnerId),
      'MASTERCARD_SEND_PARTNER_ID must be ptnr_ and letters, digits, _ or -',
    ],
    [
      /^[\x21-\x7e]{1,200}$/.test(consumerKey),
      'MASTERCARD_SEND_CONSUMER_KEY must be up to 200 characters without blanks',
    ],
    [clientKey !== '', 'MASTERCARD_SEND_CLIENT_PUBLIC_KEY must be the path of a PEM file'],
    [book !== '', 'MASTERCARD_SEND_BOOK must be the path of a file'],
    [isSwitch(control), 'MASTERCARD_SEND_CONTROL must be on or off'],
  ];
  const settings = {
    ...{ port: Number(port), secret, partnerId, consumerKey },
    clientKeyPath: resolve(projectRoot, clientKey),
    bookPath: resolve(projectRoot, book),
    control: control === 'on',
  };
  return { settings, checks };
}

export const mastercardSend: SimulatorDefinition<MastercardSendSettings> = {
  read: readMastercardSend,

  async start(here, settings) {
    const findPublicKey = publicKeyFile(settings.clientKeyPath);
    const { url, close } = await startMastercardSend({ ...here, ...settings, findPublicKey });
    const line =
      `Mastercard Send simulator ${NO_MONEY} listens on ${url}; ` +
      `the key it knows is ${settings.clientKeyPath}; its book is ${settings.bookPath}`;
    return { line, variables: { MASTERCARD_SEND_URL: `${url}/send` }, close };
  },
};
