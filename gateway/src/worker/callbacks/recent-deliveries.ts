/**
 * Which callbacks this process recorded a moment ago. News of a commit may come late, when its callback was found by a
 * look, sent and recorded already: what is fresh enough to be sent without a look is then still remembered here.
 */
import type { Callback } from '../../domain/callbacks/callback.ts';
import { type Clock, SECOND_MS } from '../../foundation/clock.ts';

export interface RecentDeliveries {
  recorded(callback: Callback): void;
  /**
   * - `unsent`: as far as this process knows.
   * - `recorded`: an attempt was made since.
   * - `too_old`: nobody here can tell; the database can.
   */
  ask(callback: Callback): 'unsent' | 'recorded' | 'too_old';
}

const FRESH_MS = 2 * SECOND_MS;

export function createRecentDeliveries(clock: Clock): RecentDeliveries {
  /** Two generations, of which the older one goes as a whole: each callback is remembered for FRESH_MS to twice as long. */
  let current = new Set<string>();
  let former = new Set<string>();
  let began = clock.now();

  function turnPage(): void {
    if (clock.now() - began < FRESH_MS) return;
    former = current;
    current = new Set();
    began = clock.now();
  }

  return {
    recorded(callback) {
      turnPage();
      current.add(nameOf(callback));
    },
    ask(callback) {
      if (clock.now() - callback.createdAt >= FRESH_MS) return 'too_old';
      const name = nameOf(callback);
      return current.has(name) || former.has(name) ? 'recorded' : 'unsent';
    },
  };
}

const nameOf = ({ merchantId, callbackId }: Callback) => `${merchantId}/${callbackId}`;
