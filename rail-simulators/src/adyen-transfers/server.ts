/** Composes and starts the simulator of Adyen's Transfers API, for the process, the demo and the tests. */
import { invalid, ok } from '../kernel/book-page.ts';
import { controlPost } from '../kernel/control-surface.ts';
import { type ProviderServer, type SimulatorOptions, startProvider } from '../kernel/start-provider.ts';
import { Book } from './book.ts';
import { FAULT_TABLE } from './faults.ts';
import { createWebhooks, type Webhook } from './notifications.ts';
import { type TransferDelays, Transfers, USUAL_DELAYS } from './processing.ts';
import { transferRoutes } from './routes.ts';

export interface AdyenTransfersOptions extends SimulatorOptions<TransferDelays>, Webhook {
  readonly apiKey: string;
}

/**
 * The client's base URL is the server's plus `/btl/v4`. Throws a StartupFault if the port is in use or the book cannot be
 * opened.
 */
export function startAdyenTransfers(options: AdyenTransfersOptions): Promise<ProviderServer> {
  const { apiKey, balanceAccount } = options;
  const slug = 'adyen-transfers';
  const design = { name: 'Adyen Transfers', slug, book: new Book(), faults: FAULT_TABLE, usualDelays: USUAL_DELAYS };
  return startProvider(design, options, (works) => {
    const provider = new Transfers(works, createWebhooks(works, options));
    const giveBack = (name: string, status: 'failed' | 'returned') =>
      controlPost(name, async ({ reference, reason }) => {
        const why = String(reason ?? 'counterpartyAccountClosed');
        const entry = await provider.giveBack(String(reference), status, why);
        return entry === undefined ? invalid('reference') : ok(entry);
      });
    const routes = transferRoutes({ ...works, transfers: provider, account: { apiKey, balanceAccount } });
    return { provider, routes, control: [giveBack('fail', 'failed'), giveBack('return', 'returned')] };
  });
}
