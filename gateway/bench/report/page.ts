/** Writes the benchmark page from the results. The page is generated; do not edit it by hand. */
import { probeText } from '../measure/probes.ts';
import { PLOTS } from '../plots/plots.ts';
import { TARGETS, type Target } from '../scenarios/limits.ts';
import { SCENARIOS } from '../scenarios/scenarios.ts';
import { METHOD, REPEAT } from './page-texts.ts';
import type { Machine, Results, ScenarioResult } from './results.ts';
import { cellsOf, figureCells, figureText } from './row-cells.ts';

export function renderPage(results: Results): string {
  const measured = SCENARIOS.flatMap(({ name }) => results.scenarios[name] ?? []);
  const parts = [
    '# Benchmarks',
    'Written by `npm run bench` from results.json beside it; a test compares the two. Do not edit it.',
    ...(measured.length === 0
      ? ['Nothing was measured yet.']
      : [targetsOf(results), plotsOf(results), machinesOf(measured)]),
    METHOD,
    REPEAT,
    ...measured.map(scenarioPart),
  ];
  return `${parts.join('\n\n')}\n`;
}

function targetsOf({ scenarios }: Results): string {
  const rows = TARGETS.map((target) => {
    const value = scenarios[target.scenario]?.figures?.[target.figure];
    const measured = value === undefined ? 'not measured' : `${figureText(value)} ${target.unit}`;
    return [
      target.what,
      `${target.bound} ${target.value} ${target.unit}`,
      measured,
      value === undefined ? '' : verdict(target, value, scenarios),
    ];
  });
  return `## Targets and measurements\n\n${markdownTable(['', 'target', 'measured', ''], rows)}`;
}

function verdict(target: Target, value: number, scenarios: Results['scenarios']): string {
  if (isMet(target, value)) return 'met';
  for (const { what, scenario, figure } of target.ceilings ?? []) {
    const ceiling = scenarios[scenario]?.figures?.[figure];
    if (ceiling !== undefined && !isMet(target, ceiling))
      return `out of reach: ${figureText(ceiling)} ${target.unit} with ${what} ([${scenario}](#${scenario}))`;
  }
  return 'not met';
}

function isMet({ bound, value: wanted }: Target, value: number): boolean {
  return bound === 'at least' ? value >= wanted : value <= wanted;
}

function plotsOf({ scenarios }: Results): string {
  const drawn = PLOTS.filter(({ scenario, curve }) => scenarios[scenario]?.curves?.[curve]?.length);
  return ['## Pictures', ...drawn.map(({ name, title }) => `![${title}](${name}.svg)`)].join('\n\n');
}

/** Scenarios that were measured at one commit on one machine share a line. */
function machinesOf(measured: readonly ScenarioResult[]): string {
  const byMachine = Map.groupBy(measured, ({ machine, at }) => JSON.stringify([machine, at.slice(0, 10)]));
  const rows = [...byMachine.values()].flatMap(([first, ...rest]) => {
    if (!first) return [];
    const { machine, at } = first;
    return [[at.slice(0, 10), [first, ...rest].map(({ name }) => name).join(', '), ...machineCells(machine)]];
  });
  const head = [
    'date',
    'scenarios',
    'cores',
    'processor',
    'memory',
    'system',
    'Node',
    'PostgreSQL',
    'settings',
    'commit',
  ];
  return `## Machine and versions\n\n${markdownTable(head, rows)}\n\nDatabase, load generator, banks, receiver and gateway share the machine.`;
}

function machineCells({ cores, model, memoryBytes, system, node, postgres, settings, commit }: Machine): string[] {
  const settingTexts = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  const memory = `${Math.round(memoryBytes / 2 ** 30)} GiB`;
  return [String(cores), model, memory, system, node, postgres, settingTexts.join(', '), commit];
}

function scenarioPart(result: ScenarioResult): string {
  const { name, at, tookSeconds, options, rows, figures = {}, broken, probes = [] } = result;
  const { head, lines } = cellsOf(rows);
  const about = SCENARIOS.find((scenario) => scenario.name === name)?.about ?? '';
  const loads = `Started ${at.slice(0, 16).replace('T', ' ')} UTC, took ${tookSeconds} s; each load lasted ${options.seconds} s.`;
  const books = broken.length === 0 ? 'Every invariant held afterwards.' : '**Invariants were broken afterwards.**';
  const single = figureCells(figures);
  return [
    `## ${name}`,
    [about, loads, books, ...(probes.length > 0 ? [`Probes: ${probes.map(probeText).join('; ')}.`] : [])].join(' '),
    markdownTable(head, lines),
    ...(single.length > 0 ? [markdownTable(['figure', 'value'], single)] : []),
  ].join('\n\n');
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
