/** Puts STP's simulator together and starts it: what the process, the demonstration and the tests start. */
import type { KeyObject } from 'node:crypto';
import { type ProviderServer, type SimulatorOptions, startProvider } from '../kernel/start-provider.ts';
import { Book } from './book.ts';
import { type Addresses, createDeliveries } from './deliveries.ts';
import { faultTable } from './faults.ts';
import type { Client } from './payment-order.ts';
import { controlRoutes, stpRoutes } from './routes.ts';
import { Stp, type StpDelays, usualDelays } from './stp.ts';

export interface StpOptions extends SimulatorOptions<StpDelays> {
  /** The name under which STP knows the client. */
  readonly empresa: string;
  /** The client's CLABEs begin with it: 6 to 16 digits. */
  readonly clabePrefix: string;
  /** The key that the client has registered; it is asked for anew at every signature. */
  readonly findPublicKey: () => KeyObject | undefined;
  /** Where the client takes abonos and changes of state; without both STP notifies nobody. */
  readonly notify?: Addresses;
  /** Rows of one page of the day's list; STP's is 1,000. */
  readonly rowsPerPage?: number;
}

const usualRowsPerPage = 1_000;

/** Throws a StartupFault when the port or the book can't be had. */
export function startStp(options: StpOptions): Promise<ProviderServer> {
  const { empresa, clabePrefix, findPublicKey, notify, rowsPerPage = usualRowsPerPage } = options;
  const client: Client = { empresa, clabePrefix, findPublicKey };
  const design = { name: 'STP', slug: 'stp', book: new Book(), faults: faultTable, usualDelays };
  return startProvider(design, options, (works) => {
    const deliveries =
      notify &&
      createDeliveries(works, empresa, notify, {
        onAbonoAnswered: (entry, answer) => stp.abonoAnswered(entry, answer),
        onStateAccepted: (entry) => stp.stateAccepted(entry),
      });
    const stp = new Stp(works, deliveries);
    const parts = { stp, client, rowsPerPage };
    return { provider: stp, routes: stpRoutes(parts), control: controlRoutes(parts) };
  });
}
