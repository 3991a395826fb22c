/** Composes and starts WayForPay's simulator, for the process, the demo and the tests. */
import { type ProviderServer, type SimulatorOptions, startProvider } from '../kernel/start-provider.ts';
import { Book } from './book.ts';
import { FAULT_TABLE } from './faults.ts';
import { createCallbacks } from './notifications.ts';
import { type Account, USUAL_DELAYS, WayForPay, type WayForPayDelays } from './processing.ts';
import { apiRoutes } from './routes.ts';

export interface WayForPayOptions extends SimulatorOptions<WayForPayDelays>, Account {
  /** The client's opening balance in kopecks. Defaults to ten million hryvnias. */
  readonly opening?: bigint;
}

const USUAL_OPENING = 1_000_000_000n;

/** Throws a StartupFault if the port is in use or the book cannot be opened. */
export function startWayForPay(options: WayForPayOptions): Promise<ProviderServer> {
  const design = {
    name: 'WayForPay',
    slug: 'wayforpay',
    book: new Book(),
    faults: FAULT_TABLE,
    usualDelays: USUAL_DELAYS,
  };
  const { opening = USUAL_OPENING, merchantAccount, secretKey } = options;
  const account = { merchantAccount, secretKey };
  return startProvider(design, options, (works) => {
    const callbacks = createCallbacks(works, account, (entry) => provider.accepted(entry));
    const provider = new WayForPay(works, callbacks, opening);
    return { provider, routes: apiRoutes({ wayforpay: provider, account, faults: works.faults }) };
  });
}
