/**
 * Limits the queries by which a provider confirms its notification while it waits for our response. The limit keeps a burst of
 * notifications from blocking other work. Above it, a notification stays unconfirmed, and the provider repeats it.
 */
import type { AskForPayout } from '../../domain/notifications/rail-notification.ts';

const MOST_WAITING = 8;

/** All functions that one result wraps share the limit. `provider` is its display name. */
export function boundConfirmations(provider: string): (ask: AskForPayout) => AskForPayout {
  let waiting = 0;
  return (ask) => async (money, deadline) => {
    if (waiting >= MOST_WAITING)
      return { kind: 'unconfirmed', reason: `too many queries to ${provider} are in flight` };
    waiting += 1;
    try {
      return await ask(money, deadline);
    } finally {
      waiting -= 1;
    }
  };
}
