/**
 * What a book is made of: entries in their places, each a snapshot of what it is about right after something happened to it, so
 * that a test can ask the provider itself what it did, and how often. In memory only; journal.ts makes it last.
 */
import type { Placed } from './journal.ts';

/** An entry that has no place yet. */
export type Unplaced<Entry> = Entry extends unknown ? Omit<Entry, 'seq'> : never;

export class Snapshots<Entry extends Placed, Key> {
  readonly #keyOf: (entry: Entry) => Key;
  readonly #entries: Entry[] = [];
  readonly #latest = new Map<Key, Entry>();

  /** `keyOf`: what an entry is about. */
  constructor(keyOf: (entry: Entry) => Key) {
    this.#keyOf = keyOf;
  }

  /** Adds what happened and gives it its place; the caller writes the entry to the journal before it answers. */
  add<Added extends Entry>(entry: Unplaced<Added>): Added {
    const placed = { ...entry, seq: this.#entries.length + 1 } as unknown as Added;
    this.register(placed, this.#latest.get(this.#keyOf(placed)));
    this.#entries.push(placed);
    this.#latest.set(this.#keyOf(placed), placed);
    return placed;
  }

  latest(key: Key): Entry | undefined {
    return this.#latest.get(key);
  }

  /** Each as it stands, in the order in which they were taken. */
  all(): readonly Entry[] {
    return [...this.#latest.values()];
  }

  /** Of how many things it tells. */
  size(): number {
    return this.#latest.size;
  }

  entries(): readonly Entry[] {
    return this.#entries;
  }

  /** At most `limit` entries that follow the place `after`, oldest first. */
  entriesAfter(after: number, limit: number): readonly Entry[] {
    return this.#entries.slice(after, after + limit);
  }

  clear(): void {
    this.#entries.length = 0;
    this.#latest.clear();
  }

  /** For the indexes of a book that has some: an entry that is about to be added, and what it follows. */
  protected register(_entry: Entry, _before: Entry | undefined): void {}
}

/** Each value that is there more than once. */
export function repeated(values: readonly string[]): string[] {
  const once = new Set<string>();
  return [...new Set(values.filter((value) => once.size === once.add(value).size))];
}

export function totalOf<Item>(items: readonly Item[], countOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + countOf(item), 0);
}

/** Each name under which money left more than once, over all that bear it. */
export function overOnce<Item extends { readonly executions: number }>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): string[] {
  const executions = new Map<string, number>();
  for (const item of items) executions.set(nameOf(item), (executions.get(nameOf(item)) ?? 0) + item.executions);
  return [...executions].filter(([, times]) => times > 1).map(([name]) => name);
}
