/**
 * How many callbacks may be on the wire at once. Two pools: a request begins in the fast one and, when it has taken too
 * long, moves to the slow one, so that servers that hang fill a pool of their own while all others go on. Whoever finds
 * the fast pool full waits in line.
 */

export interface Permit {
  /** Frees the place in the fast pool if the slow one has room; without room the place stays taken. */
  moveToSlow(): void;
  release(): void;
}

export interface DeliveryPermits {
  acquire(): Promise<Permit>;
  inFlight(): { readonly fast: number; readonly slow: number };
}

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
      // The place is handed over by whoever leaves, so the count stays.
      else await new Promise<void>((resolve) => line.push(resolve));
      return permit();
    },
    inFlight: () => ({ fast, slow }),
  };
}
