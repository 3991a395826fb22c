/** Composes and starts DT One's simulator, for the process, the demo and the tests. */
import { replyToAct } from '../kernel/acts.ts';
import { controlPost } from '../kernel/control-surface.ts';
import { type ProviderServer, type SimulatorOptions, startProvider } from '../kernel/start-provider.ts';
import { Book } from './book.ts';
import { ACTS } from './conducts.ts';
import { FAULT_TABLE } from './faults.ts';
import { createCallbacks } from './notifications.ts';
import { type Account, DtOne, type DtOneDelays, USUAL_DELAYS } from './processing.ts';
import { apiRoutes } from './routes.ts';

export interface DtOneOptions extends SimulatorOptions<DtOneDelays>, Account {}

/**
 * The client's base URL is the server's plus `/v1`. Throws a StartupFault if the port is in use or the book cannot be opened.
 */
export function startDtOne(options: DtOneOptions): Promise<ProviderServer> {
  const book = new Book();
  const design = { name: 'DT One', slug: 'dt-one', book, faults: FAULT_TABLE, usualDelays: USUAL_DELAYS };
  return startProvider(design, options, (works) => {
    const provider = new DtOne(works, createCallbacks(works, options));
    const act = controlPost('act', ({ external_id, behaviour: name }) => {
      const asked = { found: book.ofExternalId(String(external_id)), field: 'external_id', name };
      return replyToAct(ACTS, asked, (found, known) => provider.act(found, known));
    });
    return { provider, routes: apiRoutes({ ...works, dtOne: provider, account: options }), control: [act] };
  });
}
