/** The lifetime of a simulated process, from its start to its kill. After its death, none of its code continues. */
export interface Life {
  readonly name: string;
  /** The error of the machine's clock against simulated time, in milliseconds. */
  skewMs: number;
  /** Until this time the machine does not run the process. */
  stalledUntil: number;
  /** Resolves when the machine runs the process again. Undefined unless the process is stalled. */
  standstill: Promise<void> | undefined;
  isAlive(): boolean;
  /** Calls `listener` when the process dies. Returns a function that removes the listener. */
  onDeath(listener: () => void): () => void;
  kill(): void;
  /** Settles with `promise`, but only while the process runs. Never settles after its death. */
  whileAlive<Result>(promise: Promise<Result>): Promise<Result>;
}

export function createLife(name: string): Life {
  let alive = true;
  const listeners = new Set<() => void>();
  const life: Life = {
    name,
    skewMs: 0,
    stalledUntil: 0,
    standstill: undefined,
    isAlive: () => alive,
    onDeath(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    kill() {
      if (!alive) return;
      alive = false;
      for (const listener of listeners) listener();
      listeners.clear();
    },
    whileAlive: (promise) =>
      new Promise((resolve, reject) => {
        const deliver = (settle: () => void): void => {
          if (!alive) return;
          if (life.standstill) void life.standstill.then(() => deliver(settle));
          else settle();
        };
        promise.then(
          (result) => deliver(() => resolve(result)),
          (error: unknown) => deliver(() => reject(error)),
        );
      }),
  };
  return life;
}
