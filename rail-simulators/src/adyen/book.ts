/**
 * Adyen's own book: one entry for everything that happened to a payment, each a snapshot, so that a test can ask Adyen
 * itself whether a payer was charged twice. Holds no card number. In memory only; kernel/journal.ts makes it last.
 */
export interface WebhookEvent {
  readonly eventCode: string;
  readonly success: boolean;
  readonly pspReference: string;
  readonly originalReference: string;
  readonly merchantReference: string;
  readonly value: number;
  readonly reason: string;
}

export type State = 'authenticating' | 'pending' | 'authorised' | 'refused' | 'cancelled';

export type EntryKind =
  | 'opened'
  | 'waiting'
  | 'authorised'
  | 'refused'
  | 'cancelled'
  | 'refund_taken'
  | 'refunded'
  | 'refund_refused'
  | 'refund_failed'
  | 'charged_back'
  | 'chargeback_reversed'
  | 'capture_failed'
  | 'told';

export interface Payment {
  readonly pspReference: string;
  readonly reference: string;
  readonly currency: string;
  /** Minor units. */
  readonly value: number;
  readonly brand: string;
  readonly lastFour: string;
  readonly state: State;
  readonly refusalCode: string;
  /** Whether the client asked for that. */
  readonly isCapturedAtOnce: boolean;
  readonly isCaptured: boolean;
  /** Minor units that went back to the payer, by refunds and by chargebacks. */
  readonly refunded: number;
  readonly chargedBack: number;
}

export interface BookEntry extends Payment {
  /** Place in the book, from 1 without gaps. */
  readonly seq: number;
  readonly kind: EntryKind;
  readonly at: string;
  /** What the client is told of it; of an entry `told`, null. */
  readonly event: WebhookEvent | null;
  /** Of an entry `told`: the place of the one whose event was accepted. */
  readonly toldOf: number | null;
}

export interface BookSummary {
  readonly payments: number;
  readonly authorised: number;
  /** Captured less what went back, by currency, in minor units. */
  readonly balance: Readonly<Record<string, number>>;
  readonly refused: number;
  readonly refunds: number;
  readonly chargebacks: number;
  /** Each of the client's references under which more than one payment was authorised. */
  readonly references_authorised_over_one: readonly string[];
  /** Events that the client has not accepted yet. */
  readonly untold: number;
}

export class Book {
  #entries: BookEntry[] = [];
  readonly #latest = new Map<string, BookEntry>();
  readonly #byReference = new Map<string, string[]>();
  readonly #untold = new Map<number, BookEntry>();

  /** Adds what happened and gives it its place; the caller writes the entry to the journal before it answers. */
  add(entry: Omit<BookEntry, 'seq'>): BookEntry {
    const placed = { ...entry, seq: this.#entries.length + 1 };
    this.#entries.push(placed);
    if (!this.#latest.has(entry.pspReference)) this.#register(entry);
    this.#latest.set(entry.pspReference, placed);
    if (placed.event !== null) this.#untold.set(placed.seq, placed);
    if (placed.toldOf !== null) this.#untold.delete(placed.toldOf);
    return placed;
  }

  latest(pspReference: string): BookEntry | undefined {
    return this.#latest.get(pspReference);
  }

  /** The payments under the client's reference, as they stand now. */
  underReference(reference: string): readonly BookEntry[] {
    return (this.#byReference.get(reference) ?? []).flatMap((psp) => this.#latest.get(psp) ?? []);
  }

  /** The payments that are still to be decided. */
  pending(): readonly BookEntry[] {
    return [...this.#latest.values()].filter(({ state }) => state === 'pending');
  }

  untold(): readonly BookEntry[] {
    return [...this.#untold.values()];
  }

  /** At most `limit` entries that follow the place `after`, oldest first. */
  entriesAfter(after: number, limit: number): readonly BookEntry[] {
    return this.#entries.slice(after, after + limit);
  }

  get size(): number {
    return this.#entries.length;
  }

  summary(): BookSummary {
    const all = [...this.#latest.values()];
    const of = (kind: EntryKind) => this.#entries.filter((entry) => entry.kind === kind).length;
    const balance: Record<string, number> = {};
    for (const { isCaptured, currency, value, refunded, chargedBack } of all) {
      const kept = isCaptured ? value - refunded - chargedBack : 0;
      balance[currency] = (balance[currency] ?? 0) + kept;
    }
    const authorisedUnder = (reference: string) => this.underReference(reference).filter(wasAuthorised).length;
    return {
      payments: all.length,
      authorised: all.filter(wasAuthorised).length,
      balance,
      refused: all.filter(({ state }) => state === 'refused').length,
      refunds: of('refunded'),
      chargebacks: of('charged_back'),
      references_authorised_over_one: [...this.#byReference.keys()].filter((ours) => authorisedUnder(ours) > 1),
      untold: this.#untold.size,
    };
  }

  clear(): void {
    this.#entries = [];
    this.#latest.clear();
    this.#byReference.clear();
    this.#untold.clear();
  }

  #register({ reference, pspReference }: Payment): void {
    const known = this.#byReference.get(reference);
    if (known === undefined) this.#byReference.set(reference, [pspReference]);
    else known.push(pspReference);
  }
}

const wasAuthorised = ({ state }: Payment): boolean => state === 'authorised' || state === 'cancelled';
