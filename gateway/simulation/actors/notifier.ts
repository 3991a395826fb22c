/** Sends notifications from banks and providers to the gateway, and resends those that it did not accept. */
import { MINUTE_MS } from '../../src/foundation/clock.ts';
import type { Network } from '../world/network.ts';
import { awaitReconciliation } from '../world/reconciliation-times.ts';
import type { World } from '../world/world.ts';
import type { Door } from './door.ts';
import type { PaymentNotice } from './payment-provider.ts';
import type { BankNews } from './payout-bank.ts';
import type { TransferNotice } from './spei-bank.ts';

/** How long a sender resends a notification that the gateway did not accept. A forger never resends. */
type Patience = 'none' | 'some_hours' | 'endless';

type Notify = (news: BankNews | TransferNotice | PaymentNotice, patience: Patience) => void;

const MOST_ATTEMPTS = 12;

export function createNotifier(world: World, network: Network, door: Door): Notify {
  function send(news: Parameters<Notify>[0], patience: Patience, attempt: number): void {
    world.after(network.delayMs(), async () => {
      const answer = await door.post(`/rail-notifications/${news.rail}`, news, {}, patience === 'none');
      const isAcknowledged = answer !== 'lost' && (answer.status === 200 || answer.status === 409);
      if (isAcknowledged || patience === 'none') return;
      if (attempt >= MOST_ATTEMPTS && patience === 'some_hours')
        return awaitReconciliation(world, 'transferKey' in news ? 'transfers' : 'payouts');
      world.after(attempt * 5 * MINUTE_MS, () => send(news, patience, attempt + 1));
    });
  }
  return (news, patience) => send(news, patience, 0);
}
