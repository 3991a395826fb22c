/**
 * The world of a simulation: its time, its messages and the order of all events. It jumps from one message or due row to the
 * next, so an idle day costs nothing. It knows no bank or merchant.
 */
import { type Clock, HOUR_MS, type Instant } from '../../src/foundation/clock.ts';
import type { LockWatch } from '../database/lock-watch.ts';
import type { Drawn } from './drawn.ts';
import { createEventQueue } from './event-queue.ts';
import type { Life } from './life.ts';
import type { Pace } from './pace.ts';
import { createSleepers, type Sleeper } from './sleepers.ts';
import { settle, type Turn, type TurnKind, TurnQueue } from './turn-queue.ts';

interface WorldParts {
  readonly drawn: Drawn;
  readonly pace: Pace;
  readonly start: Instant;
  readonly locks: LockWatch;
  /** Returns the earliest time at which a database row is due. */
  readonly nextDue: () => Promise<Instant>;
}

/** The longest interval at which a loop polls (worker/rounds.ts). */
const LONGEST_POLL_MS = 250;
/** The delay of a due row while messages arrive, as if a loop polled at this interval. */
const DUE_LATE_MS = 250;
/** The shortest interval of periodic work that no due row waits for. */
const SELDOM_MS = 1 * HOUR_MS;
/** A longer jump is treated as idle time. */
const IDLE_MS = 4 * HOUR_MS;
const FIRST_LOOK_MS = 250;
const LONGEST_LOOK_MS = 6 * HOUR_MS;

export class World {
  readonly drawn: Drawn;
  readonly pace: Pace;
  readonly counts = { turns: 0, jumps: 0 };
  /** Called before each turn. It may kill the process or cut the database. */
  beforeTurn: (life: Life) => void = () => {};
  /** Called after the database has responded to the statement of a turn. */
  afterTurn: (life: Life) => void = () => {};
  /**
   * Called with the payouts, as `merchant/payout_id`, whose attempts a claim has begun, before the process gets the response.
   */
  afterClaim: (life: Life, begun: readonly string[]) => void = () => {};
  /**
   * Called with a payout, as `merchant/payout_id`, that a bank did not accept, before the sending process gets the response.
   */
  afterRejection: (life: Life, payout: string) => void = () => {};
  /** Called with each step of the event sequence: turns, lock waits and messages. */
  onStep: (step: string) => void = () => {};
  /** The time of the last restore. Responses to messages sent before it are lost. */
  restoredAt: Instant = 0;
  /** The number of open transactions of all processes. */
  openTransactions = 0;
  /** Returns the duration of the next statement. */
  statementMs: () => number = () => 0;
  /** Runs between two steps, while no other code runs. */
  tend: () => Promise<void> | undefined = () => undefined;
  readonly #order: Drawn;
  readonly #nextDue: () => Promise<Instant>;
  readonly #start: Instant;
  readonly #turns: TurnQueue;
  readonly #events = createEventQueue();
  readonly #sleepers = createSleepers();
  readonly #inHour = new Set<string>();
  /** Rollbacks of cut transactions that PostgreSQL has not completed yet. */
  readonly #endings = new Set<Promise<void>>();
  #now: Instant;
  /** The process that is starting. Until it has started, only this process gets turns. */
  #alone: Life | undefined;
  /** The overdue row, how often all processes have polled since, and the time of the last poll. */
  #overdue: { readonly due: Instant; readonly looks: number; readonly at: Instant } = { due: 0, looks: 0, at: 0 };
  #messages = 0;
  /** The earliest due row, valid at this number of turns. */
  #dueAfter: { readonly turns: number; readonly at: Instant } | undefined;
  #hash = 0;

  constructor({ drawn, pace, start, locks, nextDue }: WorldParts) {
    this.drawn = drawn;
    this.pace = pace;
    this.#start = start;
    this.#now = start;
    this.#nextDue = nextDue;
    this.#order = drawn.apart('order');
    this.#turns = new TurnQueue(this.#order, locks, {
      before: (life) => this.#before(life),
      after: (life) => this.afterTurn(life),
      openTransactions: () => this.openTransactions,
      settled: () => this.#settled(),
      onStep: (step) => this.#note(step),
    });
  }

  readonly now = (): Instant => this.#now;

  /** Returns a number that increases with each statement, message and clock jump. */
  steps(): number {
    return this.counts.turns + this.counts.jumps + this.#messages;
  }

  /** Describes, for a report, what the world waits for. */
  describe(): string {
    const now = new Date(this.#now).toISOString();
    const next = this.#events.nextAt() - this.#now;
    const alone = this.#alone ? `, ${this.#alone.name} alone gets turns` : '';
    const open = `${this.openTransactions} open transactions, ${this.#endings.size} of them to be rolled back`;
    return `at ${now}${alone}; the next message comes after ${next} ms; ${open}; ${this.#turns.describe()}`;
  }

  waits(): number {
    return this.#turns.waits;
  }

  /** Returns a digest of all events so far. Two runs with the same event sequence have the same digest. */
  trace(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, '0');
  }

  clockOf(life: Life): Clock {
    return {
      now: () => this.#now + life.skewMs,
      sleep: (ms, signal) => this.#sleepers.sleep(life, this.#now, ms, signal),
    };
  }

  /** `statement` is the name of the statement in the event sequence. */
  turn(life: Life, kind: TurnKind, statement?: string): Promise<Turn> {
    return this.#turns.wait(life, kind, statement);
  }

  at(time: Instant, event: () => void): void {
    this.#events.add(Math.max(time, this.#now), event);
  }

  /** Returns a function that cancels the event. */
  after(ms: number, event: () => void): () => void {
    return this.#events.add(this.#now + Math.max(0, ms), event);
  }

  /** Adds an event at the first full hour after `ms`, unless that hour already has an event with this name. */
  inHourAfter(ms: number, name: string, event: () => void): void {
    const at = Math.ceil((this.#now + ms) / HOUR_MS) * HOUR_MS;
    const key = `${name} ${at}`;
    if (this.#inHour.has(key)) return;
    this.#inHour.add(key);
    this.at(at, () => {
      this.#inHour.delete(key);
      event();
    });
  }

  /** Wakes every due sleeper whose sleep lasted at most `longestMs`. */
  wakeUpTo(longestMs: number): void {
    this.#wakeDue(({ ms }) => ms <= longestMs);
  }

  /** Wakes every due sleeper that repeats work at this interval or retries a failed run. */
  wakeEvery(everyMs: number): void {
    this.#wakeDue(({ ms }) => ms === everyMs || (ms < everyMs && isRetry(ms)));
  }

  /** Wakes every due sleeper whose sleep lasted exactly one of these times. Returns true if there was one. */
  wakeAfter(pausesMs: readonly number[]): boolean {
    let hasWoken = false;
    this.#wakeDue(({ ms }) => {
      const isPause = pausesMs.includes(ms);
      hasWoken ||= isPause;
      return isPause;
    });
    return hasWoken;
  }

  /** Pauses simulated time until an interrupted transaction has released its locks. */
  ending(transaction: Promise<void>): void {
    const ended = transaction.finally(() => this.#endings.delete(ended));
    this.#endings.add(ended);
  }

  async #settled(): Promise<void> {
    for (await settle(); this.#endings.size > 0; await settle()) await Promise.all(this.#endings);
  }

  /** Gives turns only to `life` until the promise settles. Simulated time is paused. */
  async only<Result>(life: Life, promise: Promise<Result>): Promise<Result> {
    this.#alone = life;
    let isOver = false;
    const over = promise.finally(() => {
      isOver = true;
    });
    over.catch(() => {});
    // Check for the end only after all code is idle. An earlier check would depend on the machine.
    for (await this.#settled(); !isOver; await this.#settled())
      // The end of a dead process may have granted a lock to a statement that blocks others.
      if (!(await this.#turns.next((waiting) => waiting === life))) await this.#turns.resumeParked();
    this.#alone = undefined;
    return over;
  }

  /** Runs until no message is in flight and nothing is due before `horizon`, or until `isOver` returns true. */
  async runUntil(horizon: Instant, isOver: () => boolean): Promise<void> {
    do {
      await this.#settled();
      await this.tend();
    } while (!isOver() && ((await this.#step()) || (await this.#advance(horizon))));
  }

  /** Resolves to false if nothing more happens at this simulated time. */
  async #step(): Promise<boolean> {
    const isEventDue = this.#events.nextAt() <= this.#now;
    if (isEventDue && (this.#turns.isEmpty() || this.#order.chance(0.5))) {
      // Messages of one moment mostly arrive together, so that their work shares commits.
      do {
        this.#note('a message arrives');
        this.#messages += 1;
        this.#events.take()();
      } while (this.#events.nextAt() <= this.#now && this.#order.chance(this.pace.arriveTogether));
      return true;
    }
    if (await this.#turns.next((life) => life.stalledUntil <= this.#now)) return true;
    if (isEventDue) return true;
    if (await this.#turns.resumeParked()) return true;
    await this.#turns.refuseDeadlock();
    return false;
  }

  #before(life: Life): void {
    this.counts.turns += 1;
    this.#now += this.#alone ? 0 : this.statementMs();
    this.beforeTurn(life);
  }

  /** Reads the earliest due time again only after a turn, because only turns change rows. */
  async #dueNow(): Promise<Instant> {
    const { turns } = this.counts;
    if (this.#dueAfter?.turns !== turns) this.#dueAfter = { turns, at: await this.#nextDue() };
    return this.#dueAfter.at;
  }

  /** Jumps to the next message or due row. Resolves to false if there is none before `horizon`. */
  async #advance(horizon: Instant): Promise<boolean> {
    const eventAt = this.#events.nextAt();
    const isSoon = eventAt - this.#now <= DUE_LATE_MS;
    const due = isSoon ? Number.POSITIVE_INFINITY : await this.#dueNow();
    const isOverdue = due <= this.#now;
    // A process should have claimed the row by now, so all processes poll at growing intervals. Messages in between are not
    // polls.
    if (!isSoon && due !== this.#overdue.due) this.#overdue = { due, looks: 0, at: this.#now };
    const { looks, at } = this.#overdue;
    const again = Math.max(this.#now, at + Math.min(FIRST_LOOK_MS * 2 ** looks, LONGEST_LOOK_MS));
    const { dueStepMs } = this.pace;
    const look = Math.ceil((isOverdue ? again : due) / dueStepMs) * dueStepMs;
    const target = Math.min(eventAt, look);
    if (target === Number.POSITIVE_INFINITY || target > horizon) return false;
    this.counts.jumps += 1;
    const jumpMs = target - this.#now;
    this.#now = Math.max(this.#now, target);
    const { message, idle, due: dueLooks, overdue } = this.pace.looks;
    const rest = jumpMs > IDLE_MS ? idle : message;
    if (target !== look) this.#lookAround(() => rest);
    else if (isOverdue) {
      this.#overdue = { due, looks: looks + 1, at: this.#now };
      this.#lookAround(() => overdue);
    } else if (!this.pace.dueWakesOne) this.#lookAround(() => dueLooks);
    else {
      const pollers = this.#sleepers.dueUntil(this.#now).filter(({ ms }) => ms <= LONGEST_POLL_MS);
      const one = pollers.length > 0 ? this.#order.oneOf(pollers).life : undefined;
      this.#lookAround((life) => (life === one ? dueLooks : rest));
    }
    return true;
  }

  #lookAround(looksOf: (life: Life) => Pace['looks']['due']): void {
    this.#wakeDue(({ life, ms }) => {
      const { poll, other, seldom } = looksOf(life);
      return this.#order.chance(ms <= LONGEST_POLL_MS ? poll : ms < SELDOM_MS ? other : seldom);
    });
  }

  /** Wakes the due sleepers that `mayWake` selects. */
  #wakeDue(mayWake: (sleeper: Sleeper) => boolean): void {
    for (const sleeper of this.#sleepers.dueUntil(this.#now)) {
      if (sleeper.life.stalledUntil <= this.#now && mayWake(sleeper)) this.#sleepers.wake(sleeper);
    }
  }

  #note(step: string): void {
    const line = `${this.#now - this.#start} ms: ${step}`;
    for (let at = 0; at < line.length; at++)
      this.#hash = (Math.imul(this.#hash ^ line.charCodeAt(at), 0x9e3779b1) + 0x7f4a7c15) | 0;
    this.onStep(line);
  }
}

/** The time after which failed periodic work is retried (worker/periodic-work.ts). */
const FIRST_RETRY_MS = 30_000;

function isRetry(ms: number): boolean {
  return Number.isInteger(Math.log2(ms / FIRST_RETRY_MS));
}
