/**
 * Lists DT One's transactions of a day: the outcome of ours, and those that someone created manually.
 *
 * Confirmed by DT One's API description: `from_date` and `to_date` by creation, both inclusive, at most 24 hours apart, with a
 * time zone; pages of at most 100. Its times end in Z, so its days are in UTC. Not confirmed: the order of the list. A
 * transaction on two pages counts once.
 */
import type { ListedPayout, PayoutLister } from '../../domain/payouts/payout-lister.ts';
import { DAY_MS, utcDayOf } from '../../foundation/clock.ts';
import { untilAborted } from '../../foundation/deadline.ts';
import { ListIncomplete } from '../kit/list-incomplete.ts';
import { asObject, type Json } from '../kit/provider-json.ts';
import type { DtOneApi } from './api.ts';
import { DT_ONE } from './configuration.ts';
import { PAGE_SIZE, transactionsMade } from './protocol.ts';
import { type ReadTransaction, readTransaction } from './read-payout.ts';
import { stateOf } from './vocabulary.ts';

/** Enough for a page of transactions, each with its product and its benefits. */
export const DT_ONE_LARGEST_ANSWER_BYTES = 2 * 1024 * 1024;

export function createDtOnePayoutLister(api: Pick<DtOneApi, 'get'>): PayoutLister {
  async function pageOf(day: string, page: number, signal: AbortSignal): Promise<readonly Json[]> {
    const from = Date.parse(`${day}T00:00:00Z`);
    const path = transactionsMade(timeOf(from), timeOf(from + DAY_MS), page);
    const called = await api.get(path, untilAborted(signal));
    if (called.kind === 'done' && Array.isArray(called.answer)) return called.answer;
    throw new ListIncomplete(
      called.kind === 'done' ? 'DT One’s response does not contain a list' : called.answer.reason,
    );
  }

  return {
    rail: DT_ONE,
    dayOf: utcDayOf,
    async payoutsOf(day, signal) {
      const items: Json[] = [];
      for (let number = 1; ; number++) {
        const page = await pageOf(day, number, signal);
        items.push(...page);
        if (page.length < PAGE_SIZE) break;
      }
      const read = items.map((item) => readTransaction(asObject(item)));
      const onDay = read.filter((each) => each !== undefined).filter(({ createdAt }) => createdAt.startsWith(day));
      const rows = [...new Map(onDay.map((each) => [each.id, each])).values()].map(listed);
      return {
        payouts: rows.filter((row) => typeof row !== 'string'),
        unreadable: [
          ...read.filter((each) => each === undefined).map(() => 'a row that is not a transaction'),
          ...rows.filter((row) => typeof row === 'string'),
        ],
      };
    },
  };
}

const timeOf = (at: number) => new Date(at).toISOString();

/** Returns a string if DT One's row has no amount in tenge, or a class that its pages do not document. */
function listed({ id, reference, given, status }: ReadTransaction): ListedPayout | string {
  const state = stateOf(status.classId);
  if (!state) return `${id} is of class ${status.classId}`;
  return given ? { reference, providerId: id, money: given, state } : `${id} does not contain an amount in KZT`;
}
