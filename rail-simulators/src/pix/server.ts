/**
 * Composes and starts the Pix simulator: the bank's API under mutual TLS, and the payer's pages and control surface without
 * TLS.
 */
import { issue } from '../kernel/certificates.ts';
import { type ProviderServer, type SimulatorOptions, startUnderMutualTls } from '../kernel/start-provider.ts';
import { AccessTokens } from './access-tokens.ts';
import { Book } from './book.ts';
import { controlRoutes } from './control-routes.ts';
import { FAULT_TABLE } from './faults.ts';
import { Callbacks } from './notifications.ts';
import { payerRoutes } from './pages.ts';
import { PixBank, type PixDelays, USUAL_DELAYS } from './processing.ts';
import { apiRoutes, type Webhook } from './routes.ts';
import { pixView, type ViewParts } from './views.ts';

export interface PixOptions extends SimulatorOptions<PixDelays> {
  /** The port of the payer's pages and the control surface. 0 selects a free port. */
  readonly pagesPort: number;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The client's Pix key. */
  readonly chave: string;
  /** The receiver that a payer sees, in ASCII, with at most 25 and 15 characters. */
  readonly receiver: { readonly name: string; readonly city: string };
  /** The folder for the bank's root certificate and the client's certificate and key. */
  readonly certificateFolder: string;
  /** The base of `/pix`. The client can change it. If undefined, the bank sends no notifications. */
  readonly webhookUrl?: string;
  /** The lifetime of an access token. */
  readonly tokenSeconds?: number;
}

export interface PixServer extends ProviderServer {
  /** The URL of the payer's pages and the control surface. */
  readonly pagesUrl: string;
}

const USUAL_TOKEN_SECONDS = 600;

/**
 * Its `url` is the API's, without the version. Throws a StartupFault if a port, the certificates or the book are unavailable.
 */
export async function startPix(options: PixOptions): Promise<PixServer> {
  const { clock, secret, chave, receiver, tokenSeconds = USUAL_TOKEN_SECONDS } = options;
  const book = new Book();
  const design = { name: 'Pix', slug: 'pix', book, faults: FAULT_TABLE, usualDelays: USUAL_DELAYS };
  const open = { openPort: options.pagesPort, openPortVariable: 'PAGES_PORT', certifiedClient: options.clientId };
  const { url, openUrl, close } = await startUnderMutualTls(design, { ...options, ...open }, (works, authority) => {
    const { faults, delays } = works;
    const locations = () => new URL(works.openUrl()).host;
    const view: ViewParts = { faults, locations, receiver, now: () => clock.now() };
    const webhook: Webhook = { url: options.webhookUrl, registeredAt: clock.now() };
    const callbacks = new Callbacks(works, {
      webhookUrl: () => webhook.url,
      caller: { ...issue(authority, 'Pix simulator callbacks', 'client'), ca: authority.certificate },
      view({ txid, endToEndId }) {
        const charge = book.latest(txid);
        const pix = charge?.pix.find((one) => one.endToEndId === endToEndId);
        return charge && pix && pixView(pix, charge, view);
      },
      onAccepted(notices) {
        for (const { txid, seq } of notices) bank.callbackAccepted(txid, seq);
      },
    });
    const bank = new PixBank(works, callbacks, secret);
    const tokens = new AccessTokens({ ...options, tokenSeconds });
    return {
      provider: bank,
      routes: apiRoutes({ bank, book, tokens, chave, view, webhook }),
      pages: payerRoutes({ bank, book, view }),
      control: controlRoutes({ bank, book, tokens, callbacks, lateMs: delays.lateMs }),
      moreSummary: () => ({ tokens: tokens.given }),
    };
  });
  return { url, pagesUrl: openUrl, close };
}
