/** Lists VoPay's e-transfers of a day, including refunds, because they leave the same account. */
import type { PayoutLister } from '../../domain/payouts/payout-lister.ts';
import { utcDayOf } from '../../foundation/clock.ts';
import { untilAborted } from '../../foundation/deadline.ts';
import { ListIncomplete } from '../kit/list-incomplete.ts';
import type { VoPayApi } from './api.ts';
import { VOPAY } from './configuration.ts';
import { dayRequest, isPayout, listedPayoutOf, readRows } from './queries.ts';
import { textOf } from './read-fields.ts';

/** Enough for a day of some thousand rows. */
export const VOPAY_LARGEST_LIST_BYTES = 8 * 1024 * 1024;

export function createVoPayPayoutLister(api: VoPayApi): PayoutLister {
  return {
    rail: VOPAY,
    dayOf: utcDayOf,
    async payoutsOf(day, signal) {
      const called = await api.call(dayRequest(day), untilAborted(signal));
      if (called.kind !== 'done') throw new ListIncomplete(called.reason);
      const rows = readRows(called.fields)?.filter(isPayout);
      if (!rows) throw new ListIncomplete('VoPay does not return a complete list');
      const read = rows.map((row) => [row, listedPayoutOf(row)] as const);
      return {
        payouts: read.flatMap(([, payout]) => payout ?? []),
        unreadable: read
          .filter(([, payout]) => !payout)
          .map(([row]) => `transaction ${idOf(textOf(row, 'TransactionID'))}`),
      };
    },
  };
}

function idOf(text: string): string {
  return /^\d{1,18}$/.test(text) ? text : 'without a number';
}
