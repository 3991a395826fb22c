/** A clock that moves only when a test advances it. For tests and simulations only; no server may start with it. */
import type { Clock } from './clock.ts';

interface Waiting {
  readonly at: number;
  readonly run: () => void;
}

export class ManualClock implements Clock {
  #now: number;
  readonly #waiting = new Set<Waiting>();

  constructor(now: number = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): () => void {
    const waiting = { at: this.#now + delayMs, run };
    this.#waiting.add(waiting);
    return () => void this.#waiting.delete(waiting);
  }

  /** Returns the remaining time of each waiting timer, shortest first. */
  delays(): number[] {
    return [...this.#waiting].map((waiting) => waiting.at - this.#now).sort((a, b) => a - b);
  }

  /** Advances the time and runs the timers that become due, in order of their times. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (let next = this.#nextUntil(end); next !== undefined; next = this.#nextUntil(end)) {
      this.#waiting.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = end;
  }

  #nextUntil(end: number): Waiting | undefined {
    let next: Waiting | undefined;
    for (const waiting of this.#waiting) {
      if (waiting.at <= end && (next === undefined || waiting.at < next.at)) next = waiting;
    }
    return next;
  }
}
