/** The plots: the scenario and curve of each, and its labels. */
import type { Results } from '../report/results.ts';
import { COST_LIMIT, P99_LIMIT_MS } from '../scenarios/limits.ts';
import { drawLineChart, type LineChart } from './line-chart.ts';

export interface Plot extends Omit<LineChart, 'series'> {
  /** The file name without its extension. */
  readonly name: string;
  readonly scenario: string;
  readonly curve: string;
}

export const PLOTS: readonly Plot[] = [
  {
    name: 'throughput-against-concurrency',
    scenario: 'concurrency',
    curve: 'throughput',
    title: 'Payouts accepted, against concurrency',
    description:
      'Closed loop. The gateway, its wire without a database, and the same rows written with one commit for each payout.',
    x: { label: 'concurrent requests', kind: 'log2' },
    y: { label: 'payouts per second', kind: 'linear' },
  },
  {
    name: 'latency-against-load',
    scenario: 'rates',
    curve: 'latency',
    title: 'Response time against offered load',
    description: 'Open loop at fixed rates: a request’s time counts from when it was due.',
    x: { label: 'payouts offered per second', kind: 'linear' },
    y: { label: 'milliseconds', kind: 'log10' },
    limit: { value: P99_LIMIT_MS, name: `${P99_LIMIT_MS} ms` },
  },
  {
    name: 'cost-against-table-size',
    scenario: 'growth',
    curve: 'cost',
    title: 'Cost of a payout, against what is stored',
    description: 'Each cost as a multiple of its value with the smallest tables.',
    x: { label: 'payouts stored', kind: 'log10' },
    y: { label: 'times the first', kind: 'linear' },
    limit: { value: COST_LIMIT, name: `${COST_LIMIT} ×` },
  },
  {
    name: 'queues-over-time',
    scenario: 'sustained',
    curve: 'queue',
    title: 'Queues under sustained load',
    description: 'Payouts arrive at a fixed rate while workers, banks and a merchant’s server run on the same machine.',
    x: { label: 'seconds', kind: 'linear' },
    y: { label: 'waiting', kind: 'linear' },
  },
  {
    name: 'memory-over-time',
    scenario: 'memory',
    curve: 'memory',
    title: 'Memory of the gateway’s processes, under sustained load',
    description: 'Resident memory, and the used heap of each process.',
    x: { label: 'seconds', kind: 'linear' },
    y: { label: 'MB', kind: 'linear' },
  },
  {
    name: 'goodput-under-overload',
    scenario: 'overload',
    curve: 'goodput',
    title: 'Payouts accepted under overload',
    description: 'Open loop over many connections; the gateway returns 429 for the excess.',
    x: { label: 'offered, times the peak', kind: 'linear' },
    y: { label: 'times the peak', kind: 'linear' },
  },
];

/** Returns the SVG of the plot, or undefined if it was not measured. */
export function drawPlot({ scenario, curve, ...chart }: Plot, { scenarios }: Results): string | undefined {
  const series = scenarios[scenario]?.curves?.[curve];
  return series && series.length > 0 ? drawLineChart({ ...chart, series }) : undefined;
}
