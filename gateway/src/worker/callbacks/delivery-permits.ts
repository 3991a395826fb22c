/** The permits that bound the callbacks in flight. They do not depend on callbacks or merchants. */

export interface Permit {
  /** Frees the place in the fast pool if the slow pool has space. Otherwise the request keeps its place. */
  moveToSlow(): void;
  release(): void;
}

export interface DeliveryPermits {
  acquire(): Promise<Permit>;
  inFlight(): { readonly fast: number; readonly slow: number };
}

/**
 * Limits the callbacks in flight. A request begins in the fast pool and moves to the slow pool when it takes too long. Hanging
 * servers thus fill the slow pool, while all other deliveries continue. A request waits in line while the fast pool is full.
 */
export function createDeliveryPermits(fastSize: number, slowSize: number): DeliveryPermits {
  let fast = 0;
  let slow = 0;
  const line: (() => void)[] = [];

  function freeFast(): void {
    const next = line.shift();
    if (next) next();
    else fast--;
  }

  function permit(): Permit {
    let pool: 'fast' | 'slow' | 'none' = 'fast';
    return {
      moveToSlow() {
        if (pool !== 'fast' || slow >= slowSize) return;
        pool = 'slow';
        slow++;
        freeFast();
      },
      release() {
        if (pool === 'slow') slow--;
        else if (pool === 'fast') freeFast();
        pool = 'none';
      },
    };
  }

  return {
    async acquire() {
      if (fast < fastSize) fast++;
      // A released permit passes its place to the next waiting request, so the count stays the same.
      else await new Promise<void>((resolve) => line.push(resolve));
      return permit();
    },
    inFlight: () => ({ fast, slow }),
  };
}
