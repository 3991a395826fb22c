/** Adyen's own book: one entry for each event of a payment. It contains no card number. */
import { Snapshots } from '../kernel/snapshots.ts';

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
  /** Minor units. */
  readonly value: number;
  readonly brand: string;
  readonly lastFour: string;
  readonly state: State;
  readonly refusalCode: string;
  /** Whether the client requested immediate capture. */
  readonly isCapturedAtOnce: boolean;
  readonly isCaptured: boolean;
  /** In minor units: the sum of refunds and chargebacks. */
  readonly refunded: number;
  readonly chargedBack: number;
}

export interface BookEntry extends Payment {
  readonly seq: number;
  readonly kind: EntryKind;
  readonly at: string;
  /** The event that the client is notified of; null for an entry of kind `told`. */
  readonly event: WebhookEvent | null;
  /** For an entry of kind `told`: the position of the entry whose event was accepted. */
  readonly toldOf: number | null;
}

export class Book extends Snapshots<BookEntry, string> {
  readonly #byReference = new Map<string, string[]>();
  readonly #untold = new Map<number, BookEntry>();

  constructor() {
    super(({ pspReference }) => pspReference);
  }

  /** The payments under the client's reference, in their current state. */
  underReference(reference: string): readonly BookEntry[] {
    return (this.#byReference.get(reference) ?? []).flatMap((psp) => this.latest(psp) ?? []);
  }

  /** The payments without a decision. */
  pending(): readonly BookEntry[] {
    return this.all().filter(({ state }) => state === 'pending');
  }

  untold(): readonly BookEntry[] {
    return [...this.#untold.values()];
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
      untold: this.#untold.size,
    };
  }

  override clear(): void {
    super.clear();
    this.#byReference.clear();
    this.#untold.clear();
  }

  protected override register(entry: BookEntry, before: BookEntry | undefined): void {
    const { reference, pspReference, seq, event, toldOf } = entry;
    const known = this.#byReference.get(reference) ?? [];
    if (before === undefined) this.#byReference.set(reference, [...known, pspReference]);
    if (event !== null) this.#untold.set(seq, entry);
    if (toldOf !== null) this.#untold.delete(toldOf);
  }
}

const wasAuthorised = ({ state }: Payment): boolean => state === 'authorised' || state === 'cancelled';
