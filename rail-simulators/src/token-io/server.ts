/** Starts the Token.io simulator: its API, the bank pages and the control surface on one port, with its book. */
import type { KeyObject } from 'node:crypto';
import { invalid, ok } from '../kernel/book-page.ts';
import { controlPost } from '../kernel/control-surface.ts';
import { type ProviderServer, type SimulatorOptions, startProvider } from '../kernel/start-provider.ts';
import { bankRoutes, callbackOf } from './bank-routes.ts';
import { Book } from './book.ts';
import { isConduct } from './conducts.ts';
import { FAULT_TABLE } from './faults.ts';
import { namesOf } from './key-files.ts';
import { createWebhooks } from './notifications.ts';
import { TokenIo, type TokenIoDelays, USUAL_DELAYS } from './processing.ts';
import type { SettlementAccount } from './requests.ts';
import { apiRoutes } from './routes.ts';
import type { Client } from './signature.ts';

export interface TokenIoOptions extends SimulatorOptions<TokenIoDelays>, Client {
  readonly account: SettlementAccount;
  /** Signs Token.io's notifications. */
  readonly privateKey: KeyObject;
  readonly webhookUrl: string;
  /** The URL of the bank pages for payers. Defaults to this server's. */
  readonly publicUrl?: string;
}

/** Throws a StartupFault if the port is in use or the book cannot be opened. */
export function startTokenIo(options: TokenIoOptions): Promise<ProviderServer> {
  const { privateKey, webhookUrl, memberId, keyId, findPublicKey, account, clock } = options;
  const book = new Book();
  const design = { name: 'Token.io', slug: 'token-io', book, faults: FAULT_TABLE, usualDelays: USUAL_DELAYS };
  return startProvider(design, options, (works) => {
    const shown = { memberId, account, publicUrl: () => options.publicUrl ?? works.openUrl() };
    const sent = { ...shown, webhookUrl, privateKey };
    const webhooks = createWebhooks(works, sent, (entry) => tokenIo.accepted(entry));
    const tokenIo = new TokenIo(works, webhooks, namesOf(privateKey));
    const client = { memberId, keyId, findPublicKey };
    const act = controlPost('act', async ({ reference, id, behaviour }) => {
      const found = book.all().find((each) => (typeof id === 'string' ? each.id === id : each.reference === reference));
      if (found === undefined) return invalid('reference');
      if (!isConduct(behaviour)) return invalid('behaviour');
      const done = await tokenIo.act(found.id, behaviour);
      if (done === undefined) return { status: 409, body: { error: 'payment_is_over' } };
      return ok({ ...done, callback: callbackOf(done, memberId) });
    });
    return {
      provider: tokenIo,
      routes: apiRoutes({ ...shown, tokenIo, book, client, faults: works.faults, now: () => clock.now() }),
      pages: bankRoutes({ tokenIo, book, memberId }),
      control: [act],
    };
  });
}
