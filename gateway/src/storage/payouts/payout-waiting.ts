/**
 * Requests that wait for a final state. One query reads all awaited payouts, whichever process settles them. A settlement in
 * this process triggers a query immediately.
 */

import type { Payout } from '../../domain/payouts/payout.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import { invariant } from '../../foundation/invariant.ts';
import type { Database } from '../core/database.ts';
import { isTransient } from '../core/database-errors.ts';
import { keyText, readPayouts } from './payout-rows.ts';

const LOOK_EVERY_MS = 25;

interface PayoutWaiting {
  waitUntilFinal(key: PayoutKey, ms: number): Promise<Payout>;
  /** Reads these payouts without waiting for the next round. */
  changed(keys: readonly PayoutKey[]): void;
}

interface Waiter {
  readonly key: PayoutKey;
  readonly until: number;
  readonly resolve: (payout: Payout) => void;
  readonly reject: (error: unknown) => void;
}

export function createPayoutWaiting(database: Database, clock: Clock): PayoutWaiting {
  let waiters: Waiter[] = [];
  let looking = false;
  let wake = new AbortController();

  async function look(): Promise<void> {
    while (waiters.length > 0) {
      await clock.sleep(LOOK_EVERY_MS, wake.signal);
      wake = new AbortController();
      // A copy, because a request that arrives during the query is not part of it.
      const asked = [...waiters];
      try {
        const found = await readPayouts(database, uniqueKeys(asked));
        answer(asked, new Map(found.map((payout) => [keyText(payout), payout])));
      } catch (error) {
        rejectAll(asked, error);
      }
    }
    looking = false;
  }

  /**
   * Rejects the waits, but after a lost connection only those whose timeout is over: the payouts are accepted and safe, so
   * the others can go on.
   */
  function rejectAll(asked: readonly Waiter[], error: unknown): void {
    const now = clock.now();
    const lost = new Set(isTransient(error) ? asked.filter(({ until }) => until <= now) : asked);
    for (const waiter of lost) waiter.reject(error);
    waiters = waiters.filter((waiter) => !lost.has(waiter));
  }

  function answer(asked: readonly Waiter[], payouts: ReadonlyMap<string, Payout>): void {
    const now = clock.now();
    const done = new Set<Waiter>();
    for (const waiter of asked) {
      const payout = payouts.get(keyText(waiter.key));
      invariant(payout, 'payout not found while a caller waited for it');
      if (payout.state === 'pending' && now < waiter.until) continue;
      waiter.resolve(payout);
      done.add(waiter);
    }
    waiters = waiters.filter((waiter) => !done.has(waiter));
  }

  return {
    waitUntilFinal: (key, ms) =>
      new Promise((resolve, reject) => {
        waiters.push({ key, until: clock.now() + ms, resolve, reject });
        if (looking) return;
        looking = true;
        void look();
      }),
    changed(keys) {
      if (waiters.length === 0) return;
      const changed = new Set(keys.map(keyText));
      if (waiters.some(({ key }) => changed.has(keyText(key)))) wake.abort();
    },
  };
}

function uniqueKeys(waiters: readonly Waiter[]): PayoutKey[] {
  return [...new Map(waiters.map(({ key }) => [keyText(key), key])).values()];
}
