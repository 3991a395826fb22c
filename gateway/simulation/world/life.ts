/** The life of a simulated process, from its start to its kill. No part of a dead process continues. */
export interface Life {
  readonly name: string;
  /** The difference of the machine's clock from the world's time, in milliseconds. */
  skewMs: number;
  /** Until then the machine does not run anything of the process. */
  stalledUntil: number;
  /** Resolves when the machine runs the process again. Undefined while it runs. */
  standstill: Promise<void> | undefined;
  isAlive(): boolean;
  /** Calls `listener` when the process dies. The returned function removes the listener. */
  onDeath(listener: () => void): () => void;
  kill(): void;
  /** Settles with `promise`, but only while the process is running. Never settles after it dies. */
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
