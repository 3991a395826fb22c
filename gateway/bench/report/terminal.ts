/** What the terminal shows of a scenario. */

import type { ScenarioResult } from './results.ts';
import { ROW_HEAD, rowCells } from './row-cells.ts';
import { textTable } from './text-table.ts';

export function terminalReport({ name, rows, figures = {}, broken, tookSeconds }: ScenarioResult): string {
  const lines = [[...ROW_HEAD], ...rows.map(rowCells)];
  const used = ROW_HEAD.map((_, column) => lines.slice(1).some((line) => line[column] !== ''));
  const table = textTable(lines.map((line) => line.filter((_, column) => used[column])));
  const single = Object.entries(figures).map(([figure, value]) => [`  ${figure}`, figureText(value)]);
  return [
    `── ${name} (${Math.round(tookSeconds)} s)`,
    table,
    ...(single.length > 0 ? [textTable(single)] : []),
    broken.length === 0 ? '✓ every invariant holds afterwards' : `✗ broken afterwards: ${JSON.stringify(broken)}`,
    '',
  ].join('\n');
}

export function figureText(value: number): string {
  return Number.isInteger(value) ? String(value) : Number(value.toPrecision(value < 1 ? 3 : 4)).toString();
}
