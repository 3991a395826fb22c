/** Trustly's own book: every order and all its events. */
import { sumOf, toText } from '../kernel/amounts.ts';
import { BookEntries, repeated } from '../kernel/book-entries.ts';
import type { ConductName } from './conducts.ts';

export type OrderState = 'open' | 'pending' | 'credited' | 'debited' | 'cancelled';

export type EntryKind =
  | 'ordered'
  | 'authorised'
  | 'credited'
  | 'debited'
  | 'cancelled'
  | 'refunded'
  /** The client has acknowledged a notification. */
  | 'acknowledged';

/** A call that was processed. A repeat gets the first response and is not processed again. */
export interface CarriedOut {
  readonly uuid: string;
  /** A fingerprint of the entire call. */
  readonly fingerprint: string;
}

export interface Notification {
  readonly notificationId: string;
  readonly uuid: string;
  readonly method: 'pending' | 'credit' | 'debit' | 'cancel' | 'account';
  /** Empty for entries without an amount. */
  readonly amount: string;
}

export interface Order {
  readonly orderId: string;
  readonly messageId: string;
  readonly sessionId: string;
  readonly endUserId: string;
  readonly payer: string;
  readonly amount: string;
  readonly statement: string;
  readonly notificationUrl: string;
  readonly successUrl: string;
  readonly failUrl: string;
  readonly urlTarget: string;
  readonly state: OrderState;
  /** The behaviour of the payer, once they have acted. */
  readonly conduct: ConductName | null;
  /** The sum of all credits, before later debits. */
  readonly credited: string;
  readonly refunded: string;
}

export interface BookEntry extends Order {
  readonly seq: number;
  readonly kind: EntryKind;
  readonly at: string;
  /** The notification that this event causes, or that the client has acknowledged. */
  readonly notification: Notification | null;
  readonly call: CarriedOut | null;
  /** The refund that this entry records. */
  readonly refund: { readonly amount: string; readonly reference: string } | null;
}

const FIRST_ORDER_ID = 2_190_000_000;

export class Book extends BookEntries<BookEntry, string> {
  readonly #orderIds = new Map<string, string>();
  readonly #calls = new Map<string, BookEntry>();
  readonly #unacknowledged = new Map<string, BookEntry>();

  constructor() {
    super(({ orderId }) => orderId);
  }

  nextOrderId(): string {
    return String(FIRST_ORDER_ID + this.size());
  }

  ofMessage(messageId: string): BookEntry | undefined {
    return this.latest(this.#orderIds.get(messageId) ?? '');
  }

  /** Returns the call that was processed with that UUID. */
  ofCall(uuid: string): BookEntry | undefined {
    return this.#calls.get(uuid);
  }

  unacknowledged(): readonly BookEntry[] {
    return [...this.#unacknowledged.values()];
  }

  isAcknowledged(notificationId: string): boolean {
    return !this.#unacknowledged.has(notificationId);
  }

  ofKind(kind: EntryKind): readonly BookEntry[] {
    return this.entries().filter((entry) => entry.kind === kind);
  }

  summary(): object {
    const all = this.all();
    const inState = (state: OrderState) => all.filter((order) => order.state === state).length;
    const [credits, debits] = [this.ofKind('credited'), this.ofKind('debited')];
    const credited = sumOf(credits.map(({ notification }) => notification?.amount));
    const debited = sumOf(debits.map(({ notification }) => notification?.amount));
    const refunded = sumOf(all.map((order) => order.refunded));
    return {
      orders: all.length,
      open: inState('open'),
      pending: inState('pending'),
      cancelled: inState('cancelled'),
      credits: credits.length,
      credited_amount: toText(credited),
      debits: debits.length,
      refunds: this.ofKind('refunded').length,
      refunded_amount: toText(refunded),
      balance: toText(credited - debited - refunded),
      charged_over_once: repeated(credits.map(({ messageId }) => messageId)),
    };
  }

  override clear(): void {
    super.clear();
    for (const map of [this.#orderIds, this.#calls, this.#unacknowledged]) map.clear();
  }

  protected override register(entry: BookEntry): void {
    const { orderId, messageId, call, notification, kind } = entry;
    this.#orderIds.set(messageId, orderId);
    if (call !== null) this.#calls.set(call.uuid, entry);
    if (kind === 'acknowledged') this.#unacknowledged.delete(notification?.notificationId ?? '');
    else if (notification !== null) this.#unacknowledged.set(notification.notificationId, entry);
  }
}
