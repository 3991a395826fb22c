/** The plan of a run: everything that the seed determines, as data. A shortened plan is a subset of it. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/foundation/clock.ts';
import { STORMS } from '../faults/weather.ts';
import { type Drawn, drawnFrom } from '../world/drawn.ts';
import type { PaceName } from '../world/pace.ts';

/** `atMs` counts from the beginning of the episode. `process` is the number of the process in the run. */
export type Operation = { readonly atMs: number } & (
  | { readonly kind: 'payouts'; readonly count: number }
  | { readonly kind: 'deposits'; readonly count: number }
  | { readonly kind: 'forms'; readonly count: number }
  /** The operator refunds the merchant's latest form payments. `percent` of 100 requests a full refund, without an amount. */
  | { readonly kind: 'refund'; readonly merchant: number; readonly count: number; readonly percent: number }
  | { readonly kind: 'storm'; readonly storm: string; readonly ms: number }
  /** The fault happens after this many more turns of the process, before or after the statement. */
  | {
      readonly kind: 'kill';
      readonly process: number;
      readonly turns: number;
      readonly side: 'before' | 'after';
      readonly downMs: number;
    }
  | { readonly kind: 'database_away'; readonly ms: number }
  /** A failover under synchronous replication: all connections close, and a standby takes over. */
  | { readonly kind: 'failover'; readonly ms: number }
  /** The database returns to its state at the beginning of the episode. */
  | { readonly kind: 'restore' }
  | { readonly kind: 'clock_jump'; readonly process: number; readonly skewMs: number; readonly ms: number }
  | { readonly kind: 'stall'; readonly process: number; readonly turns: number; readonly ms: number }
  /** The process dies a number of turns after it next begins payout attempts. */
  | { readonly kind: 'kill_claiming'; readonly process: number; readonly turns: number; readonly downMs: number }
  /** The process stalls at that point instead, until another process begins attempts of the same payouts, for at most `ms`. */
  | { readonly kind: 'stall_claiming'; readonly process: number; readonly turns: number; readonly ms: number }
  /** The process stalls when a bank next rejects one of its payouts. */
  | { readonly kind: 'stall_rejected'; readonly process: number; readonly ms: number }
  | { readonly kind: 'merchant_closed'; readonly merchant: number; readonly ms: number }
  | { readonly kind: 'top_up'; readonly merchant: number }
  /** `target` is the index of a merchant, of a carried method or of a rail. */
  | {
      readonly kind: 'pause';
      readonly scope: 'merchant' | 'method' | 'rail';
      readonly target: number;
      readonly ms: number;
    }
  /** The operator cancels some of the merchant's latest payouts. */
  | { readonly kind: 'cancel'; readonly merchant: number; readonly count: number }
  | { readonly kind: 'approve'; readonly count: number }
  /** `rail` is the index of a rail. `method` is an index into the methods that it carries. */
  | { readonly kind: 'route'; readonly method: number; readonly rail: number; readonly ms: number }
  /** The operator states the outcome of some payouts whose result the merchant does not know yet. */
  | { readonly kind: 'state'; readonly merchant: number; readonly count: number; readonly isGuess: boolean }
  /** The operator disables a method of a merchant. `method` is an index into the carried methods. */
  | { readonly kind: 'disable'; readonly merchant: number; readonly method: number; readonly ms: number }
  /** Two users edit one version of the merchant at the same time. */
  | { readonly kind: 'edit_twice'; readonly merchant: number }
  | { readonly kind: 'held'; readonly count: number }
);

export interface Episode {
  readonly day: number;
  readonly operations: readonly Operation[];
}

export interface Plan {
  readonly seed: string;
  /** Defaults to `usual`. */
  readonly pace?: PaceName;
  readonly days: number;
  /** The configuration variables that enable the rails of this run. */
  readonly rails: readonly string[];
  readonly roles: readonly ('all' | 'api' | 'worker')[];
  /** If true, every worker runs scheduled tasks, as on separate machines. Otherwise only the first worker does. */
  readonly allKeepHouse: boolean;
  readonly merchants: number;
  /** If true, each payout rail carries every method. Otherwise each method has one rail. */
  readonly sharesMethods?: boolean;
  /** If undefined, the run uses production limits and merchants with little money. */
  readonly capacity?: Capacity;
  readonly episodes: readonly Episode[];
}

/** Limits that let the gateway pay thousands of payouts concurrently. */
interface Capacity {
  /** The maximum number of payouts in flight at each bank. */
  readonly payoutsAtOnce: number;
  /** The balance of a merchant that often runs out of money, in minor units. */
  readonly scarceMinor: number;
}

/** The payout rails, by the variable that enables each one. */
const RAILS = ['WAYFORPAY_URL', 'EPOINT_URL', 'RAZORPAYX_URL', 'DT_ONE_URL', 'FREEDOM_PAY_URL', 'VOPAY_URL'] as const;
/** The prefixes of the variables that limit the payouts in flight at each rail. */
const AT_ONCE = ['WAYFORPAY', 'EPOINT', 'RAZORPAYX', 'DT_ONE', 'FREEDOM_PAY', 'VOPAY_PAYOUT'].map(
  (rail) => `${rail}_CONCURRENCY`,
);
/** The rail for deposits. */
const SPEI = 'STP_URL';
/** The rails for form payments. VoPay also makes payouts. */
const FORM_RAILS = ['ADYEN_URL', 'VOPAY_URL'] as const;

const ROLES: readonly Plan['roles'][] = [['all'], ['all', 'all'], ['api', 'worker'], ['api', 'worker', 'worker']];

interface RegimeParts {
  readonly pace: PaceName;
  readonly pauseDays: readonly [least: number, most: number];
  /** A factor for the number of payments in an episode. */
  readonly scale: number;
  /** The factor for form payments, which are expensive: each page is a request. Defaults to `scale`. */
  readonly formScale?: number;
  readonly merchants: readonly [least: number, most: number];
  readonly capacity?: Capacity;
}

const FEW = [2, 6] as const;

/**
 * `sparse` has long idle periods between few payments, over many years. `dense` has thousands of concurrent payments. `bulk`
 * has thousands of concurrent payouts of many merchants, whose messages arrive together; it is for millions of payments. A
 * seed produces a different event sequence in each regime.
 */
const REGIMES = {
  mixed: { pace: 'usual', pauseDays: [1, 6], scale: 1, merchants: FEW },
  sparse: { pace: 'economical', pauseDays: [5, 30], scale: 0.05, merchants: FEW },
  dense: { pace: 'economical', pauseDays: [1, 2], scale: 8, merchants: FEW },
  bulk: {
    ...{ pace: 'coarse', pauseDays: [1, 2], scale: 20, formScale: 0.5, merchants: [24, 48] },
    capacity: { payoutsAtOnce: 256, scarceMinor: 400_000 },
  },
} as const satisfies Record<string, RegimeParts>;

/** Returns the gateway's configuration variables. */
export function variablesOf({ rails, capacity }: Plan): Readonly<Record<string, string>> {
  const atOnce = capacity ? AT_ONCE.map((name) => [name, String(capacity.payoutsAtOnce)]) : [];
  return {
    ...Object.fromEntries(rails.map((name) => [name, 'http://127.0.0.1:1'])),
    ...Object.fromEntries(atOnce),
    ...{ DATABASE_URL: 'postgresql://simulated', PUBLIC_URL: 'http://gateway.example', LOG_LEVEL: 'silent' },
  };
}

export type Regime = keyof typeof REGIMES;

export function isRegime(name: string): name is Regime {
  return Object.hasOwn(REGIMES, name);
}

/** The probability of each further stall at a rejection. */
const REJECTION_STALLS = 0.3;

/**
 * Draws a plan with this fraction (`scale`) of the regime's payments. A greater `rejectionStalls` makes more processes record a bank's
 * rejection under an expired lease.
 */
export function drawPlan(
  seed: string,
  days: number,
  scale = 1,
  regime: Regime = 'mixed',
  rejectionStalls = REJECTION_STALLS,
): Plan {
  const parts: RegimeParts = REGIMES[regime];
  const { pace, capacity } = parts;
  const drawn = drawnFrom(`plan ${seed}`);
  const rails = RAILS.filter(() => drawn.chance(0.4));
  const roles = drawn.oneOf(ROLES);
  const merchants = drawn.between(...parts.merchants);
  const allKeepHouse = drawn.chance(0.3);
  const streams: Streams = {
    drawn,
    failovers: drawn.apart('failovers'),
    claims: drawn.apart('faults of claims'),
    silences: drawn.apart('silences'),
    edits: drawn.apart('edits'),
    rejectionStalls,
  };
  const restores = drawn.apart('restores');
  const episodes: Episode[] = [];
  for (let day = drawn.between(0, 2); day < days; day += drawn.between(...parts.pauseDays))
    episodes.push({
      day,
      operations: withRestore(
        restores,
        drawOperations(streams, roles.length, merchants).map((operation) =>
          scaled(operation, scale * (operation.kind === 'forms' ? (parts.formScale ?? parts.scale) : parts.scale)),
        ),
      ),
    });
  return {
    seed,
    ...(pace === 'usual' ? {} : { pace }),
    days,
    rails: [SPEI, ...FORM_RAILS, ...(rails.length > 0 ? rails : [drawn.oneOf(RAILS)])],
    roles,
    merchants,
    allKeepHouse,
    ...(drawn.apart('shared methods').chance(0.4) ? { sharesMethods: true } : {}),
    ...(capacity ? { capacity } : {}),
    episodes,
  };
}

/**
 * Operations that an episode with a restore omits: the restore loses the operator's orders, and the provider would execute
 * their repeats.
 */
const NOT_WITH_RESTORE: ReadonlySet<Operation['kind']> = new Set(['forms', 'refund', 'held']);
const RESTORED = 0.08;

/** Adds a restore to some episodes. It discards everything since the beginning of the episode. */
function withRestore(restores: Drawn, operations: readonly Operation[]): readonly Operation[] {
  if (!restores.chance(RESTORED)) return operations;
  const atMs = restores.oneOf([20 * SECOND_MS, 5 * MINUTE_MS, 3 * HOUR_MS]) + restores.between(0, 60) * SECOND_MS;
  return [...operations.filter(({ kind }) => !NOT_WITH_RESTORE.has(kind)), { kind: 'restore', atMs }];
}

function scaled(operation: Operation, scale: number): Operation {
  return 'count' in operation ? { ...operation, count: Math.ceil(operation.count * scale) } : operation;
}

/** Separate random streams, so that a change of one part does not shift the others. */
interface Streams {
  readonly drawn: Drawn;
  readonly failovers: Drawn;
  readonly claims: Drawn;
  readonly silences: Drawn;
  readonly edits: Drawn;
  /** A probability. */
  readonly rejectionStalls: number;
}

/** A different number of kinds would change the event sequence of every seed. */
const USUAL_STORMS = Object.keys(STORMS).filter((storm) => storm !== 'unanswering');

/** Slightly longer than the time until any bank's "not found" is proof. */
const UNTIL_OVERTAKEN_MS = 3 * HOUR_MS;

function drawOperations(streams: Streams, processes: number, merchants: number): Operation[] {
  const { drawn, failovers, claims, silences, edits, rejectionStalls } = streams;
  const lengthMs = drawn.oneOf([20 * SECOND_MS, 5 * MINUTE_MS, 2 * HOUR_MS]);
  const atMs = () => drawn.between(0, lengthMs / SECOND_MS) * SECOND_MS;
  const count = () =>
    drawn.weighted([
      [2, drawn.between(1, 10)],
      [4, drawn.between(20, 200)],
      [4, drawn.between(200, 600)],
    ]);
  const operations: Operation[] = [{ kind: 'payouts', atMs: 0, count: count() }];
  const add = (probability: number, operation: () => Operation) => {
    while (drawn.chance(probability)) operations.push(operation());
  };
  add(0.3, () => ({ kind: 'deposits', atMs: atMs(), count: drawn.oneOf([3, 60, 300]) }));
  add(0.4, () => ({ kind: 'forms', atMs: atMs(), count: drawn.oneOf([5, 60, 200]) }));
  add(0.5, () => ({ kind: 'payouts', atMs: atMs(), count: count() }));
  add(0.3, () => ({
    kind: 'storm',
    atMs: atMs(),
    storm: drawn.oneOf(USUAL_STORMS),
    ms: drawn.between(10, 600) * SECOND_MS,
  }));
  add(0.35, () => ({
    ...{ kind: 'kill', atMs: atMs(), process: drawn.between(0, processes - 1) },
    ...{
      turns: drawn.between(0, 60),
      side: drawn.oneOf(['before', 'after']),
      downMs: drawn.between(0, 120) * SECOND_MS,
    },
  }));
  add(0.1, () => ({ kind: 'database_away', atMs: atMs(), ms: drawn.oneOf([500, 3 * SECOND_MS, 60 * SECOND_MS]) }));
  add(0.1, () => ({
    ...{ kind: 'clock_jump', atMs: atMs(), process: drawn.between(0, processes - 1) },
    ...{
      skewMs: drawn.oneOf([-DAY_MS, -HOUR_MS, -3_000, -1_500, 1_500, 3_000, HOUR_MS, DAY_MS]),
      ms: drawn.between(1, 600) * SECOND_MS,
    },
  }));
  add(0.25, () => ({
    ...{ kind: 'stall', atMs: atMs(), process: drawn.between(0, processes - 1), turns: drawn.between(0, 60) },
    ms: drawn.oneOf([3, 30, 90, 600]) * SECOND_MS,
  }));
  add(0.15, () => ({
    kind: 'merchant_closed',
    atMs: atMs(),
    merchant: drawn.between(0, merchants - 1),
    ms: drawn.oneOf([MINUTE_MS, HOUR_MS, 100 * HOUR_MS]),
  }));
  add(0.3, () => ({ kind: 'top_up', atMs: atMs(), merchant: drawn.between(0, merchants - 1) }));
  add(0.2, () => ({
    ...{ kind: 'pause', atMs: atMs(), scope: drawn.oneOf(['merchant', 'method', 'rail']), target: drawn.between(0, 5) },
    ms: drawn.oneOf([2 * SECOND_MS, MINUTE_MS, 2 * HOUR_MS]),
  }));
  add(0.2, () => ({
    ...{ kind: 'cancel', atMs: atMs(), merchant: drawn.between(0, merchants - 1) },
    count: drawn.between(1, 20),
  }));
  add(0.4, () => ({ kind: 'approve', atMs: atMs(), count: drawn.between(1, 200) }));
  add(0.15, () => ({
    ...{ kind: 'route', atMs: atMs(), method: drawn.between(0, 15), rail: drawn.between(0, 5) },
    ms: drawn.oneOf([MINUTE_MS, 2 * HOUR_MS, 3 * DAY_MS]),
  }));
  add(0.7, () => ({
    ...{ kind: 'state', atMs: drawn.between(1, 20) * SECOND_MS, merchant: drawn.between(0, merchants - 1) },
    ...{ count: drawn.between(1, 30), isGuess: drawn.chance(0.5) },
  }));
  add(0.25, () => ({
    ...{ kind: 'disable', atMs: atMs(), merchant: drawn.between(0, merchants - 1), method: drawn.between(0, 15) },
    ms: drawn.oneOf([MINUTE_MS, 2 * HOUR_MS, 3 * DAY_MS]),
  }));
  add(0.6, () => ({
    ...{ kind: 'refund', atMs: drawn.oneOf([atMs(), 3 * HOUR_MS]), merchant: drawn.between(0, merchants - 1) },
    ...{ count: drawn.between(1, 15), percent: drawn.oneOf([100, 100, 50, 70]) },
  }));
  while (failovers.chance(0.2))
    operations.push({
      ...{ kind: 'failover', atMs: failovers.between(0, lengthMs / SECOND_MS) * SECOND_MS },
      ms: failovers.oneOf([500, 2 * SECOND_MS, 4 * SECOND_MS]),
    });
  operations.push(...drawFaultsOfClaims(claims, lengthMs, processes, rejectionStalls));
  operations.push(...drawSilences(silences, lengthMs));
  operations.push(...drawEdits(edits, lengthMs, merchants));
  add(0.5, () => ({ kind: 'held', atMs: atMs(), count: drawn.between(1, 20) }));
  return operations.sort((one, other) => one.atMs - other.atMs);
}

function drawSilences(drawn: Drawn, lengthMs: number): Operation[] {
  const operations: Operation[] = [];
  while (drawn.chance(0.15))
    operations.push({
      ...{ kind: 'storm', storm: 'unanswering', ms: drawn.between(5, 60) * SECOND_MS },
      atMs: drawn.oneOf([0, drawn.between(0, lengthMs / SECOND_MS) * SECOND_MS]),
    });
  return operations;
}

function drawEdits(drawn: Drawn, lengthMs: number, merchants: number): Operation[] {
  const operations: Operation[] = [];
  while (drawn.chance(0.1))
    operations.push({
      ...{ kind: 'edit_twice', merchant: drawn.between(0, merchants - 1) },
      atMs: drawn.between(0, lengthMs / SECOND_MS) * SECOND_MS,
    });
  return operations;
}

/** Draws the faults near the beginning of attempts. Most attempts begin when the first payouts arrive. */
function drawFaultsOfClaims(drawn: Drawn, lengthMs: number, processes: number, rejectionStalls: number): Operation[] {
  const operations: Operation[] = [];
  const atMs = () => drawn.oneOf([0, SECOND_MS, drawn.between(0, lengthMs / SECOND_MS) * SECOND_MS]);
  const of = () => ({
    ...{ atMs: atMs(), process: drawn.between(0, processes - 1) },
    turns: drawn.oneOf([0, 0, drawn.between(1, 30)]),
  });
  while (drawn.chance(0.2))
    operations.push({ kind: 'kill_claiming', ...of(), downMs: drawn.between(0, 120) * SECOND_MS });
  while (drawn.chance(0.25)) operations.push({ kind: 'stall_claiming', ...of(), ms: UNTIL_OVERTAKEN_MS });
  const rejected = drawn.apart('rejections');
  while (rejected.chance(rejectionStalls))
    operations.push({
      ...{ kind: 'stall_rejected', ms: UNTIL_OVERTAKEN_MS, process: rejected.between(0, processes - 1) },
      atMs: rejected.oneOf([0, SECOND_MS, rejected.between(0, lengthMs / SECOND_MS) * SECOND_MS]),
    });
  return operations;
}
