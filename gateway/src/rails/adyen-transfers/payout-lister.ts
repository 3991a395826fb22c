/**
 * Lists the card payouts that began on a day (UTC) from our balance account. It omits refusals for an insufficient balance:
 * the gateway requested those payouts again with the same reference, and the list also contains the new transfer.
 *
 * Confirmed by Adyen's OpenAPI description: the list and its pages. Not confirmed: whether the queried period is inclusive, so
 * a transfer created on another day belongs to that day's list.
 */
import type { ListedPayout, PayoutList, PayoutLister } from '../../domain/payouts/payout-lister.ts';
import { DAY_MS, type Instant, utcDayOf } from '../../foundation/clock.ts';
import { untilAborted } from '../../foundation/deadline.ts';
import { ListIncomplete } from '../kit/list-incomplete.ts';
import type { TransfersApi } from './api.ts';
import { ADYEN_TRANSFERS } from './configuration.ts';
import { remittanceIn } from './payout-request.ts';
import { meaningOf, type Transfer } from './protocol.ts';

export function createAdyenTransfersPayoutLister(api: TransfersApi): PayoutLister {
  return {
    rail: ADYEN_TRANSFERS,
    dayOf: utcDayOf,
    async payoutsOf(day, signal) {
      const listed = await transfersOf(api, Date.parse(`${day}T00:00:00Z`), signal);
      const read = listed.filter((transfer) => transfer !== undefined);
      const ofDay = read.filter((transfer) => isOfDay(transfer, day));
      return listOf(ofDay, listed.length - read.length);
    },
  };
}

function isOfDay({ createdAt }: Transfer, day: string): boolean {
  return createdAt === null || utcDayOf(createdAt) === day;
}

async function transfersOf(
  api: TransfersApi,
  since: Instant,
  signal: AbortSignal,
): Promise<readonly (Transfer | undefined)[]> {
  const transfers: (Transfer | undefined)[] = [];
  const cursors = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const query = { since, until: since + DAY_MS, ...(cursor === undefined ? {} : { cursor }) };
    const page = await api.list(query, untilAborted(signal));
    if (page.kind === 'unknown') throw new ListIncomplete(page.reason);
    transfers.push(...page.payouts);
    if (page.nextCursor === null) return transfers;
    if (page.nextCursor === '' || cursors.has(page.nextCursor))
      throw new ListIncomplete('the pages of its list never end');
    cursor = page.nextCursor;
    cursors.add(cursor);
  }
}

const UNREADABLE = 'an unreadable transfer';

function listOf(transfers: readonly Transfer[], unreadable: number): PayoutList {
  const rows = transfers.map((transfer) => ({ transfer, state: listedState(transfer) }));
  const unclear = rows.filter(({ state }) => state === 'unknown');
  return {
    payouts: rows.flatMap(({ transfer: { id, reference, description, money }, state }) =>
      state === 'unknown' || state === 'left_out'
        ? []
        : [
            {
              reference: reference === '' ? null : reference,
              providerId: id,
              money,
              state,
              remittance: remittanceIn(description),
            },
          ],
    ),
    unreadable: [
      ...Array.from({ length: unreadable }, () => UNREADABLE),
      ...unclear.map(({ transfer: { id, status } }) => `${id} is ${status || 'in an unreadable state'}`),
    ],
  };
}

function listedState(transfer: Transfer): ListedPayout['state'] | 'unknown' | 'left_out' {
  const { kind } = meaningOf(transfer);
  if (kind === 'stopped') return 'declined';
  return kind === 'unfunded' ? 'left_out' : kind;
}
