/** Lists WayForPay's payouts of a day for reconciliation. Its days are ours, in UTC. */
import type { PayoutLister } from '../../domain/payouts/payout-lister.ts';
import { utcDayOf } from '../../foundation/clock.ts';
import { untilAborted } from '../../foundation/deadline.ts';
import { ListIncomplete } from '../kit/list-incomplete.ts';
import type { ProviderHttp } from '../kit/provider-http.ts';
import { WAYFORPAY, type WayForPayAccount } from './configuration.ts';
import { API_PATH, HEADERS } from './protocol.ts';
import { readList, writeListQuery } from './queries.ts';

/** Enough for some tens of thousands of rows. A longer list is an error. */
export const WAYFORPAY_LARGEST_LIST_BYTES = 32 * 1024 * 1024;

export function createWayForPayPayoutLister(
  account: WayForPayAccount,
  http: Pick<ProviderHttp, 'exchange'>,
): PayoutLister {
  return {
    rail: WAYFORPAY,
    dayOf: utcDayOf,
    async payoutsOf(day, signal) {
      const request = { verb: 'POST', path: API_PATH, headers: HEADERS, body: writeListQuery(day, account) } as const;
      const reply = await http.exchange(request, untilAborted(signal));
      if (reply.kind !== 'answered') throw new ListIncomplete(reply.reason);
      const list = readList(reply.status, reply.body);
      if (!list.ok) throw new ListIncomplete(list.error);
      return list.value;
    },
  };
}
