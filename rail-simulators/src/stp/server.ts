/** Composes and starts STP's simulator, for the process, the demo and the tests. */
import type { KeyObject } from 'node:crypto';
import { type ProviderServer, type SimulatorOptions, startProvider } from '../kernel/start-provider.ts';
import { Book } from './book.ts';
import { FAULT_TABLE } from './faults.ts';
import { type Addresses, createDeliveries } from './notifications.ts';
import { Stp, type StpDelays, USUAL_DELAYS } from './processing.ts';
import type { Client } from './requests.ts';
import { controlRoutes, stpRoutes } from './routes.ts';

export interface StpOptions extends SimulatorOptions<StpDelays> {
  /** STP's name for the client. */
  readonly empresa: string;
  /** The prefix of the client's CLABEs: 6 to 16 digits. */
  readonly clabePrefix: string;
  /** Returns the client's registered key. Called at every signature check. */
  readonly findPublicKey: () => KeyObject | undefined;
  /** The client's URLs for abonos and state changes. If undefined, STP sends no notifications. */
  readonly notify?: Addresses;
  /** The number of rows per page of the day's list. STP's pages have 1,000. */
  readonly rowsPerPage?: number;
}

const USUAL_ROWS_PER_PAGE = 1_000;

/** Throws a StartupFault if the port is in use or the book cannot be opened. */
export function startStp(options: StpOptions): Promise<ProviderServer> {
  const { empresa, clabePrefix, findPublicKey, notify, rowsPerPage = USUAL_ROWS_PER_PAGE } = options;
  const client: Client = { empresa, clabePrefix, findPublicKey };
  const design = { name: 'STP', slug: 'stp', book: new Book(), faults: FAULT_TABLE, usualDelays: USUAL_DELAYS };
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
