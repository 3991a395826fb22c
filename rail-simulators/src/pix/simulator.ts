/**
 * The simulator of the bank that receives Pix payments: its settings, and how to start it. The caller passes the environment.
 */
import { filled, httpUrl, onOff, path, port, readSettings, type SettingsOf, shaped } from '../kernel/settings.ts';
import { NO_MONEY, type SimulatorDefinition } from '../kernel/simulator-definition.ts';
import { gatewayVariables } from './gateway-variables.ts';
import { startPix } from './server.ts';

const VARIABLES = {
  port: port('PIX_PORT', 4050),
  pagesPort: port('PIX_PAGES_PORT', 4051),
  secret: filled('PIX_CONTROL_SECRET', 'pix-control-secret'),
  clientId: shaped(
    'PIX_CLIENT_ID',
    'gateway',
    /^[\x21-\x39\x3b-\x7e]{1,64}$/,
    '1 to 64 characters without spaces or colons',
  ),
  clientSecret: filled('PIX_CLIENT_SECRET', 'pix-client-secret'),
  chave: shaped('PIX_CHAVE', 'gateway@example.com', /^\S{1,77}$/, 'a Pix key of at most 77 characters'),
  receiver: {
    name: shaped('PIX_RECEIVER', 'Gateway', /^[\x20-\x7e]{1,25}$/, '1 to 25 ASCII characters'),
    city: shaped('PIX_CITY', 'Sao Paulo', /^[\x20-\x7e]{1,15}$/, '1 to 15 ASCII characters'),
  },
  certificateFolder: path('PIX_CERTIFICATES', './data/pix', 'a folder'),
  webhookUrl: httpUrl('PIX_WEBHOOK_URL', 'http://127.0.0.1:8080/rail-notifications'),
  bookPath: path('PIX_BOOK', './data/pix.jsonl', 'a file'),
  control: onOff('PIX_CONTROL'),
};

type PixSettings = SettingsOf<typeof VARIABLES>;

export const pix: SimulatorDefinition<PixSettings> = {
  read: (environment, projectRoot) => readSettings(VARIABLES, environment, projectRoot),

  async start(here, settings) {
    const { url, pagesUrl, close } = await startPix({ ...here, ...settings });
    const line =
      `Pix simulator ${NO_MONEY} listens on ${url}; payers pay at ${pagesUrl}; ` +
      `it notifies of payments at ${settings.webhookUrl}/pix; the certificates that it gave out are in ` +
      `${settings.certificateFolder}; its book is ${settings.bookPath}`;
    return { line, variables: gatewayVariables(url), close };
  },
};
