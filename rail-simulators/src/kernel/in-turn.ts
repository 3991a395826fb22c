/** Runs the tasks of one key sequentially. Tasks of different keys run concurrently. */
export class InTurn<Key> {
  readonly #last = new Map<Key, Promise<void>>();

  run(key: Key, work: () => Promise<void>): Promise<void> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const done = before.then(work);
    this.#last.set(key, done);
    void done.then(() => {
      if (this.#last.get(key) === done) this.#last.delete(key);
    });
    return done;
  }

  stop(): void {
    this.#last.clear();
  }
}
