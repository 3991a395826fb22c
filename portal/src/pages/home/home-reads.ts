/** The periods on the first page of merchant users, and its initial reads. */
import type { OwnSession } from '../../api/session.ts';
import { DAY_MS } from '../../browser.ts';

/** Midnight in UTC, because the ledger closes its hours in UTC. */
export function periodsAt(now: number) {
  const midnight = Math.floor(now / DAY_MS) * DAY_MS;
  const iso = (at: number) => new Date(at).toISOString();
  return {
    thirty: { from: iso(midnight - 29 * DAY_MS), by: 'day' as const },
    today: { from: iso(midnight), by: 'hour' as const },
    lastWeek: { from: iso(midnight - 7 * DAY_MS), until: iso(now - 7 * DAY_MS), by: 'hour' as const },
    days: Array.from({ length: 30 }, (_, index) => iso(midnight - (29 - index) * DAY_MS).slice(0, 10)),
  };
}

export const PENDING = { state: 'pending', limit: 8 } as const;

/** Calls `read` for each request that the page makes as soon as it renders. */
export function readHomeEarly(
  { merchantId, permissions }: OwnSession,
  now: number,
  read: typeof import('../../api/client.ts').readEarly,
): void {
  if (merchantId === null) return;
  const { thirty, today } = periodsAt(now);
  if (permissions.includes('merchants:read')) read('merchants.show', { params: { merchantId } });
  if (permissions.includes('ledger:read')) for (const query of [thirty, today]) read('volumes.list', { query });
  if (permissions.includes('payouts:read')) read('payouts.list', { query: PENDING });
}
