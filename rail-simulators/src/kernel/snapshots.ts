/**
 * What a book is made of: entries in their places, each a snapshot of what it is about right after something happened to it. In
 * memory only; journal.ts makes it last.
 */
import type { Placed } from './journal.ts';

export class Snapshots<Entry extends Placed, Key> {
  readonly #keyOf: (entry: Entry) => Key;
  #entries: Entry[] = [];
  readonly #latest = new Map<Key, Entry>();

  /** `keyOf`: what an entry is about. */
  constructor(keyOf: (entry: Entry) => Key) {
    this.#keyOf = keyOf;
  }

  /** Adds what happened and gives it its place; the caller writes the entry to the journal before it answers. */
  add(entry: Omit<Entry, 'seq'>): Entry {
    const placed = { ...entry, seq: this.#entries.length + 1 } as Entry;
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
    this.#entries = [];
    this.#latest.clear();
  }
}

/** Each value that is there more than once. */
export function repeated(values: readonly string[]): string[] {
  const once = new Set<string>();
  return [...new Set(values.filter((value) => once.size === once.add(value).size))];
}
