/**
 * Lists RazorpayX's payouts of a day: the outcome of ours, and those that someone created manually.
 *
 * Confirmed by RazorpayX's pages: `from` and `to` in seconds, pages of at most 100 by `skip`. It writes times without a time
 * zone, and its days are in Indian time. Not confirmed: whether `from` and `to` are inclusive, the order of the list, and the
 * maximum period. So payouts outside the day are omitted, and a payout on two pages counts once.
 */
import type { ListedPayout, PayoutLister } from '../../domain/payouts/payout-lister.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS, utcDayOf } from '../../foundation/clock.ts';
import { untilAborted } from '../../foundation/deadline.ts';
import { ListIncomplete } from '../kit/list-incomplete.ts';
import type { JsonObject } from '../kit/provider-json.ts';
import type { RazorpayXApi } from './api.ts';
import { RAZORPAYX, type RazorpayXConfiguration } from './configuration.ts';
import { PAGE_SIZE, payoutsMade } from './protocol.ts';
import { type ReadPayout, readItems, readPayout } from './read-payout.ts';
import { stateOf } from './vocabulary.ts';

/** Enough for a page of payouts, each with its fifteen notes. */
export const RAZORPAYX_LARGEST_ANSWER_BYTES = 2 * 1024 * 1024;

/** India has one time zone without daylight saving time. */
const INDIA_AHEAD_MS = 330 * MINUTE_MS;

export function createRazorpayXPayoutLister(
  { accountNumber }: Pick<RazorpayXConfiguration, 'accountNumber'>,
  api: Pick<RazorpayXApi, 'get'>,
): PayoutLister {
  async function pageOf(startsAt: number, skip: number, signal: AbortSignal) {
    const [from, to] = [startsAt / SECOND_MS, (startsAt + DAY_MS) / SECOND_MS - 1];
    const path = payoutsMade(accountNumber, from, to, skip);
    const called = await api.get(path, untilAborted(signal));
    const items = called.kind === 'done' ? readItems(called.fields) : undefined;
    if (items) return items;
    throw new ListIncomplete(
      called.kind === 'done' ? 'RazorpayX’s response does not contain a list' : called.answer.reason,
    );
  }

  return {
    rail: RAZORPAYX,
    dayOf: (at) => utcDayOf(at + INDIA_AHEAD_MS),
    async payoutsOf(day, signal) {
      const startsAt = Date.parse(`${day}T00:00:00Z`) - INDIA_AHEAD_MS;
      const items: (JsonObject | undefined)[] = [];
      for (;;) {
        const page = await pageOf(startsAt, items.length, signal);
        items.push(...page);
        if (page.length < PAGE_SIZE) break;
      }
      const read = items.map((item) => readPayout(item));
      const onDay = read.filter((payout) => payout !== undefined).filter(isWithin(startsAt));
      const rows = [...new Map(onDay.map((payout) => [payout.id, payout])).values()].map(listed);
      return {
        payouts: rows.filter((row) => typeof row !== 'string'),
        unreadable: [
          ...read.filter((payout) => payout === undefined).map(() => 'a row that is not a payout'),
          ...rows.filter((row) => typeof row === 'string'),
        ],
      };
    },
  };
}

const isWithin =
  (startsAt: number) =>
  ({ createdAt }: ReadPayout) =>
    createdAt >= startsAt && createdAt < startsAt + DAY_MS;

/** Returns a string if RazorpayX's pages do not document the status. */
function listed({ reference, id, money, status, remittance }: ReadPayout): ListedPayout | string {
  const state = stateOf(status);
  return state ? { reference, providerId: id, money, state, remittance } : `${id} has the status ${status}`;
}
