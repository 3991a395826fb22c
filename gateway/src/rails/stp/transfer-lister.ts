/** STP's list of the transfers received on an operation date: what reconciliation finds missing transfers by. */
import type { IncomingTransfer } from '../../domain/deposits/deposit.ts';
import type { TransferLister } from '../../domain/deposits/reconcile-transfers.ts';
import { type Clock, DAY_MS } from '../../foundation/clock.ts';
import type { ProviderHttp } from '../provider-http.ts';
import type { StpConfiguration } from './configuration.ts';
import { STP, transferOfRow } from './incoming-transfer.ts';
import { operationDate } from './operation-date.ts';
import { keepPrivateKey } from './private-key.ts';
import { type ListedTransfer, RECONCILIATION_PATH, readReconciliation, writeReconciliationQuery } from './queries.ts';

/** Weekends and holidays move an operation date on; a transfer of the last days may still be told under any of these. */
const DAYS_BACK = 5;

/** A page of a thousand rows. */
export const STP_LARGEST_ANSWER_BYTES = 4 * 1024 * 1024;

/** Money that arrived, confirmed or not. What is being given back is none of ours. */
const ARRIVED = 'settled';

export function createStpTransferLister(
  configuration: StpConfiguration,
  http: Pick<ProviderHttp, 'exchange'>,
  clock: Clock,
): TransferLister {
  const privateKey = keepPrivateKey(configuration);
  const { empresa } = configuration;

  async function listPage(day: string, page: number, signal: AbortSignal) {
    // STP finds the current operation date only when it is left out.
    const fechaOperacion = day === operationDate(clock.now()) ? null : day;
    const body = writeReconciliationQuery({ empresa, direction: 'R', fechaOperacion, page }, privateKey());
    const headers = { 'content-type': 'application/json' };
    const request = { verb: 'POST', path: RECONCILIATION_PATH, headers, body } as const;
    const reply = await http.exchange(request, { signal, isPast: () => signal.aborted });
    if (reply.kind !== 'answered') throw new ListIncomplete(reply.reason);
    const answer = readReconciliation(reply.status, reply.body);
    if (answer.kind === 'unknown') throw new ListIncomplete(answer.reason);
    if (answer.kind === 'page' && answer.unreadable.length > 0) throw new ListIncomplete(answer.unreadable.join(', '));
    return answer;
  }

  async function rowsOf(day: string, signal: AbortSignal): Promise<ListedTransfer[]> {
    const rows: ListedTransfer[] = [];
    for (let page = 0; ; page++) {
      const answer = await listPage(day, page, signal);
      if (answer.kind === 'none') return rows;
      rows.push(...answer.transfers);
      if (answer.transfers.length === 0 || rows.length >= answer.total) return rows;
    }
  }

  return {
    rail: STP,
    daysToReconcile(now) {
      const days = Array.from({ length: DAYS_BACK }, (_, back) => operationDate(now - back * DAY_MS));
      return [...new Set(days)].reverse();
    },
    async transfersOf(day, signal): Promise<IncomingTransfer[]> {
      const rows = await rowsOf(day, signal);
      return rows.filter(({ standing }) => standing === ARRIVED).map((row) => transferOfRow(row, clock.now()));
    },
  };
}

/** STP gave no whole list, and a part of one proves nothing. */
export class ListIncomplete extends Error {
  override readonly name = 'ListIncomplete';
}
