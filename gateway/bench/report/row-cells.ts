/** Formats measured rows and figures for readers. The terminal and the page show the same cells. */
import type { Row } from '../measure/bench.ts';
import { MEGABYTE } from '../measure/process-table.ts';
import type { CpuKind } from '../measure/usage.ts';

const HEAD = [
  'load',
  'per s',
  'p50 ms',
  'p99 ms',
  'p99.9 ms',
  'CPU µs each',
  'WAL B each',
  'commits each',
  'memory MB',
  'ratios',
  'notes',
] as const;

interface Cells {
  readonly head: readonly string[];
  readonly lines: readonly (readonly string[])[];
}

/** Omits columns that are empty in every row. */
export function cellsOf(rows: readonly Row[]): Cells {
  const lines = rows.map(rowCells);
  const isUsed = HEAD.map((_, column) => lines.some((line) => line[column] !== ''));
  const used = (line: readonly string[]) => line.filter((_, column) => isUsed[column]);
  return { head: used(HEAD), lines: lines.map(used) };
}

/** Returns the name and the formatted value of each figure. */
export function figureCells(figures: Readonly<Record<string, number>>): [name: string, value: string][] {
  return Object.entries(figures).map(([name, value]) => [name, figureText(value)]);
}

export function figureText(value: number): string {
  return Number.isInteger(value) ? String(value) : Number(value.toPrecision(value < 1 ? 3 : 4)).toString();
}

function rowCells(row: Row): string[] {
  const { what, rate, latencyMs, cost, memory = [], notes } = row;
  return [
    what,
    whole(rate),
    latencyMs ? tenths(latencyMs.p50) : '',
    latencyMs ? tenths(latencyMs.p99) : '',
    latencyMs ? tenths(latencyMs.p999) : '',
    cost ? cpuText(cost.cpuMicros) : '',
    cost ? whole(cost.walBytes) : '',
    cost ? cost.commits.toFixed(3) : '',
    memory
      .map(({ kind, rssBytes, peakRssBytes, heapBytes }) => memoryText(kind, rssBytes, peakRssBytes, heapBytes))
      .join(', '),
    Object.entries(row.ratios ?? {})
      .map(([floor, ratio]) => `${ratio.toFixed(2)} ${floor}`)
      .join(', '),
    [refusedText(row), busyText(row), notes ?? ''].filter(Boolean).join('; '),
  ];
}

const CPU_NAMES: Readonly<Record<CpuKind, string>> = {
  api: 'API',
  worker: 'worker',
  gateway: 'gateway',
  postgres: 'PostgreSQL',
  banks: 'banks',
  receiver: 'receiver',
  'http floor': 'floor',
  load: 'load',
  bench: 'bench',
};

function cpuText(cpuMicros: Readonly<Partial<Record<CpuKind, number>>>): string {
  const kinds = Object.keys(CPU_NAMES) as CpuKind[];
  return kinds
    .filter((kind) => (cpuMicros[kind] ?? 0) >= 1)
    .map((kind) => `${CPU_NAMES[kind]} ${whole(cpuMicros[kind] ?? 0)}`)
    .join(', ');
}

function memoryText(kind: CpuKind, rss: number, peak: number, heap: number | null): string {
  return `${CPU_NAMES[kind]} ${megabytes(rss)} (peak ${megabytes(peak)}${heap === null ? '' : `, heap ${megabytes(heap)}`})`;
}

function refusedText({ counts }: Row): string {
  if (!counts) return '';
  const { shed, bad, dropped, unsent } = counts;
  const parts = Object.entries({ 'answered 429': shed, refused: bad, dropped, 'not sent': unsent });
  return parts
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

/** Above this load share, the load generator may have limited the rate. */
const BUSY = 0.7;

function busyText({ cost }: Row): string {
  return cost && cost.loadShare > BUSY
    ? `the load generator was busy for ${Math.round(cost.loadShare * 100)} % of a core`
    : '';
}

const whole = (value: number) => value.toFixed(0);
const tenths = (value: number) => value.toFixed(value < 10 ? 2 : 1);
const megabytes = (bytes: number) => whole(bytes / MEGABYTE);
