/**
 * How many requests this process takes on at once. What comes beyond is refused before its body is read and before any
 * signature is computed: a refusal is cheap then, and whoever is let in is answered in time, however much more is asked
 * for than can be done. It counts, and knows nothing of HTTP.
 */
import type { Clock } from '../../foundation/clock.ts';

/**
 * Who shares a limit: merchants' servers, which can repeat; payers in front of a page, who must not be shut out by
 * them; and what neither counts nor is refused: health, streams that stay open, banks (who have a limit of their own,
 * and bring the end of what was begun).
 */
export type TrafficClass = 'merchants' | 'payers' | 'unlimited';

type Limited = Exclude<TrafficClass, 'unlimited'>;

export interface AdmissionLimits {
  /** Requests that are here whole and not yet answered. */
  readonly underWay: Readonly<Record<Limited, number>>;
  /** Requests that are still coming in. */
  readonly arriving: number;
}

/**
 * Merchants: the time that an answer may take under full load, a tenth of a second, times the five thousand a second
 * that one process accepts at its best. It is four full batches of the group commit, so that the database never waits
 * for the next one; more at once would make nobody faster, only everybody's answer later.
 *
 * Payers: most of theirs wait seconds for a provider and cost nothing meanwhile, so this bounds memory, not work.
 *
 * Arriving: a body may have 64 KiB, so all of them together 64 MiB.
 */
export const ADMISSION_LIMITS: AdmissionLimits = { underWay: { merchants: 512, payers: 2_048 }, arriving: 1_024 };

/**
 * Of the places. Whoever has been answered asks again a moment later: with the last places given away, one would be
 * refused for each that is let in.
 */
const EASE = 3 / 4;

export interface Admission<Request extends object> {
  /** False = refused. Otherwise the request counts as arriving. */
  enter(request: Request, trafficClass: TrafficClass): boolean;
  /** All of it is here. */
  arrived(request: Request): void;
  /** It has its answer, or will never have one. */
  leave(request: Request): void;
  /** How many who wait outside may be let in now that one is answered: one, all when nothing is left to do, or none. */
  letIn(): number;
  /** Waits for somebody else inside a merchant's request, which does not count meanwhile. */
  aside<Value>(wait: () => Promise<Value>): Promise<Value>;
  /** The same clock for what answers merchants' requests: while it sleeps, its request does not count. */
  sleepingAside(clock: Clock): Clock;
}

/**
 * `giveUp`: told of the request that has been arriving for longest, when one too many arrive. To refuse the newest
 * instead would let a few hundred silent connections shut everybody out; they are slow, and who is honest is not.
 */
export function createAdmission<Request extends object>(
  giveUp: (request: Request) => void,
  limits: AdmissionLimits = ADMISSION_LIMITS,
): Admission<Request> {
  /** Who began to arrive first comes first. */
  const arriving = new Map<Request, Limited>();
  const underWay = { merchants: new Set<Request>(), payers: new Set<Request>() };
  let waitingAside = 0;

  function isFull(trafficClass: Limited): boolean {
    const aside = trafficClass === 'merchants' ? waitingAside : 0;
    return underWay[trafficClass].size - aside >= limits.underWay[trafficClass];
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
          giveUp(slowest);
        }
      }
      return true;
    },
    arrived(request) {
      const trafficClass = arriving.get(request);
      if (trafficClass === undefined) return;
      arriving.delete(request);
      underWay[trafficClass].add(request);
    },
    leave(request) {
      if (!underWay.merchants.delete(request) && !underWay.payers.delete(request)) arriving.delete(request);
    },
    letIn() {
      const busy = underWay.merchants.size - waitingAside;
      if (busy <= 0) return Number.POSITIVE_INFINITY;
      return busy < limits.underWay.merchants * EASE ? 1 : 0;
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
