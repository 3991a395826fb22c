/** Composes and starts Adyen's simulator, for the process, the demo and the tests. */
import { type ProviderServer, type SimulatorOptions, startProvider } from '../kernel/start-provider.ts';
import { bankRoutes } from './bank-routes.ts';
import { Book } from './book.ts';
import { FAULT_TABLE } from './faults.ts';
import { IdempotentRequests } from './idempotency.ts';
import { createWebhooks } from './notifications.ts';
import { Adyen, type AdyenDelays, USUAL_DELAYS } from './processing.ts';
import { reportRoute } from './reports.ts';
import type { Account } from './requests.ts';
import { checkoutRoutes, controlRoutes } from './routes.ts';

export interface AdyenOptions extends SimulatorOptions<AdyenDelays>, Account {
  /** The key in hexadecimal. It signs the webhooks. */
  readonly hmacKey: string;
  /** The client's URL for webhooks. If undefined, Adyen sends none. */
  readonly webhookUrl?: string;
}

/**
 * The client's base URL is the server's plus `/v72`. Throws a StartupFault if the port is in use or the book cannot be opened.
 */
export function startAdyen(options: AdyenOptions): Promise<ProviderServer> {
  const { merchantAccount, apiKey, hmacKey, webhookUrl: url, clock } = options;
  const book = new Book();
  const design = { name: 'Adyen', slug: 'adyen', book, faults: FAULT_TABLE, usualDelays: USUAL_DELAYS };
  return startProvider(design, options, (works) => {
    const accepted = (entry: Parameters<Adyen['webhookAccepted']>[0]) => adyen.webhookAccepted(entry);
    const isNotified = url !== undefined;
    const webhooks = isNotified ? createWebhooks(works, { url, merchantAccount, hmacKey }, accepted) : undefined;
    const adyen = new Adyen(works, webhooks);
    const requests = new IdempotentRequests();
    const account = { merchantAccount, apiKey };
    const parts = { ...works, adyen, account, requests, now: () => clock.now(), pages: works.openUrl };
    return {
      provider: adyen,
      routes: [...checkoutRoutes(parts), reportRoute({ ...parts, merchantAccount })],
      pages: bankRoutes({ adyen, book }),
      control: controlRoutes(parts),
      forget: () => requests.clear(),
    };
  });
}
