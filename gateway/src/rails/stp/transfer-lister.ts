/**
 * Lists the transfers that STP received on an operation date, so that reconciliation can find transfers without a notification.
 */
import type { TransferLister } from '../../domain/reconciliation/transfer-lister.ts';
import { type Clock, DAY_MS } from '../../foundation/clock.ts';
import { untilAborted } from '../../foundation/deadline.ts';
import { ListIncomplete } from '../kit/list-incomplete.ts';
import { askPage, type Exchange } from './api.ts';
import { STP, type StpConfiguration } from './configuration.ts';
import { transferOfRow } from './incoming-transfer.ts';
import { keepPrivateKey } from './key-files.ts';
import { operationDate } from './operation-date.ts';
import type { ListedTransfer } from './queries.ts';

/** Weekends and holidays move operation dates forward. STP may report a recent transfer under any of these dates. */
const DAYS_BACK = 5;

/** Enough for a page of a thousand rows. */
export const STP_LARGEST_ANSWER_BYTES = 4 * 1024 * 1024;

/** Money that arrived, confirmed or not. A transfer that STP is sending back is not ours. */
const ARRIVED = 'settled';

export function createStpTransferLister(configuration: StpConfiguration, http: Exchange, clock: Clock): TransferLister {
  const privateKey = keepPrivateKey(configuration);
  const { empresa } = configuration;

  async function listPage(day: string, page: number, signal: AbortSignal) {
    // STP finds the current operation date only if the query omits it.
    const fechaOperacion = day === operationDate(clock.now()) ? null : day;
    const query = { empresa, direction: 'R', fechaOperacion, page } as const;
    const key = privateKey();
    if (!key.ok) throw new ListIncomplete(key.error);
    const answer = await askPage(http, query, key.value, untilAborted(signal));
    if (answer.kind === 'unknown') throw new ListIncomplete(answer.reason);
    return answer;
  }

  async function rowsOf(day: string, signal: AbortSignal) {
    const rows: ListedTransfer[] = [];
    const unreadable: string[] = [];
    for (let page = 0; ; page++) {
      const answer = await listPage(day, page, signal);
      if (answer.kind === 'none') return { rows, unreadable };
      rows.push(...answer.transfers);
      unreadable.push(...answer.unreadable);
      const onPage = answer.transfers.length + answer.unreadable.length;
      if (onPage === 0 || rows.length + unreadable.length >= answer.total) return { rows, unreadable };
    }
  }

  return {
    rail: STP,
    daysToReconcile(now) {
      const days = Array.from({ length: DAYS_BACK }, (_, back) => operationDate(now - back * DAY_MS));
      return [...new Set(days)].reverse();
    },
    async transfersOf(day, signal) {
      const { rows, unreadable } = await rowsOf(day, signal);
      const arrived = rows.filter(({ state }) => state === ARRIVED);
      return { transfers: arrived.map((row) => transferOfRow(row, clock.now())), unreadable };
    },
  };
}
