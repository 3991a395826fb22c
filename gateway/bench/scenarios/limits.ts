/** The targets of the gateway on two cores, with database and load on the same machine. */

export const P99_LIMIT_MS = 30;
/** The highest cost with the largest tables, as a multiple of the cost with the smallest. */
export const COST_LIMIT = 1.3;

export interface Target {
  readonly what: string;
  readonly scenario: string;
  readonly figure: string;
  /** Whether the target is a minimum or a maximum. */
  readonly bound: 'at least' | 'at most';
  readonly value: number;
  readonly unit: string;
}

export const TARGETS: readonly Target[] = [
  {
    what: 'Accept, of the SQL floor',
    scenario: 'accept',
    figure: 'ofSqlFloor',
    bound: 'at least',
    value: 1.3,
    unit: '×',
  },
  {
    what: 'Accept, of the HTTP floor',
    scenario: 'accept',
    figure: 'ofHttpFloor',
    bound: 'at least',
    value: 0.4,
    unit: '×',
  },
  {
    what: 'Accept, p99 of 64 at once',
    scenario: 'accept',
    figure: 'p99Ms',
    bound: 'at most',
    value: P99_LIMIT_MS,
    unit: 'ms',
  },
  {
    what: 'Accept, p50 of one client, of both floors together',
    scenario: 'accept',
    figure: 'oneClientOfOneAtATime',
    bound: 'at most',
    value: 1.3,
    unit: '×',
  },
  {
    what: 'Sustained with everything on, of accept',
    scenario: 'sustained',
    figure: 'ofAccept',
    bound: 'at least',
    value: 0.2,
    unit: '×',
  },
  {
    what: 'One hot merchant, of a thousand even ones',
    scenario: 'merchants',
    figure: 'hotOfEven',
    bound: 'at least',
    value: 0.8,
    unit: '×',
  },
  {
    what: 'CPU to accept with the largest tables',
    scenario: 'growth',
    figure: 'acceptCpuAtLargest',
    bound: 'at most',
    value: COST_LIMIT,
    unit: '×',
  },
  {
    what: 'Time to accept with the largest tables',
    scenario: 'growth',
    figure: 'acceptTimeAtLargest',
    bound: 'at most',
    value: COST_LIMIT,
    unit: '×',
  },
  {
    what: 'Time to drain with the largest tables',
    scenario: 'growth',
    figure: 'drainTimeAtLargest',
    bound: 'at most',
    value: COST_LIMIT,
    unit: '×',
  },
  {
    what: 'Goodput at three times the peak',
    scenario: 'overload',
    figure: 'ofPeakAt3',
    bound: 'at least',
    value: 0.9,
    unit: '×',
  },
];
