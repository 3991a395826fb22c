/** Composes and starts the simulator of Mastercard Send, for the process, the demo and the tests. */
import type { KeyObject } from 'node:crypto';
import { invalid, ok } from '../kernel/book-page.ts';
import { controlPost } from '../kernel/control-surface.ts';
import { type ProviderServer, type SimulatorOptions, startProvider } from '../kernel/start-provider.ts';
import { Book } from './book.ts';
import { FAULT_TABLE } from './faults.ts';
import { MastercardSend, type MastercardSendDelays, USUAL_DELAYS } from './processing.ts';
import { mastercardRoutes } from './routes.ts';
import { OAuthGuard } from './signature.ts';

export interface MastercardSendOptions extends SimulatorOptions<MastercardSendDelays> {
  readonly partnerId: string;
  readonly consumerKey: string;
  /** Returns the client's registered key, or undefined if there is none. */
  readonly findPublicKey: () => KeyObject | undefined;
}

/**
 * The client's base URL is the server's plus `/send`. Throws a StartupFault if the port is in use or the book cannot be
 * opened.
 */
export function startMastercardSend(options: MastercardSendOptions): Promise<ProviderServer> {
  const { partnerId, consumerKey, findPublicKey } = options;
  const slug = 'mastercard-send';
  const design = { name: 'Mastercard Send', slug, book: new Book(), faults: FAULT_TABLE, usualDelays: USUAL_DELAYS };
  return startProvider(design, options, (works) => {
    const provider = new MastercardSend(works);
    const guard = new OAuthGuard();
    const client = { guard, account: { partnerId, consumerKey }, findPublicKey };
    const reverse = controlPost('reverse', async ({ reference }) => {
      const entry = await provider.reverse(String(reference));
      return entry === undefined ? invalid('reference') : ok(entry);
    });
    const routes = mastercardRoutes({ ...works, ...client, mastercard: provider });
    return { provider, routes, control: [reverse], forget: () => guard.clear() };
  });
}
