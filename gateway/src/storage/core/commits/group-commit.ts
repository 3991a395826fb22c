/**
 * Commits the calls of many callers in one transaction. Calls wait in a bounded queue. One writer takes all queued
 * calls and commits them together, so that they share the cost of a commit. An idle writer starts immediately; on a busy
 * database it may pause briefly (createCommitRest). The next batch gathers while the database commits the current batch.
 * A second writer would only make both batches smaller.
 *
 * Items must be safe to run again. After a transient failure, such as a lost connection during COMMIT, the writer runs the same
 * items again. So `flush` must recognise the effects of an earlier run. After any other error each item runs separately, so
 * that one bad item does not fail the others.
 *
 * Another session may hold the lock of one merchant for long. The writer then leaves the batch that waits for it,
 * continues with the calls of other merchants, and afterwards commits that merchant's calls apart from all others
 * (commit-lanes.ts).
 */
import type { Clock } from '../../../foundation/clock.ts';
import { OutcomeUnknown, Overloaded } from '../../../foundation/commit-errors.ts';
import { invariant } from '../../../foundation/invariant.ts';
import { isLockTimeout, isTransient } from '../database-errors.ts';
import { createCommitLanes } from './commit-lanes.ts';

export interface GroupCommitOptions<Item, Outcome> {
  /** Commits all items, together or one by one, and returns their outcomes in the same order. */
  readonly flush: (items: readonly Item[]) => Promise<readonly Outcome[]>;
  readonly clock: Clock;
  /** The merchant whose locks a commit of the item takes. If undefined, it does not take a lock that others hold for long. */
  readonly merchantOf?: (item: Item) => string;
  readonly maxBatch: number;
  /** With this many calls in the queue, another call is rejected with Overloaded. */
  readonly maxQueued: number;
  /** The timeout of a call. Afterwards the call rejects with OutcomeUnknown. */
  readonly patienceMs: number;
  /** Receives each committed batch and its duration. */
  readonly onCommitted?: (items: readonly Item[], elapsedMs: number) => void;
}

export interface GroupCommit<Item, Outcome> {
  /** Rejects with Overloaded (no attempt was made), OutcomeUnknown (the database was unreachable for too long), or a bug. */
  submit(item: Item): Promise<Outcome>;
  /** Resolves when no call is queued or in flight. */
  drain(): Promise<void>;
}

interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly giveUpAt: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 500;
const nobodyWaits = () => {};

export function createGroupCommit<Item, Outcome>(
  options: GroupCommitOptions<Item, Outcome>,
): GroupCommit<Item, Outcome> {
  const { clock, maxQueued, patienceMs } = options;
  const queue: Waiting<Item, Outcome>[] = [];
  const rest = createCommitRest(clock, () => queue.length);
  const { merchantOf } = options;
  const lanes = createCommitLanes<Waiting<Item, Outcome>>(merchantOf && (({ item }) => merchantOf(item)));
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    // After one turn of the event loop, calls that arrived together share a batch.
    await new Promise(setImmediate);
    while (lanes.mayTake(queue)) {
      await rest.over();
      const taken = lanes.take(queue, options.maxBatch);
      const batch = refuseLate(taken, clock, () => new Overloaded('the call waited too long for its turn'));
      if (batch.length === 0) continue;
      const respond = await lanes.run(batch, commit, startWriter);
      // Send the next batch first, so that the database works while this process responds.
      if (queue.length > 0) setImmediate(respond);
      else respond();
    }
    // Run in the same turn as the last check of the queue: a call that arrives later must find no writer.
    writing = undefined;
  }

  function startWriter(): void {
    writing ??= write();
  }

  /** Returns the function that responds to each call. */
  async function commit(batch: Waiting<Item, Outcome>[]): Promise<() => void> {
    let pauseMs = FIRST_PAUSE_MS;
    for (let waiting = batch; waiting.length > 0; ) {
      const startedAt = clock.now();
      try {
        const items = waiting.map(({ item }) => item);
        const outcomes = await options.flush(items);
        const elapsedMs = clock.now() - startedAt;
        rest.begin(waiting.length, elapsedMs);
        options.onCommitted?.(items, elapsedMs);
        lanes.learn(waiting, true);
        invariant(outcomes.length === waiting.length, 'flush returned an unexpected number of outcomes');
        return () => answer(waiting, outcomes);
      } catch (error) {
        if (!isTransient(error)) return commitSingly(waiting, error as Error);
        const parts = isLockTimeout(error) ? lanes.byMerchant(waiting) : [];
        if (parts.length > 1) return lanes.apart(parts, commit, startWriter);
        if (parts.length === 1) lanes.learn(waiting, false);
      }
      await clock.sleep(pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      waiting = refuseLate(waiting, clock, () => new OutcomeUnknown('the database did not recover in time'));
    }
    return nobodyWaits;
  }

  async function commitSingly(waiting: Waiting<Item, Outcome>[], error: Error): Promise<() => void> {
    const [only] = waiting;
    if (only && waiting.length === 1) return () => only.reject(error);
    for (const one of waiting) (await commit([one]))();
    return nobodyWaits;
  }

  return {
    submit: (item) =>
      new Promise((resolve, reject) => {
        if (queue.length >= maxQueued) return reject(new Overloaded('the queue in front of the database is full'));
        queue.push({ item, giveUpAt: clock.now() + patienceMs, resolve, reject });
        rest.joined();
        startWriter();
      }),
    async drain() {
      do {
        await writing;
        await lanes.drain();
      } while (writing);
    },
  };
}

function answer<Item, Outcome>(waiting: readonly Waiting<Item, Outcome>[], outcomes: readonly Outcome[]): void {
  waiting.forEach(({ resolve }, index) => {
    resolve(outcomes[index] as Outcome);
  });
}

/** Returns the calls that are in time. */
function refuseLate<Item, Outcome>(
  waiting: Waiting<Item, Outcome>[],
  clock: Clock,
  reason: () => Error,
): Waiting<Item, Outcome>[] {
  const now = clock.now();
  for (const { giveUpAt, reject } of waiting) if (giveUpAt <= now) reject(reason());
  return waiting.filter(({ giveUpAt }) => giveUpAt > now);
}

/** A database whose commits usually take longer is treated as busy. */
const BUSY_COMMIT_MS = 2.5;
const RESTS_FOR_COMMITS = 4;
const LONGEST_REST_MS = 20;
/** At this number of calls per commit, a larger batch saves almost nothing per call. */
const ENOUGH = 16;
/** The weight of the earlier average after one more commit. */
const MEMORY = 0.9;
/** The number of calls that shared a commit counts half after this time. */
const HALF_LIFE_MS = 25;

interface CommitRest {
  /** Reports a commit of `size` calls that took `elapsedMs`. */
  begin(size: number, elapsedMs: number): void;
  /** Reports that a call joined the queue. */
  joined(): void;
  /**
   * Resolves when the pause ends. The pause ends early once the queue is as long as a recent commit: callers that send
   * again only after their response may then all be back. After a pause that no second call joined, the writer skips pauses
   * until calls share a commit again: a lone caller never pays for callers that left.
   */
  over(): Promise<void>;
}

/**
 * Decides when the writer of a group commit pauses so that more calls can join. On a busy machine each additional commit slows
 * all of them. The writer then pauses after its commit. On an idle machine it never pauses. It commits nothing itself.
 *
 * `queued` returns the number of queued calls. The pause itself uses a system timer instead of `clock`.
 */
export function createCommitRest(clock: Clock, queued: () => number): CommitRest {
  let usualMs = 0;
  let enough = 0;
  let endsAt = 0;
  let committedAt = 0;
  let end: (() => void) | undefined;
  return {
    begin(size, elapsedMs) {
      usualMs = MEMORY * usualMs + (1 - MEMORY) * elapsedMs;
      const now = clock.now();
      enough = Math.min(ENOUGH, Math.max(size, enough * 0.5 ** Math.max(0, (now - committedAt) / HALF_LIFE_MS)));
      committedAt = now;
      const restMs = usualMs < BUSY_COMMIT_MS ? 0 : Math.min(RESTS_FOR_COMMITS * usualMs, LONGEST_REST_MS);
      endsAt = now + restMs;
    },
    joined() {
      if (queued() >= enough) end?.();
    },
    async over() {
      // The clock may have been set back. Without this limit the pause would last until it catches up.
      const restMs = Math.min(endsAt - clock.now(), LONGEST_REST_MS);
      if (restMs <= 0 || queued() >= enough) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, restMs);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      end = undefined;
      if (queued() <= 1) enough = 0;
    },
  };
}
