/** The history of a payout or a deposit, as JSON and as text. */
import type { Instant } from '../foundation/clock.ts';
import { formatTable, humanTime, jsonTime } from './command-output.ts';

interface HistoryLine {
  readonly at: Instant;
  readonly event: string;
  readonly fromState: string | null;
  readonly toState: string;
  readonly actor: string;
  readonly detail: string;
}

export function historyJson({ at, event, fromState, toState, actor, detail }: HistoryLine) {
  return { at: jsonTime(at), event, from: fromState, to: toState, actor, detail };
}

export function historyTable(history: readonly HistoryLine[]): string {
  const rows = history.map(({ at, event, fromState, toState, actor, detail }) => [
    humanTime(at),
    event,
    fromState === null || fromState === toState ? toState : `${fromState} → ${toState}`,
    actor,
    detail,
  ]);
  return formatTable(['AT', 'EVENT', 'STATE', 'BY', 'DETAIL'], rows, 'nothing yet');
}
