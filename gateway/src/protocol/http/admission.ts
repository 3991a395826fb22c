/**
 * The limit on requests that this process handles at once. The gateway rejects further requests before it reads their
 * bodies or computes a signature. A rejection is therefore cheap, and admitted requests keep their latency under any
 * load. This file counts requests and must not know HTTP.
 */
import type { Clock } from '../../foundation/clock.ts';

/**
 * The requests that share a limit. Merchants' servers can retry. Payers wait in front of a page, so merchants must
 * not use up their places. `unlimited` requests are neither counted nor rejected: health checks, open streams, and
 * banks' notifications. Notifications have their own limit and finish payments that already began.
 */
export type TrafficClass = 'merchants' | 'payers' | 'unlimited';

type Limited = Exclude<TrafficClass, 'unlimited'>;

export interface AdmissionLimits {
  /** Requests that were received completely and have no answer yet. */
  readonly inFlight: Readonly<Record<Limited, number>>;
  /** Requests whose bytes are still arriving. */
  readonly arriving: number;
}

/**
 * Merchants: one process accepts at most five thousand requests a second. An answer under full load may take a tenth
 * of a second. The product is four full batches of the group commit, so the database never waits for the next batch.
 * A higher limit would only make every answer later.
 *
 * Payers: most requests wait seconds for a provider and use no processor time. This limit bounds memory.
 *
 * Arriving: a body may have 64 KiB, so all arriving bodies together have at most 64 MiB.
 */
export const ADMISSION_LIMITS: AdmissionLimits = { inFlight: { merchants: 512, payers: 2_048 }, arriving: 1_024 };

/**
 * The share of places below which the server reads rejected connections again. An answered client sends its next
 * request a moment later. Filling the last places would cause one rejection for each admitted request.
 */
const EASE = 3 / 4;

export interface Admission<Request extends object> {
  /** Returns false if the request is rejected. Otherwise the request counts as arriving. */
  enter(request: Request, trafficClass: TrafficClass): boolean;
  /** The complete request was received. */
  arrived(request: Request): void;
  /** The request was answered, or will never be. */
  leave(request: Request): void;
  /**
   * The number of rejected connections to read again after an answer: one, all (if no request is in flight), or none.
   */
  letIn(): number;
  /** Runs an external wait inside a merchant's request. The request does not count during the wait. */
  aside<Value>(wait: () => Promise<Value>): Promise<Value>;
  /** The same clock for handlers of merchants' requests. A request does not count while the clock sleeps. */
  sleepingAside(clock: Clock): Clock;
}

/**
 * `reject` receives the request that has been arriving longest, if too many are arriving. Rejecting the newest one
 * instead would let a few hundred silent connections lock out all clients. Honest requests arrive fast.
 */
export function createAdmission<Request extends object>(
  reject: (request: Request) => void,
  limits: AdmissionLimits = ADMISSION_LIMITS,
): Admission<Request> {
  /** Ordered by arrival, oldest first. */
  const arriving = new Map<Request, Limited>();
  const inFlight = { merchants: new Set<Request>(), payers: new Set<Request>() };
  let waitingAside = 0;

  function isFull(trafficClass: Limited): boolean {
    const aside = trafficClass === 'merchants' ? waitingAside : 0;
    return inFlight[trafficClass].size - aside >= limits.inFlight[trafficClass];
  }

  const admission: Admission<Request> = {
    enter(request, trafficClass) {
      if (trafficClass === 'unlimited') return true;
      if (isFull(trafficClass)) return false;
      arriving.set(request, trafficClass);
      if (arriving.size > limits.arriving) {
        const [slowest] = arriving.keys();
        if (slowest) {
          arriving.delete(slowest);
          reject(slowest);
        }
      }
      return true;
    },
    arrived(request) {
      const trafficClass = arriving.get(request);
      if (trafficClass === undefined) return;
      arriving.delete(request);
      inFlight[trafficClass].add(request);
    },
    leave(request) {
      if (!inFlight.merchants.delete(request) && !inFlight.payers.delete(request)) arriving.delete(request);
    },
    letIn() {
      const busy = inFlight.merchants.size - waitingAside;
      if (busy <= 0) return Number.POSITIVE_INFINITY;
      return busy < limits.inFlight.merchants * EASE ? 1 : 0;
    },
    async aside(wait) {
      waitingAside += 1;
      try {
        return await wait();
      } finally {
        waitingAside -= 1;
      }
    },
    sleepingAside: (clock) => ({
      now: () => clock.now(),
      sleep: (ms, signal) => admission.aside(() => clock.sleep(ms, signal)),
    }),
  };
  return admission;
}
