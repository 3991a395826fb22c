/** Remembers the callbacks that this process has just recorded. It reads no database. */
import type { Callback } from '../../domain/callbacks/callback.ts';
import { type Clock, SECOND_MS } from '../../foundation/clock.ts';

export interface RecentDeliveries {
  recorded(callback: Callback): void;
  /**
   * - `unsent`: this process recorded no attempt.
   * - `recorded`: this process recorded an attempt.
   * - `too_old`: this process may have lost it; only the database knows.
   */
  ask(callback: Callback): 'unsent' | 'recorded' | 'too_old';
}

const FRESH_MS = 2 * SECOND_MS;

/**
 * Remembers the callbacks that this process recorded recently. The notice of a commit may arrive late, after a poll has found
 * the callback and the worker has sent and recorded it. This memory prevents a second delivery.
 */
export function createRecentDeliveries(clock: Clock): RecentDeliveries {
  /** Two generations. The older generation is dropped entirely, so each callback is remembered for FRESH_MS to twice as long. */
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
