/** Prints a scenario's result in the terminal. */
import { probeText } from '../measure/probes.ts';
import type { ScenarioResult } from './results.ts';
import { cellsOf, figureCells } from './row-cells.ts';
import { textTable } from './text-table.ts';

export function terminalReport({ name, rows, figures = {}, broken, tookSeconds, probes = [] }: ScenarioResult): string {
  const { head, lines } = cellsOf(rows);
  const single = figureCells(figures).map(([figure, value]) => [`  ${figure}`, value]);
  return [
    `── ${name} (${tookSeconds} s)`,
    textTable([head, ...lines]),
    ...(single.length > 0 ? [textTable(single)] : []),
    `probes: ${probes.map(probeText).join('; ')}`,
    broken.length === 0
      ? '✓ every invariant holds afterwards'
      : `✗ invariants broken afterwards: ${JSON.stringify(broken)}`,
    '',
  ].join('\n');
}
