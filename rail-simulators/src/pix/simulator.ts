/** The simulator of the bank that receives Pix: its settings, read from an environment that the caller passes, and how it starts. */
import { resolve } from 'node:path';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { type Check, type Environment, isHttpUrl, isPort, isSwitch } from '../setting-checks.ts';
import { startPix } from './pix-server.ts';

export interface PixSettings {
  readonly port: number;
  readonly pagesPort: number;
  readonly secret: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly chave: string;
  readonly receiver: { readonly name: string; readonly city: string };
  readonly certificateFolder: string;
  readonly webhookUrl: string;
  readonly bookPath: string;
  readonly control: boolean;
}

function readPix(environment: Environment, projectRoot: string) {
  const port = environment['PIX_PORT'] ?? '4050';
  const pagesPort = environment['PIX_PAGES_PORT'] ?? '4051';
  const secret = environment['PIX_CONTROL_SECRET'] ?? 'pix-control-secret';
  const clientId = environment['PIX_CLIENT_ID'] ?? 'gateway';
  const clientSecret = environment['PIX_CLIENT_SECRET'] ?? 'pix-client-secret';
  const chave = environment['PIX_CHAVE'] ?? 'gateway@example.com';
  const name = environment['PIX_RECEIVER'] ?? 'Gateway';
  const city = environment['PIX_CITY'] ?? 'Sao Paulo';
  const certificates = environment['PIX_CERTIFICATES'] ?? './data/pix';
  const webhookUrl = environment['PIX_WEBHOOK_URL'] ?? 'http://127.0.0.1:8080/rail-notifications';
  const book = environment['PIX_BOOK'] ?? './data/pix.jsonl';
  const control = environment['PIX_CONTROL'] ?? 'on';
  const checks: readonly Check[] = [
    [isPort(port), 'PIX_PORT must be a port (0 takes a free one)'],
    [isPort(pagesPort), 'PIX_PAGES_PORT must be a port (0 takes a free one)'],
    [secret !== '', 'PIX_CONTROL_SECRET must not be empty'],
    [
      /^[\x21-\x39\x3b-\x7e]{1,64}$/.test(clientId),
      'PIX_CLIENT_ID must be 1 to 64 characters without blanks and colons',
    ],
    [clientSecret !== '', 'PIX_CLIENT_SECRET must not be empty'],
    [/^\S{1,77}$/.test(chave), 'PIX_CHAVE must be a Pix key of at most 77 characters'],
    [/^[\x20-\x7e]{1,25}$/.test(name), 'PIX_RECEIVER must be 1 to 25 ASCII characters'],
    [/^[\x20-\x7e]{1,15}$/.test(city), 'PIX_CITY must be 1 to 15 ASCII characters'],
    [certificates !== '', 'PIX_CERTIFICATES must be the path of a folder'],
    [isHttpUrl(webhookUrl), 'PIX_WEBHOOK_URL must be an http(s) address'],
    [book !== '', 'PIX_BOOK must be the path of a file'],
    [isSwitch(control), 'PIX_CONTROL must be on or off'],
  ];
  const settings = {
    port: Number(port),
    pagesPort: Number(pagesPort),
    secret,
    clientId,
    clientSecret,
    chave,
    receiver: { name, city },
    certificateFolder: resolve(projectRoot, certificates),
    webhookUrl,
    bookPath: resolve(projectRoot, book),
    control: control === 'on',
  };
  return { settings, checks };
}

export const pix: SimulatorDefinition<PixSettings> = {
  read: readPix,

  async start(here, settings) {
    const { url, pagesUrl, close } = await startPix({ ...here, ...settings });
    const line =
      `Pix simulator ${NO_MONEY} listens on ${url}; payers pay at ${pagesUrl}; ` +
      `it tells of payments at ${settings.webhookUrl}/pix; the certificates that it gave out are in ` +
      `${settings.certificateFolder}; its book is ${settings.bookPath}`;
    return { line, variables: { PIX_URL: `${url}/api/v2` }, close };
  },
};
