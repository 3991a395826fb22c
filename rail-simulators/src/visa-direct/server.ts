/** Composes and starts the simulator of Visa Direct, for the process, the demo and the tests. */
import { invalid, ok } from '../kernel/book-page.ts';
import { controlPost } from '../kernel/control-surface.ts';
import { type ProviderServer, type SimulatorOptions, startUnderMutualTls } from '../kernel/start-provider.ts';
import { Book } from './book.ts';
import { FAULT_TABLE } from './faults.ts';
import { encryptedRoutes, openMessageKeys } from './message-encryption.ts';
import { USUAL_DELAYS, VisaDirect, type VisaDirectDelays } from './processing.ts';
import { visaRoutes } from './routes.ts';

export interface VisaDirectOptions extends SimulatorOptions<VisaDirectDelays> {
  /** The port of the control surface, without TLS. 0 selects a free port. */
  readonly controlPort: number;
  readonly userId: string;
  readonly password: string;
  readonly acquiringBin: string;
  /** The folder for Visa's root certificate and the client's certificate and key. */
  readonly certificateFolder: string;
  /** If true, it supports message encryption, and the folder also contains the client's keys for it. */
  readonly encryption?: boolean;
}

export interface VisaDirectServer extends ProviderServer {
  /** The URL of the control surface. */
  readonly controlUrl: string;
}

/** Throws a StartupFault if a port, the certificates or the book are unavailable. */
export async function startVisaDirect(options: VisaDirectOptions): Promise<VisaDirectServer> {
  const { userId, password, acquiringBin, certificateFolder } = options;
  const design = {
    name: 'Visa Direct',
    slug: 'visa-direct',
    book: new Book(),
    faults: FAULT_TABLE,
    usualDelays: USUAL_DELAYS,
  };
  const open = { openPort: options.controlPort, openPortVariable: 'CONTROL_PORT', certifiedClient: userId };
  const { url, openUrl, close } = await startUnderMutualTls(design, { ...options, ...open }, (works) => {
    const keys = options.encryption === true ? openMessageKeys(certificateFolder) : undefined;
    const provider = new VisaDirect(works);
    const plain = visaRoutes({ ...works, visa: provider, account: { userId, password, acquiringBin } });
    const isRequired = () => works.faults.encryption === 'required';
    const reverse = controlPost('reverse', async ({ sender_reference }) => {
      const entry = await provider.reverse(String(sender_reference));
      return entry === undefined ? invalid('sender_reference') : ok(entry);
    });
    const routes = keys === undefined ? plain : encryptedRoutes(plain, keys, isRequired);
    return { provider, routes, control: [reverse] };
  });
  return { url, controlUrl: openUrl, close };
}
