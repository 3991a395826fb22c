/**
 * A clock that stands still until a test moves it. For tests and simulations only; no server may start with it.
 */
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

  /** How long each waiting timer still has to wait, shortest first. */
  delays(): number[] {
    return [...this.#waiting].map((waiting) => waiting.at - this.#now).sort((a, b) => a - b);
  }

  /** Moves the time forward and runs, in the order of their times, what falls due on the way. */
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
