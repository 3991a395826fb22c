/**
 * Generates load over keep-alive connections. In a closed loop, each connection sends its next request after its response. In
 * an open loop, requests are due at a fixed rate, independently of the server. Latency counts from the due time, so a server
 * that stalls cannot hide it. If no connection becomes free in time, the request is counted as unsent.
 */
import { type Connection, openConnection } from './http-connection.ts';
import { type Latency, latencyOf, Samples } from './latency.ts';
import { monotonicMs } from './monotonic-clock.ts';

/** Good is the expected response, shed is a rejection by load shedding (429) without effect, and bad is any other response. */
export type Verdict = 'good' | 'shed' | 'bad';

export interface Load {
  readonly url: URL;
  /** Returns the bytes of the next request, or undefined to end the load. */
  readonly next: () => Buffer | undefined;
  readonly connections: number;
  readonly durationMs: number;
  /** Requests per second over all connections. If undefined, the load is a closed loop. */
  readonly rate?: number;
  readonly judge: (status: number, text: string) => Verdict;
  /** Called for each good response, with the request's number (from 0), its due time and the response's time. */
  readonly onGood?: (request: number, dueAtMs: number, answeredAtMs: number) => void;
}

export interface LoadResult {
  readonly sent: number;
  readonly good: number;
  readonly shed: number;
  readonly bad: number;
  /** The number of requests whose connection broke before the response. */
  readonly dropped: number;
  /** The number of requests of an open loop that were never sent, because no connection was free. */
  readonly unsent: number;
  readonly elapsedMs: number;
  /** The number of good responses per second. */
  readonly rate: number;
  /** The latency of successful responses. */
  readonly latencyMs: Latency;
  /** The text of one bad response, if there was one. */
  readonly complaint?: string;
}

/** How long a request of an open loop waits for a connection. */
const PATIENCE_MS = 5_000;
/** How long the load waits for the last responses. */
const LAST_ANSWERS_MS = 30_000;

export function runLoad(load: Load): Promise<LoadResult> {
  return new LoadRun(load).run();
}

interface Exchange {
  readonly index: number;
  readonly dueAt: number;
}

class LoadRun {
  readonly #load: Load;
  readonly #latencies = new Samples();
  readonly #counts = { sent: 0, good: 0, shed: 0, bad: 0, dropped: 0, unsent: 0 };
  readonly #idle: Connection[] = [];
  readonly #inFlight = new Map<Connection, Exchange>();
  readonly #intervalMs: number;
  #startedAt = 0;
  #lastAnswerAt = 0;
  #due = 0;
  #index = 0;
  #isOut = false;
  #open = 0;
  #complaint: string | undefined;
  #finish: () => void = () => {};

  constructor(load: Load) {
    this.#load = load;
    this.#intervalMs = load.rate === undefined ? 0 : 1_000 / load.rate;
  }

  async run(): Promise<LoadResult> {
    const { url, connections, durationMs } = this.#load;
    const events = {
      onAnswer: (status: number, text: string, connection: Connection) => this.#onAnswer(status, text, connection),
      onBroken: (connection: Connection) => this.#onBroken(connection),
    };
    for (let opened = 0; opened < connections; opened++) this.#idle.push(await openConnection(url, events));
    this.#open = connections;
    const all = [...this.#idle];
    this.#startedAt = monotonicMs();
    const finished = new Promise<void>((resolve) => {
      this.#finish = resolve;
    });
    const giveUp = setTimeout(() => this.#finish(), durationMs + LAST_ANSWERS_MS);
    this.#tick();
    await finished;
    clearTimeout(giveUp);
    for (const connection of all) connection.close();
    return this.#result();
  }

  /** Sends due requests over idle connections, then schedules itself for the next due time. */
  #tick(): void {
    while (!this.#isOver() && this.#idle.length > 0 && this.#isDue()) this.#send(this.#idle.pop() as Connection);
    if (this.#isOver()) {
      if (this.#inFlight.size === 0) this.#finish();
      return;
    }
    if (this.#intervalMs === 0) return;
    this.#giveUpLate();
    const aheadMs = this.#dueAt() - monotonicMs();
    setTimeout(() => this.#tick(), Math.max(1, aheadMs));
  }

  #dueAt(): number {
    return this.#startedAt + this.#due * this.#intervalMs;
  }

  #isDue(): boolean {
    return this.#intervalMs === 0 || this.#dueAt() <= monotonicMs();
  }

  #isOver(): boolean {
    const at = this.#intervalMs === 0 ? monotonicMs() : this.#dueAt();
    return this.#isOut || this.#open === 0 || at >= this.#startedAt + this.#load.durationMs;
  }

  #giveUpLate(): void {
    const late = monotonicMs() - PATIENCE_MS;
    while (!this.#isOver() && this.#dueAt() < late) {
      this.#due += 1;
      this.#counts.unsent += 1;
    }
  }

  #send(connection: Connection): void {
    const request = this.#load.next();
    if (request === undefined) {
      this.#isOut = true;
      this.#idle.push(connection);
      return;
    }
    const dueAt = this.#intervalMs === 0 ? monotonicMs() : this.#dueAt();
    this.#due += 1;
    this.#inFlight.set(connection, { index: this.#index++, dueAt });
    this.#counts.sent += 1;
    connection.send(request);
  }

  #onAnswer(status: number, text: string, connection: Connection): void {
    const now = monotonicMs();
    const exchange = this.#inFlight.get(connection);
    if (exchange === undefined) return;
    this.#inFlight.delete(connection);
    this.#lastAnswerAt = now;
    const verdict = this.#load.judge(status, text);
    this.#counts[verdict] += 1;
    if (verdict === 'good') {
      this.#latencies.add(now - exchange.dueAt);
      this.#load.onGood?.(exchange.index, exchange.dueAt, now);
    } else if (verdict === 'bad') this.#complaint ??= text;
    if (!this.#isOver() && this.#isDue()) this.#send(connection);
    else this.#idle.push(connection);
    this.#finishIfOver();
  }

  #onBroken(connection: Connection): void {
    this.#open -= 1;
    if (this.#inFlight.delete(connection)) this.#counts.dropped += 1;
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
    this.#finishIfOver();
  }

  #finishIfOver(): void {
    if (this.#inFlight.size === 0 && this.#isOver()) this.#finish();
  }

  #result(): LoadResult {
    const elapsedMs = this.#lastAnswerAt - this.#startedAt;
    return {
      ...this.#counts,
      dropped: this.#counts.dropped + this.#inFlight.size,
      elapsedMs,
      rate: elapsedMs > 0 ? (this.#counts.good / elapsedMs) * 1_000 : 0,
      latencyMs: latencyOf(this.#latencies.toArray()),
      ...(this.#complaint === undefined ? {} : { complaint: this.#complaint }),
    };
  }
}
