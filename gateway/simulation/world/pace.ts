/**
 * The granularity of a run: the time between messages, and how often idle loops poll. It does not affect what the checks
 * verify.
 */
import { HOUR_MS } from '../../src/foundation/clock.ts';

/** Probabilities that a sleeper wakes after its time has come, as on a machine with other work. */
interface Looks {
  /** The step for loops that poll at short intervals. */
  readonly poll: number;
  readonly other: number;
  /** The step for periodic work that no due row waits for. */
  readonly seldom: number;
}

export interface Pace {
  /** Messages arrive at multiples of this time, so that many arrive together. */
  readonly stepMs: number;
  /** The maximum delay of a message in steps, unless it is slow. */
  readonly messageSteps: number;
  /** Due rows wait until the next multiple of this interval, as if workers polled at it, so that one claim takes many rows. */
  readonly dueStepMs: number;
  /** The probability that, after a message, the next message of the same moment arrives before any other statement. */
  readonly arriveTogether: number;
  readonly looks: {
    readonly message: Looks;
    /** The steps after some hours without an event. */
    readonly idle: Looks;
    readonly due: Looks;
    /** When a row is still due although the loops have polled. */
    readonly overdue: Looks;
  };
  /** If true, a due row wakes the loops of one process only. The loops of other processes wake as after a message. */
  readonly dueWakesOne: boolean;
  /**
   * If true, the workers send a heartbeat before the copy for a restore. Otherwise the recovery window reaches back to their
   * last heartbeat, perhaps for weeks, and a recovery compares every day of it.
   */
  readonly reportsBeforeCopy: boolean;
  /** The operator's pause before the next attempt to complete a recovery, given the number of earlier attempts. */
  readonly recoveryPauseMs: (attempts: number) => number;
}

const OVERDUE: Looks = { poll: 1, other: 0.5, seldom: 0.05 };
const USUAL_MESSAGE: Looks = { poll: 0.05, other: 0.04, seldom: 0.01 };

const ECONOMICAL = {
  arriveTogether: 0.998,
  looks: {
    message: { poll: 0.01, other: 0.004, seldom: 0.0005 },
    idle: { poll: 0.05, other: 0.1, seldom: 0.05 },
    due: { poll: 1, other: 0.02, seldom: 0.002 },
    overdue: OVERDUE,
  },
  dueWakesOne: true,
  reportsBeforeCopy: true,
  recoveryPauseMs: (attempts: number) => Math.min(2 ** (attempts + 1), 24) * HOUR_MS,
};

export const PACES = {
  /** A pace with fine steps. The searches for planted bugs use it. */
  usual: {
    stepMs: 250,
    messageSteps: 2,
    dueStepMs: 1,
    arriveTogether: 0.95,
    looks: {
      message: USUAL_MESSAGE,
      idle: USUAL_MESSAGE,
      due: { poll: 1, other: 0.04, seldom: 0.01 },
      overdue: OVERDUE,
    },
    dueWakesOne: false,
    reportsBeforeCopy: false,
    recoveryPauseMs: () => 2 * HOUR_MS,
  },
  /** A pace for centuries of simulated time and millions of payments: commits are shared, and idle loops rarely wake. */
  economical: {
    stepMs: 1_000,
    messageSteps: 2,
    dueStepMs: 1,
    ...ECONOMICAL,
  },
  /** A pace for millions of payments: messages and due rows of hundreds of payments coincide. */
  coarse: {
    stepMs: 1_000,
    messageSteps: 1,
    dueStepMs: 5_000,
    ...ECONOMICAL,
    arriveTogether: 0.9998,
  },
} as const satisfies Record<string, Pace>;

export type PaceName = keyof typeof PACES;
