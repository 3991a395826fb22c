/** The gateway's targets on two cores, with the database and the load on the same machine. */

/** The highest p99 at a sustainable rate. */
export const P99_LIMIT_MS = 30;
/** The maximum cost with the largest tables, as a multiple of the cost with the smallest tables. */
export const COST_LIMIT = 1.25;
/** The limit for lists, searches and balances with ten million payouts, in server time. */
export const READ_P95_LIMIT_MS = 50;
export const STATEMENT_P95_LIMIT_MS = 2_000;

export interface Target {
  readonly what: string;
  readonly scenario: string;
  readonly figure: string;
  /** Whether the target is a minimum or a maximum. */
  readonly bound: 'at least' | 'at most';
  readonly value: number;
  readonly unit: string;
  /** If the ceiling also misses the target, no gateway with this wire protocol can reach it. */
  readonly ceilings?: readonly Ceiling[];
}

/** An experiment that does less work than the gateway, and is therefore faster. */
interface Ceiling {
  readonly what: string;
  readonly scenario: string;
  readonly figure: string;
}

type Bound = Target['bound'];

const target = (what: string, scenario: string, figure: string, bound: Bound, value: number, unit = '×'): Target => ({
  what,
  scenario,
  figure,
  bound,
  value,
  unit,
});

/** `figure` is the name of the figure in scenario accept and in both ceilings. */
const accept = (what: string, figure: string, bound: Bound, value: number, unit = '×'): Target => ({
  ...target(`Accept, ${what}`, 'accept', figure, bound, value, unit),
  ceilings: [
    { what: 'one narrow row instead', scenario: 'ceilings', figure: `${figure}OfNarrowRow` },
    { what: 'the same rows and no decision', scenario: 'ceilings', figure: `${figure}OfOwnRows` },
  ],
});

/** The ceiling measures the same figure. */
const drain = (ofDrain: Target): Target => ({
  ...ofDrain,
  ceilings: [{ what: 'narrow rows and no decision', scenario: 'drain-ceilings', figure: ofDrain.figure }],
});

export const TARGETS: readonly Target[] = [
  accept('of the fixed floor', 'ofFixedFloor', 'at least', 0.9),
  accept('of the SQL floor', 'ofSqlFloor', 'at least', 1.35),
  accept('p99 of 64 at once', 'p99Ms', 'at most', 18, 'ms'),
  accept('CPU of API and PostgreSQL, scaled', 'scaledCpuMicros', 'at most', 115, 'µs'),
  accept('p50 of one client, of both floors together', 'oneClientOfOneAtATime', 'at most', 1.4),
  accept('p99 of one client', 'oneClientP99Ms', 'at most', 3, 'ms'),
  drain(target('Drain, of the fixed floor', 'drain', 'ofFixedFloor', 'at least', 0.19)),
  drain(target('Whole life of a payout, own CPU, scaled', 'drain', 'scaledWholeLifeCpuMicros', 'at most', 540, 'µs')),
  target('Callbacks alone, of the fixed floor', 'callbacks', 'ofFixedFloor', 'at least', 0.43),
  target('Create a deposit, of the fixed floor', 'create', 'ofFixedFloor', 'at least', 0.7),
  target('Abono to callback, of the fixed floor', 'abonos', 'ofFixedFloor', 'at least', 0.26),
  target('One hot merchant, of a thousand even ones', 'merchants', 'hotOfEven', 'at least', 1),
  target('CPU to accept with the largest tables', 'growth', 'acceptCpuAtLargest', 'at most', COST_LIMIT),
  target('Time to accept with the largest tables', 'growth', 'acceptTimeAtLargest', 'at most', COST_LIMIT),
  target('Time to drain with the largest tables', 'growth', 'drainTimeAtLargest', 'at most', COST_LIMIT),
  target('Goodput at three times the peak', 'overload', 'ofPeakAt3', 'at least', 0.95),
  {
    what: 'Accept with the records for people, of without',
    scenario: 'records',
    figure: 'acceptCpuOfWithout',
    bound: 'at least',
    value: 0.97,
    unit: '×',
  },
  {
    what: 'Drain with the records for people, of without',
    scenario: 'records',
    figure: 'drainCpuOfWithout',
    bound: 'at least',
    value: 0.97,
    unit: '×',
  },
  target('Slowest list, search or balance, p95', 'manage', 'slowestReadP95Ms', 'at most', READ_P95_LIMIT_MS, 'ms'),
  target('Slowest statement of a day, p95', 'manage', 'slowestStatementP95Ms', 'at most', STATEMENT_P95_LIMIT_MS, 'ms'),
];
