/**
 * Checks the promise of a short failover: a request that begins during the failover gets a late response, but no error
 * (docs/operations/high-availability.md). The promise covers only as many concurrent requests as a process admits.
 */
import type { Instant } from '../../src/foundation/clock.ts';
import type { Answer } from '../world/answer.ts';
import type { Life } from '../world/life.ts';
import type { World } from '../world/world.ts';
import type { Weather } from './weather.ts';

export interface FailoverPromise {
  /** Makes the database unreachable for `ms`. Every polling loop wakes before the failover ends. */
  begin(ms: number): void;
  /** Called when a request arrives at this process. The returned function checks its response. */
  ofRequest(life: Life, path: string): (answer: Answer) => void;
}

interface FailoverPromiseParts {
  readonly world: World;
  readonly weather: Weather;
  /** The running processes. */
  readonly lives: () => readonly Life[];
  /** The time at which the database becomes reachable again. */
  readonly awayUntil: () => Instant;
  readonly violated: (what: string) => void;
}

const WAKES_EVERY_MS = 250;
/** The longest pause before a statement is retried (storage/core/commits/group-commit.ts). */
const LONGEST_PAUSE_MS = 500;
const ANSWERED_WITHIN_MS = 3_000;

/** The number of merchant requests that a process handles concurrently (protocol/http/admission.ts). */
const MOST_IN_FLIGHT = 512;

/**
 * An injected request never counts as complete, so an internal error is reported as an invalid body
 * (protocol/http/http-server.ts).
 */
const NO_FAULT_OF_THE_REQUEST = /Temporary error|Invalid body/;

export function createFailoverPromise(parts: FailoverPromiseParts): FailoverPromise {
  const { world, weather, lives, awayUntil, violated } = parts;
  let endsAt: Instant = 0;
  const inFlight = new WeakMap<Life, number>();

  const count = (life: Life, change: number): number => {
    const requests = (inFlight.get(life) ?? 0) + change;
    inFlight.set(life, requests);
    return requests;
  };

  /** True if no other fault is active. */
  const isAlone = (): boolean =>
    weather.commitLost === 0 &&
    weather.statementMs === 0 &&
    awayUntil() === endsAt &&
    lives().every(({ skewMs, stalledUntil }) => skewMs === 0 && stalledUntil <= world.now());

  function wakeUntil(time: Instant): void {
    world.wakeUpTo(LONGEST_PAUSE_MS);
    if (world.now() < time) world.after(WAKES_EVERY_MS, () => wakeUntil(time));
  }

  return {
    begin(ms) {
      endsAt = world.now() + ms;
      wakeUntil(endsAt + ANSWERED_WITHIN_MS);
    },
    ofRequest(life, path) {
      const began = world.now();
      const promisedUntil = endsAt;
      const isAdmitted = count(life, 1) <= MOST_IN_FLIGHT;
      const isPromised = isAdmitted && began < promisedUntil && isAlone();
      return (answer) => {
        count(life, -1);
        const hasStalled = life.stalledUntil > began;
        if (!isPromised || answer === 'lost' || endsAt !== promisedUntil || hasStalled || !isAlone()) return;
        if (answer.status >= 500 || NO_FAULT_OF_THE_REQUEST.test(answer.body))
          violated(
            `${life.name} answered ${path} with ${answer.status} ${answer.body.slice(0, 80)} after ${world.now() - began} ms of a failover that ended at ${promisedUntil - began} ms`,
          );
      };
    },
  };
}
