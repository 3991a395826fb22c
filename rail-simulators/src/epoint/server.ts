/** Composes and starts Epoint's simulator, for the process, the demo and the tests. */
import { invalid, ok } from '../kernel/book-page.ts';
import { controlPost } from '../kernel/control-surface.ts';
import { type ProviderServer, type SimulatorOptions, startProvider } from '../kernel/start-provider.ts';
import { Book } from './book.ts';
import { FAULT_TABLE } from './faults.ts';
import { createCallbacks } from './notifications.ts';
import { type Account, Epoint, type EpointDelays, USUAL_DELAYS } from './processing.ts';
import { apiRoutes } from './routes.ts';

export interface EpointOptions extends SimulatorOptions<EpointDelays>, Account {
  /** The client's URL for notifications, as set in its dashboard. */
  readonly resultUrl: string;
}

/**
 * The client's base URL is the server's plus `/api/1`. Throws a StartupFault if the port is in use or the book cannot be
 * opened.
 */
export function startEpoint(options: EpointOptions): Promise<ProviderServer> {
  const design = { name: 'Epoint', slug: 'epoint', book: new Book(), faults: FAULT_TABLE, usualDelays: USUAL_DELAYS };
  return startProvider(design, options, (works) => {
    const provider = new Epoint(works, createCallbacks(works, options.resultUrl, options));
    // The card's holder enters its number on Epoint's page.
    const register = controlPost('register', async ({ card_id, card }) => {
      if (typeof card !== 'string' || !/^\d{12,19}$/.test(card)) return invalid('card');
      const registered = await provider.registerCard(String(card_id), card);
      return registered === undefined ? invalid('card_id') : ok(registered);
    });
    return { provider, routes: apiRoutes({ ...works, epoint: provider, account: options }), control: [register] };
  });
}
