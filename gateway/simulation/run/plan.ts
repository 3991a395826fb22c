/** The plan of a run: everything that follows from the seed, as values. A shorter plan is a part of it. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/foundation/clock.ts';
import { STORMS } from '../faults/weather.ts';
import { type Drawn, drawnFrom } from '../world/drawn.ts';
import type { PaceName } from '../world/pace.ts';

/** `atMs`: after the beginning of the episode. `process`: the process's number in the run. */
export type Operation = { readonly atMs: number } & (
  | { readonly kind: 'payouts'; readonly count: number }
  | { readonly kind: 'deposits'; readonly count: number }
  /** Payers pay on the hosted form. */
  | { readonly kind: 'forms'; readonly count: number }
  /**
   * The operator refunds the merchant's latest form payments. `percent` is a part of the amount. The refund of 100 does not
   * name an amount.
   */
  | { readonly kind: 'refund'; readonly merchant: number; readonly count: number; readonly percent: number }
  | { readonly kind: 'storm'; readonly storm: string; readonly ms: number }
  /** After so many more turns of the process, before or after its statement. */
  | {
      readonly kind: 'kill';
      readonly process: number;
      readonly turns: number;
      readonly side: 'before' | 'after';
      readonly downMs: number;
    }
  | { readonly kind: 'database_away'; readonly ms: number }
  /** Under synchronous replication: all connections end, and a standby takes over. */
  | { readonly kind: 'failover'; readonly ms: number }
  /** The database goes back to the beginning of the episode. */
  | { readonly kind: 'restore' }
  | { readonly kind: 'clock_jump'; readonly process: number; readonly skewMs: number; readonly ms: number }
  | { readonly kind: 'stall'; readonly process: number; readonly turns: number; readonly ms: number }
  /** A number of turns after the process has begun attempts of payouts, it dies. */
  | { readonly kind: 'kill_claiming'; readonly process: number; readonly turns: number; readonly downMs: number }
  /** The process stalls instead, until another process begins attempts, for at most `ms`. */
  | { readonly kind: 'stall_claiming'; readonly process: number; readonly turns: number; readonly ms: number }
  /** The same when a bank next rejects one of its payouts. */
  | { readonly kind: 'stall_rejected'; readonly process: number; readonly ms: number }
  | { readonly kind: 'merchant_closed'; readonly merchant: number; readonly ms: number }
  | { readonly kind: 'top_up'; readonly merchant: number }
  /** `target`: a merchant's number, a method's place among the carried ones, or a rail's place. */
  | {
      readonly kind: 'pause';
      readonly scope: 'merchant' | 'method' | 'rail';
      readonly target: number;
      readonly ms: number;
    }
  /** The operator cancels some of the merchant's latest payouts. */
  | { readonly kind: 'cancel'; readonly merchant: number; readonly count: number }
  | { readonly kind: 'approve'; readonly count: number }
  /** `rail`: a rail's place. `method`: its place among those that the rail carries. */
  | { readonly kind: 'route'; readonly method: number; readonly rail: number; readonly ms: number }
  /** The operator states the outcome of some payouts whose result the merchant does not know. */
  | { readonly kind: 'state'; readonly merchant: number; readonly count: number; readonly isGuess: boolean }
  /** The operator disables a method of a merchant. `method`: its place among the carried ones. */
  | { readonly kind: 'disable'; readonly merchant: number; readonly method: number; readonly ms: number }
  /** Two users edit one version of the merchant at the same time. */
  | { readonly kind: 'edit_twice'; readonly merchant: number }
  /** The operator decides on held money. */
  | { readonly kind: 'held'; readonly count: number }
);

export interface Episode {
  readonly day: number;
  readonly operations: readonly Operation[];
}

export interface Plan {
  readonly seed: string;
  /** If undefined, the run has the default pace. */
  readonly pace?: PaceName;
  readonly days: number;
  /** The variables of the rails that exist. */
  readonly rails: readonly string[];
  readonly roles: readonly ('all' | 'api' | 'worker')[];
  /** If true, every worker runs the schedule, as on separate machines. Otherwise only the first worker does. */
  readonly allKeepHouse: boolean;
  readonly merchants: number;
  /** True if each rail of payouts carries every method. Otherwise each method has one rail. */
  readonly sharesMethods?: boolean;
  /** If undefined, the run has the limits of production, and merchants with little money. */
  readonly capacity?: Capacity;
  readonly episodes: readonly Episode[];
}

/** The limits with which the gateway can pay thousands of payouts at a time. */
interface Capacity {
  /** The maximum number of payouts in flight at each bank. */
  readonly payoutsAtOnce: number;
  /** The money of a merchant that often runs out of money, in minor units. */
  readonly scarceMinor: number;
}

/** The rails of payouts by the variable that turns them on. */
const RAILS = ['WAYFORPAY_URL', 'EPOINT_URL', 'RAZORPAYX_URL', 'DT_ONE_URL', 'FREEDOM_PAY_URL', 'VOPAY_URL'] as const;
/** The variables for the payouts in flight at each of them. */
const AT_ONCE = ['WAYFORPAY', 'EPOINT', 'RAZORPAYX', 'DT_ONE', 'FREEDOM_PAY', 'VOPAY_PAYOUT'].map(
  (rail) => `${rail}_CONCURRENCY`,
);
/** Takes in deposits. */
const SPEI = 'STP_URL';
/** The rails of payments on the hosted form. VoPay also pays out. */
const FORM_RAILS = ['ADYEN_URL', 'VOPAY_URL'] as const;

const ROLES: readonly Plan['roles'][] = [['all'], ['all', 'all'], ['api', 'worker'], ['api', 'worker', 'worker']];

interface RegimeParts {
  readonly pace: PaceName;
  readonly pauseDays: readonly [least: number, most: number];
  /** For the payments of an episode. */
  readonly scale: number;
  /** Payments on the form: a payer needs many pages, and each page is a request. Default: `scale`. */
  readonly formScale?: number;
  readonly merchants: readonly [least: number, most: number];
  readonly capacity?: Capacity;
}

const FEW = [2, 6] as const;

/**
 * `sparse`: long quiet times between a few payments, for many years. `dense`: thousands of payments at a time. `bulk`:
 * thousands of payouts of many merchants at a time, whose messages arrive together, for millions of payments. A seed takes a
 * different event sequence in each of them than in the mixed regime.
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

/** Returns the variables of the gateway's configuration. */
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

/** `scale`: the part of the regime's payments that is run. */
export function drawPlan(seed: string, days: number, scale = 1, regime: Regime = 'mixed'): Plan {
  const parts: RegimeParts = REGIMES[regime];
  const { pace, capacity } = parts;
  const drawn = drawnFrom(`plan ${seed}`);
  const rails = RAILS.filter(() => drawn.chance(0.4));
  const roles = drawn.oneOf(ROLES);
  const merchants = drawn.between(...parts.merchants);
  const allKeepHouse = drawn.chance(0.3);
  const failovers = drawn.apart('failovers');
  const claims = drawn.apart('faults of claims');
  const silences = drawn.apart('silences');
  const restores = drawn.apart('restores');
  const edits = drawn.apart('edits');
  const episodes: Episode[] = [];
  for (let day = drawn.between(0, 2); day < days; day += drawn.between(...parts.pauseDays))
    episodes.push({
      day,
      operations: withRestore(
        restores,
        drawOperations({ drawn, failovers, claims, silences, edits }, roles.length, merchants).map((operation) =>
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

/** A restore forgets these orders of the operator, and the provider would execute their repetition. So no episode has both. */
const NOT_WITH_RESTORE: ReadonlySet<Operation['kind']> = new Set(['forms', 'refund', 'held']);
const RESTORED = 0.08;

/** Adds a restore to some episodes, which then lose their beginning. */
function withRestore(restores: Drawn, operations: readonly Operation[]): readonly Operation[] {
  if (!restores.chance(RESTORED)) return operations;
  const atMs = restores.oneOf([20 * SECOND_MS, 5 * MINUTE_MS, 3 * HOUR_MS]) + restores.between(0, 60) * SECOND_MS;
  return [...operations.filter(({ kind }) => !NOT_WITH_RESTORE.has(kind)), { kind: 'restore', atMs }];
}

function scaled(operation: Operation, scale: number): Operation {
  return 'count' in operation ? { ...operation, count: Math.ceil(operation.count * scale) } : operation;
}

/** Each part has its own stream. */
interface Streams {
  readonly drawn: Drawn;
  readonly failovers: Drawn;
  readonly claims: Drawn;
  readonly silences: Drawn;
  readonly edits: Drawn;
}

/** A different number of them would change the event sequence of every seed. */
const USUAL_STORMS = Object.keys(STORMS).filter((storm) => storm !== 'unanswering');

/** The longest time until a bank's "not found" is proof, and some more. */
const UNTIL_OVERTAKEN_MS = 3 * HOUR_MS;

function drawOperations(streams: Streams, processes: number, merchants: number): Operation[] {
  const { drawn, failovers, claims, silences, edits } = streams;
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
  operations.push(...drawFaultsOfClaims(claims, lengthMs, processes));
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

/** Most attempts begin when the first payouts arrive. */
function drawFaultsOfClaims(drawn: Drawn, lengthMs: number, processes: number): Operation[] {
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
  while (rejected.chance(0.3))
    operations.push({
      ...{ kind: 'stall_rejected', ms: UNTIL_OVERTAKEN_MS, process: rejected.between(0, processes - 1) },
      atMs: rejected.oneOf([0, SECOND_MS, rejected.between(0, lengthMs / SECOND_MS) * SECOND_MS]),
    });
  return operations;
}
