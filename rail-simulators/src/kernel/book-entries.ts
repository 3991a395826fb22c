/**
 * The entries of a book. Each is a snapshot of its object after an event, so that tests can query the provider's own record.
 * They are in memory only; book-file.ts persists them.
 */
import type { Placed } from './book-file.ts';

/** An entry before it gets a position. */
export type Unplaced<Entry> = Entry extends unknown ? Omit<Entry, 'seq'> : never;

export class BookEntries<Entry extends Placed, Key> {
  readonly #keyOf: (entry: Entry) => Key;
  readonly #entries: Entry[] = [];
  readonly #latest = new Map<Key, Entry>();

  /** `keyOf` returns the key of an entry's object. */
  constructor(keyOf: (entry: Entry) => Key) {
    this.#keyOf = keyOf;
  }

  /** Adds an entry and assigns its position. The caller writes it to the file before it responds. */
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

  /** Returns the latest state of each object, in the order of their first entries. */
  all(): readonly Entry[] {
    return [...this.#latest.values()];
  }

  /** Returns the number of objects. */
  size(): number {
    return this.#latest.size;
  }

  entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Returns at most `limit` entries after the position `after`, oldest first. */
  entriesAfter(after: number, limit: number): readonly Entry[] {
    return this.#entries.slice(after, after + limit);
  }

  clear(): void {
    this.#entries.length = 0;
    this.#latest.clear();
  }

  /** For a book's indexes: called with each new entry and the previous entry of the same object. */
  protected register(_entry: Entry, _before: Entry | undefined): void {}
}

/** Returns each value that occurs more than once. */
export function repeated(values: readonly string[]): string[] {
  const once = new Set<string>();
  return [...new Set(values.filter((value) => once.size === once.add(value).size))];
}

export function totalOf<Item>(items: readonly Item[], countOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + countOf(item), 0);
}

/** Returns each name under which money left more than once, summed over all its items. */
export function overOnce<Item extends { readonly executions: number }>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): string[] {
  const executions = new Map<string, number>();
  for (const item of items) executions.set(nameOf(item), (executions.get(nameOf(item)) ?? 0) + item.executions);
  return [...executions].filter(([, times]) => times > 1).map(([name]) => name);
}
