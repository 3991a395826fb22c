/** Adyen's own book: one entry per event of a payment. It contains no card number. */
import { BookEntries } from '../kernel/book-entries.ts';

export type State = 'authenticating' | 'pending' | 'authorised' | 'refused' | 'cancelled';

export type EntryKind =
  | 'opened'
  | 'waiting'
  | 'authorised'
  | 'refused'
  | 'cancelled'
  | 'refund_accepted'
  | 'refunded'
  | 'refund_refused'
  | 'refund_failed'
  | 'charged_back'
  | 'chargeback_reversed'
  | 'capture_failed'
  | 'acknowledged';

export interface WebhookEvent {
  readonly eventCode: string;
  readonly success: boolean;
  readonly pspReference: string;
  readonly originalReference: string;
  readonly merchantReference: string;
  readonly value: number;
  readonly reason: string;
}

export interface Payment {
  readonly pspReference: string;
  readonly reference: string;
  readonly currency: string;
  /** The amount in minor units. */
  readonly value: number;
  readonly brand: string;
  readonly lastFour: string;
  readonly state: State;
  readonly refusalCode: string;
  /** True if the client requested immediate capture. */
  readonly isCapturedAtOnce: boolean;
  readonly isCaptured: boolean;
  /** The sum of refunds and chargebacks in minor units. */
  readonly refunded: number;
  readonly chargedBack: number;
}

export interface BookEntry extends Payment {
  readonly seq: number;
  readonly kind: EntryKind;
  readonly at: string;
  /** The event of which the client is notified. Null for an entry of kind `acknowledged`. */
  readonly event: WebhookEvent | null;
  /** For an entry of kind `acknowledged`: the position of the entry whose notification the client acknowledged. */
  readonly acknowledges: number | null;
}

export class Book extends BookEntries<BookEntry, string> {
  readonly #byReference = new Map<string, string[]>();
  readonly #unacknowledged = new Map<number, BookEntry>();

  constructor() {
    super(({ pspReference }) => pspReference);
  }

  /** Returns the payments with the client's reference, in their current state. */
  underReference(reference: string): readonly BookEntry[] {
    return (this.#byReference.get(reference) ?? []).flatMap((psp) => this.latest(psp) ?? []);
  }

  /** Returns the payments without a decision. */
  pending(): readonly BookEntry[] {
    return this.all().filter(({ state }) => state === 'pending');
  }

  unacknowledged(): readonly BookEntry[] {
    return [...this.#unacknowledged.values()];
  }

  summary(): object {
    const all = this.all();
    const of = (kind: EntryKind) => this.entries().filter((entry) => entry.kind === kind).length;
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
      unacknowledged: this.#unacknowledged.size,
    };
  }

  override clear(): void {
    super.clear();
    this.#byReference.clear();
    this.#unacknowledged.clear();
  }

  protected override register(entry: BookEntry, before: BookEntry | undefined): void {
    const { reference, pspReference, seq, event, acknowledges } = entry;
    const known = this.#byReference.get(reference) ?? [];
    if (before === undefined) this.#byReference.set(reference, [...known, pspReference]);
    if (event !== null) this.#unacknowledged.set(seq, entry);
    if (acknowledges !== null) this.#unacknowledged.delete(acknowledges);
  }
}

const wasAuthorised = ({ state }: Payment): boolean => state === 'authorised' || state === 'cancelled';
