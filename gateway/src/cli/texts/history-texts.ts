/** The history of a payout or a deposit, as text. */
import type { HistoryEntry } from '../../../contract/parts/answer-parts.ts';
import { formatTable, humanIsoTime } from '../command-output.ts';

export function historyTable(history: readonly HistoryEntry[]): string {
  const rows = history.map(({ at, event, from, to, actor, detail }) => [
    humanIsoTime(at),
    event,
    from === null || from === to ? to : `${from} → ${to}`,
    actor,
    detail,
  ]);
  return formatTable(['AT', 'EVENT', 'STATE', 'BY', 'DETAIL'], rows, 'None.');
}
