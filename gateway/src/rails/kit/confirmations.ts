/**
 * Questions by which a provider confirms what it told, where the provider waits for our answer meanwhile. Of those that wait
 * there are only so many, so that a burst of news holds up nothing; a further one is unconfirmed, and told again.
 */
import type { AskForPayout } from '../../domain/rails/rail-notification.ts';

const MOST_WAITING = 8;

/** Each question through what is returned counts with the others. `provider`: its name, for people. */
export function boundConfirmations(provider: string): (ask: AskForPayout) => AskForPayout {
  let waiting = 0;
  return (ask) => async (money, deadline) => {
    if (waiting >= MOST_WAITING) return { kind: 'unconfirmed', reason: `too many questions wait for ${provider}` };
    waiting += 1;
    try {
      return await ask(money, deadline);
    } finally {
      waiting -= 1;
    }
  };
}
