/** Composes and starts VoPay's simulator, for the process, the demo and the tests. */
import { type ProviderServer, type SimulatorOptions, startProvider } from '../kernel/start-provider.ts';
import { inboxRoutes } from './bank-routes.ts';
import { Book } from './book.ts';
import { controlRoutes } from './control-routes.ts';
import { FAULT_TABLE } from './faults.ts';
import { createWebhooks } from './notifications.ts';
import { type Account, USUAL_DELAYS, VoPay, type VoPayDelays } from './processing.ts';
import { apiRoutes } from './routes.ts';

export interface VoPayOptions extends SimulatorOptions<VoPayDelays>, Account {
  readonly webhookUrl: string;
  /** The client's prefunded balance for payouts, in dollars. */
  readonly float?: string;
}

const USUAL_FLOAT = '1000000.00';

/**
 * The client's base URL is the server's plus `/api/v2`; payers open `/inbox`. Throws a StartupFault if the port is in use or
 * the book cannot be opened.
 */
export function startVoPay(options: VoPayOptions): Promise<ProviderServer> {
  const { accountId, key, sharedSecret, webhookUrl, float = USUAL_FLOAT } = options;
  const account = { accountId, key, sharedSecret };
  const book = new Book(float);
  return startProvider(
    { name: 'VoPay', slug: 'vopay', book, faults: FAULT_TABLE, usualDelays: USUAL_DELAYS },
    options,
    (works) => {
      const vopay = new VoPay(works, createWebhooks(works, webhookUrl, account), account);
      return {
        provider: vopay,
        routes: apiRoutes({ ...works, vopay, account }),
        pages: inboxRoutes({ vopay, book, client: accountId }),
        control: controlRoutes({ vopay, book, account, webhookUrl }),
      };
    },
  );
}
