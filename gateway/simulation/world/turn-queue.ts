/**
 * The order of all statements on the database: one runs at a time, and the seed chooses the next. The right to run one is a
 * turn. A statement that waits for a lock lets others run, and continues once it has the lock.
 */

import type { LockWatch, ServerProcess } from '../database/lock-watch.ts';
import type { Drawn } from './drawn.ts';
import type { Life } from './life.ts';

/** The kind of statement: `commit` and `rollback` end a transaction, `single` is a statement outside a transaction. */
export type TurnKind = 'begin' | 'statement' | 'commit' | 'rollback' | 'single';

/** The right to run one statement. No other statement runs until `release`. */
export interface Turn {
  /** Call it when the database has responded. Resolves immediately, or, after a lock wait, at the next turn. */
  answered(): Promise<void>;
  release(): void;
}

export class ProcessDied extends Error {
  override readonly name = 'ProcessDied';
}

interface Waiting {
  readonly life: Life;
  readonly kind: TurnKind;
  readonly statement: string;
  readonly give: () => void;
  readonly refuse: (error: Error) => void;
}

interface Running {
  readonly life: Life;
  /** Resolves when the database has responded to the statement. */
  readonly answered: Promise<void>;
  readonly released: Promise<void>;
  isReleased: boolean;
  /** Set once the database has responded to a statement that waited for a lock. */
  resume: (() => void) | undefined;
}

interface TurnHooks {
  /** Called before each turn. It may kill the process. */
  readonly before: (life: Life) => void;
  /** Called after the database has responded to the statement of a turn. */
  readonly after: (life: Life) => void;
  /** Returns the number of open transactions. */
  readonly openTransactions: () => number;
  /** Resolves when the gateway's code is idle and no lock is being granted. */
  readonly settled: () => Promise<void>;
  /** Called before each turn and at each lock wait. */
  readonly onStep: (step: string) => void;
}

/** The probability that the process of the last turn also gets the next turn. */
const CONTINUES = 0.7;
const IN_TRANSACTION: ReadonlySet<TurnKind> = new Set(['statement', 'commit', 'rollback']);
const ENDS: ReadonlySet<TurnKind> = new Set(['commit', 'rollback', 'single']);

/** A group commit begins and responds one iteration of the event loop later (storage/core/commits/group-commit.ts). */
const SETTLED_AFTER_TURNS = 3;

/** File access and hashing: a starting process does both for some real time, which must not affect the run. */
const OF_THE_MACHINE = /^(?:FSReq|CloseReq|ScryptJob|PBKDF2Job|HashJob)/;

/** Resolves when the gateway's code is idle, so that only the world can continue. */
export async function settle(): Promise<void> {
  do
    for (let turns = 0; turns < SETTLED_AFTER_TURNS; turns++)
      await new Promise<void>((resolve) => setImmediate(resolve));
  while (process.getActiveResourcesInfo().some((kind) => OF_THE_MACHINE.test(kind)));
}

export class TurnQueue {
  readonly #drawn: Drawn;
  readonly #locks: LockWatch;
  readonly #hooks: TurnHooks;
  readonly #ready: Waiting[] = [];
  /** The statements that wait for a lock, in the order in which their wait began. */
  readonly #parked = new Map<Running, ServerProcess>();
  #last: Life | undefined;
  #running: Promise<void> | undefined;
  /** The number of statements that have waited for a lock. */
  waits = 0;

  constructor(drawn: Drawn, locks: LockWatch, hooks: TurnHooks) {
    this.#drawn = drawn;
    this.#locks = locks;
    this.#hooks = hooks;
  }

  /** Describes, for a report, the statements that wait for a turn or for a lock. */
  describe(): string {
    const ready = this.#ready.map(({ life, kind }) => `${life.name} ${kind}`).join(', ');
    const parked = [...this.#parked.keys()].map(({ life }) => life.name).join(', ');
    return `waiting for a turn: ${ready || 'nobody'}; waiting for a lock: ${parked || 'nobody'}`;
  }

  isEmpty(): boolean {
    return this.#ready.length === 0;
  }

  /** Rejects with ProcessDied if the process dies before its turn. */
  wait(life: Life, kind: TurnKind, statement = ''): Promise<Turn> {
    return new Promise((resolve, reject) => {
      if (!life.isAlive()) return reject(new ProcessDied());
      const forget = life.onDeath(() => {
        const at = this.#ready.indexOf(waiting);
        if (at >= 0) this.#ready.splice(at, 1);
        reject(new ProcessDied());
      });
      const give = () => {
        forget();
        resolve(this.#begin(life, kind));
      };
      const waiting: Waiting = { life, kind, statement, give, refuse: reject };
      this.#ready.push(waiting);
    });
  }

  /**
   * Gives the next turn to a process that `may` admits, and resolves when the turn is over. Resolves to undefined if no
   * process waits.
   */
  async next(may: (life: Life) => boolean): Promise<TurnKind | undefined> {
    const waiting = this.#pick(may);
    if (!waiting) return undefined;
    const { life, kind, statement } = waiting;
    this.#hooks.onStep(`${life.name}: ${[kind, statement].join(' ').trim()}`);
    this.#hooks.before(life);
    if (!life.isAlive()) {
      waiting.refuse(new ProcessDied());
      return kind;
    }
    this.#last = life;
    waiting.give();
    await this.#running;
    if (ENDS.has(kind)) await this.resumeParked();
    return kind;
  }

  #pick(may: (life: Life) => boolean): Waiting | undefined {
    const able = this.#ready.filter(({ life }) => may(life));
    if (able.length === 0) return undefined;
    const again = able.find(({ life }) => life === this.#last);
    const chosen = again && this.#drawn.chance(CONTINUES) ? again : this.#drawn.oneOf(able);
    this.#ready.splice(this.#ready.indexOf(chosen), 1);
    return chosen;
  }

  #begin(life: Life, kind: TurnKind): Turn {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const { promise: released, resolve } = Promise.withResolvers<void>();
    const running: Running = { life, answered, released, isReleased: false, resume: undefined };
    this.#running = this.#untilReleased(running, kind);
    return {
      answered: async () => {
        answer();
        if (!this.#parked.has(running)) return;
        await new Promise<void>((resume) => {
          running.resume = resume;
        });
      },
      release: () => {
        if (running.isReleased) return;
        running.isReleased = true;
        this.#hooks.after(life);
        resolve();
      },
    };
  }

  /** Resolves when the turn is over, or when its statement waits for a lock. */
  async #untilReleased(running: Running, kind: TurnKind): Promise<void> {
    // The lock can be held only by another transaction, or by a statement that has not resumed since its own lock was granted.
    const others = this.#hooks.openTransactions() - (IN_TRANSACTION.has(kind) ? 1 : 0);
    if (others === 0 && this.#parked.size === 0) return running.released;
    const pid = await this.#locks.untilBlocked(running.released, new Set(this.#parked.values()));
    if (pid === undefined) return;
    this.waits += 1;
    this.#hooks.onStep(`${running.life.name} waits for a lock`);
    this.#parked.set(running, pid);
    running.life.onDeath(() => {
      this.#parked.delete(running);
      running.resume?.();
    });
  }

  /**
   * Resumes the statements whose lock was granted, one at a time, in the order in which their wait began. Resolves to false if
   * there are none.
   */
  async resumeParked(): Promise<boolean> {
    let isResumed = false;
    for (let granted = await this.#granted(); granted; granted = await this.#granted())
      if (await this.#resume(...granted)) isResumed = true;
    return isResumed;
  }

  /** Rejects if statements wait for each other. Call it when nothing else can happen at this simulated time. */
  async refuseDeadlock(): Promise<void> {
    if (this.#parked.size < 2) return;
    const deadlock = await this.#locks.deadlock(new Set(this.#parked.values()));
    if (deadlock !== undefined) throw new Error(`transactions of the gateway are in a deadlock: ${deadlock}`);
  }

  async #granted(): Promise<[Running, ServerProcess] | undefined> {
    if (this.#parked.size === 0) return undefined;
    const waiting = await this.#locks.waiting();
    return [...this.#parked].find(([, pid]) => !waiting.has(pid));
  }

  /** Resolves to false if the statement waits for another lock. */
  async #resume(running: Running, pid: ServerProcess): Promise<boolean> {
    const others = new Set(this.#parked.values());
    others.delete(pid);
    this.#locks.resume(pid);
    if ((await this.#locks.untilBlocked(running.answered, others)) !== undefined) return false;
    this.#parked.delete(running);
    this.#hooks.onStep(`${running.life.name} has its lock`);
    running.resume?.();
    await running.released;
    await this.#hooks.settled();
    return true;
  }
}
