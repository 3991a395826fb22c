/**
 * Keeps the calls of a merchant whose locks another session holds apart from the other calls of a group commit. A batch that
 * does not end in time is set aside: it keeps its connection, more calls of its merchants wait, and the writer continues. This
 * module itself commits nothing.
 */

/** A commit that takes longer is probably waiting for a lock. */
export const USUAL_COMMIT_MS = 1_000;
/** A batch that is set aside keeps a pool connection, and several group commits share the pool. */
const MOST_ASIDE = 1;

type Respond = () => void;

interface CommitLanes<Call> {
  /** Returns true if a queued call may begin now. */
  mayTake(queue: readonly Call[]): boolean;
  /** Removes the next batch from the queue. */
  take(queue: Call[], most: number): Call[];
  /** Resolves when the batch has ended or was set aside. `onReleased` runs when the calls that waited for the batch may begin. */
  run(batch: Call[], work: (batch: Call[]) => Promise<Respond>, onReleased: () => void): Promise<Respond>;
  /** Returns the calls of each merchant of the batch. */
  byMerchant(batch: Call[]): Call[][];
  /** Runs the work on the parts of a batch concurrently, so that merchants whose locks are free do not wait for the others. */
  apart(parts: Call[][], work: (part: Call[]) => Promise<Respond>, onReleased: () => void): Promise<Respond>;
  /** Records whether the locks of these calls, all of one merchant, were free. If not, it gets separate batches. */
  learn(batch: readonly Call[], isFree: boolean): void;
  /** Resolves when no batch is set aside. */
  drain(): Promise<void>;
}

const nobodyWaits = () => {};

/** Without `merchantOf`, the calls acquire no locks that others hold for long, so no batch is set aside. */
export function createCommitLanes<Call>(merchantOf: ((call: Call) => string) | undefined): CommitLanes<Call> {
  const aside = new Set<Promise<void>>();
  /** The batch that is set aside, by each merchant with calls in it. */
  const busy = new Map<string, readonly Call[]>();
  /** Merchants whose locks were held when the writer last waited for them. */
  const blocked = new Set<string>();
  const nameOf = merchantOf ?? (() => '');
  const isUsual = () => busy.size === 0 && blocked.size === 0;
  const isFull = () => aside.size >= MOST_ASIDE;

  function mayBegin(call: Call): boolean {
    const merchant = nameOf(call);
    return !busy.has(merchant) && !(blocked.has(merchant) && isFull());
  }

  function merchantsOf(batch: readonly Call[]): Set<string> {
    return new Set(batch.map(nameOf));
  }

  function setAside(batch: Call[], work: Promise<Respond>, onReleased: () => void): void {
    const merchants = merchantsOf(batch);
    for (const merchant of merchants) busy.set(merchant, batch);
    const ended = work.then((respond) => {
      for (const merchant of merchants) if (busy.get(merchant) === batch) busy.delete(merchant);
      aside.delete(ended);
      respond();
      onReleased();
    });
    aside.add(ended);
  }

  return {
    mayTake: (queue) => (isUsual() ? queue.length > 0 : queue.some(mayBegin)),
    take(queue, most) {
      if (isUsual()) return queue.splice(0, most);
      const first = queue.find(mayBegin);
      if (first === undefined) return [];
      const alone = blocked.has(nameOf(first)) ? nameOf(first) : undefined;
      const fits = (call: Call) =>
        alone === undefined ? mayBegin(call) && !blocked.has(nameOf(call)) : nameOf(call) === alone;
      const taken = new Set(queue.filter(fits).slice(0, most));
      queue.splice(0, queue.length, ...queue.filter((call) => !taken.has(call)));
      return [...taken];
    },
    async run(batch, work, onReleased) {
      const running = work(batch);
      if (merchantOf === undefined || isFull()) return running;
      const isBlocked = batch.some((call) => blocked.has(nameOf(call)));
      const respond = isBlocked ? undefined : await inTime(running);
      if (respond) return respond;
      setAside(batch, running, onReleased);
      return nobodyWaits;
    },
    async apart(parts, work, onReleased) {
      const run = async (part: Call[]) => {
        (await work(part))();
        for (const merchant of merchantsOf(part)) busy.delete(merchant);
        onReleased();
      };
      await Promise.all(parts.map(run));
      return nobodyWaits;
    },
    byMerchant: (batch) => [...Map.groupBy(batch, nameOf).values()],
    learn(batch, isFree) {
      if (isFree && blocked.size === 0) return;
      for (const merchant of merchantsOf(batch)) {
        if (isFree) blocked.delete(merchant);
        else blocked.add(merchant);
      }
    },
    async drain() {
      await Promise.all(aside);
    },
  };
}

/** Returns undefined if the work has not ended in time. It uses a system timer, because a commit takes the machine's time. */
async function inTime<Result>(work: Promise<Result>): Promise<Result | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), USUAL_COMMIT_MS);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
