/** Composes and starts RazorpayX's simulator, for the process, the demo and the tests. */
import { replyToAct } from '../kernel/acts.ts';
import { controlPost } from '../kernel/control-surface.ts';
import { type ProviderServer, type SimulatorOptions, startProvider } from '../kernel/start-provider.ts';
import { Book } from './book.ts';
import { ACTS } from './conducts.ts';
import { FAULT_TABLE } from './faults.ts';
import { createWebhooks } from './notifications.ts';
import { type Account, RazorpayX, type RazorpayXDelays, USUAL_DELAYS } from './processing.ts';
import { apiRoutes } from './routes.ts';

export interface RazorpayXOptions extends SimulatorOptions<RazorpayXDelays>, Account {
  readonly webhookUrl: string;
}

/**
 * The client's base URL is the server's plus `/v1`. Throws a StartupFault if the port is in use or the book cannot be opened.
 */
export function startRazorpayX(options: RazorpayXOptions): Promise<ProviderServer> {
  const book = new Book();
  const design = { name: 'RazorpayX', slug: 'razorpayx', book, faults: FAULT_TABLE, usualDelays: USUAL_DELAYS };
  return startProvider(design, options, (works) => {
    const provider = new RazorpayX(works, createWebhooks(works, options.webhookUrl, options));
    const act = controlPost('act', ({ reference, behaviour: name }) => {
      const asked = { found: book.all().find((payout) => payout.reference === reference), field: 'reference', name };
      return replyToAct(ACTS, asked, (found, known) => provider.act(found, known));
    });
    return { provider, routes: apiRoutes({ ...works, razorpayx: provider, account: options }), control: [act] };
  });
}
