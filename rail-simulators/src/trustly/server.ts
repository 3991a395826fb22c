/** Composes and starts Trustly's simulator, for the process, the demo and the tests. */
import type { KeyObject } from 'node:crypto';
import { type ProviderServer, type SimulatorOptions, startProvider } from '../kernel/start-provider.ts';
import { Book } from './book.ts';
import { checkoutRoutes } from './checkout.ts';
import { FAULT_TABLE } from './faults.ts';
import { uuidsOf } from './key-files.ts';
import { createDeliveries } from './notifications.ts';
import { Trustly, type TrustlyDelays, USUAL_DELAYS } from './processing.ts';
import type { Client } from './requests.ts';
import { apiRoutes, controlRoutes } from './routes.ts';

export interface TrustlyOptions extends SimulatorOptions<TrustlyDelays>, Client {
  /** Signs as Trustly. */
  readonly privateKey: KeyObject;
  /** The origin at which payers reach the checkout. Defaults to this server's. */
  readonly publicUrl?: string;
}

/**
 * The client's base URL is the server's plus `/api/1`. Throws a StartupFault if the port is in use or the book cannot be
 * opened.
 */
export function startTrustly(options: TrustlyOptions): Promise<ProviderServer> {
  const { privateKey, publicUrl, username, password, findPublicKey } = options;
  const design = { name: 'Trustly', slug: 'trustly', book: new Book(), faults: FAULT_TABLE, usualDelays: USUAL_DELAYS };
  return startProvider(design, options, (works) => {
    const deliveries = createDeliveries(works, options, (entry) => trustly.acknowledged(entry));
    const trustly = new Trustly(works, deliveries, uuidsOf(privateKey));
    const client = { username, password, findPublicKey };
    const now = () => works.clock.now();
    const parts = { ...works, trustly, client, privateKey, now, publicUrl: () => publicUrl ?? works.openUrl() };
    return {
      provider: trustly,
      routes: apiRoutes(parts),
      pages: checkoutRoutes(parts),
      control: controlRoutes(parts),
    };
  });
}
