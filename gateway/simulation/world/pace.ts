/**
 * The granularity of a run: the time between messages, and how often idle loops look for work. It does not affect what the
 * judges check.
 */
import { HOUR_MS } from '../../src/foundation/clock.ts';

/** After a jump, a sleeper whose time has come wakes with this probability, as on a machine with other work. */
interface Looks {
  /** A loop that looks for work at short intervals. */
  readonly poll: number;
  readonly other: number;
  /** Periodic work that no due row waits for. */
  readonly seldom: number;
}

export interface Pace {
  /** Messages arrive at full multiples of this time, so that many arrive together. */
  readonly stepMs: number;
  /** A message takes up to this many steps, unless it is slow. */
  readonly messageSteps: number;
  /**
   * Due rows wait until the next multiple of this interval, as if workers polled at that interval, so that one claim takes many
   * rows.
   */
  readonly dueStepMs: number;
  /** After a message, the next one of the same moment arrives before any other statement with this probability. */
  readonly arriveTogether: number;
  readonly looks: {
    readonly message: Looks;
    /** Nothing happened for some hours. */
    readonly idle: Looks;
    readonly due: Looks;
    /** A row is still due although the loops have polled. */
    readonly overdue: Looks;
  };
  /** A due row wakes the loops of one process. The loops of the other processes wake as after a message. */
  readonly dueWakesOne: boolean;
  /**
   * Before a copy for a restore is kept, the workers report. Otherwise the recovery window reaches back to their last report,
   * which may be weeks old, and a recovery compares every day of it.
   */
  readonly reportsBeforeCopy: boolean;
  /** The pause of the operator before the next attempt to complete a recovery, after so many attempts. */
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
  /** Has fine steps. The searches for planted bugs use this pace. */
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
  /** For centuries of time and millions of payments: work shares commits, and loops without work rarely wake. */
  economical: {
    stepMs: 1_000,
    messageSteps: 2,
    dueStepMs: 1,
    ...ECONOMICAL,
  },
  /** For millions of payments: the messages and due rows of hundreds of payments coincide. */
  coarse: {
    stepMs: 1_000,
    messageSteps: 1,
    dueStepMs: 5_000,
    ...ECONOMICAL,
    arriveTogether: 0.9998,
  },
} as const satisfies Record<string, Pace>;

export type PaceName = keyof typeof PACES;
