/** Composes and starts Freedom Pay's simulator, for the process and the tests. */
import { type ProviderServer, type SimulatorOptions, startProvider } from '../kernel/start-provider.ts';
import { Book } from './book.ts';
import { FAULT_TABLE } from './faults.ts';
import { createCallbacks } from './notifications.ts';
import { type Account, FreedomPay, type FreedomPayDelays, USUAL_DELAYS } from './processing.ts';
import { apiRoutes } from './routes.ts';

export interface FreedomPayOptions extends SimulatorOptions<FreedomPayDelays>, Account {
  /** The client's prefunded balance in tenge. */
  readonly float?: string;
}

const USUAL_FLOAT = '1000000000.00';

/** Throws a StartupFault if the port is in use or the book cannot be opened. */
export function startFreedomPay(options: FreedomPayOptions): Promise<ProviderServer> {
  const { merchantId, payoutSecret, float = USUAL_FLOAT } = options;
  const account = { merchantId, payoutSecret };
  const design = {
    name: 'Freedom Pay',
    slug: 'freedom-pay',
    book: new Book(float),
    faults: FAULT_TABLE,
    usualDelays: USUAL_DELAYS,
  };
  return startProvider(design, options, (works) => {
    const callbacks = createCallbacks(works, account, (entry) => provider.accepted(entry));
    const provider = new FreedomPay(works, callbacks);
    return { provider, routes: apiRoutes({ ...works, ...account, freedomPay: provider }) };
  });
}
