/**
 * Trustly's own book: every order and all that happened to it, so that a test can ask Trustly itself whether a payer was
 * charged, and how often. In memory only; kernel/journal.ts makes it last.
 */
import { toCents, toText } from './amounts.ts';
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

/** A call that was carried out: told again, it is answered as the first time and not processed. */
export interface CarriedOut {
  readonly uuid: string;
  /** Of all that the call said. */
  readonly fingerprint: string;
}

export interface Notification {
  readonly notificationId: string;
  readonly uuid: string;
  readonly method: 'pending' | 'credit' | 'debit' | 'cancel' | 'account';
  /** Empty for those without. */
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
  /** How its payer behaves, once he has acted. */
  readonly conduct: ConductName | null;
  /** All that was credited, not less what was taken back later. */
  readonly credited: string;
  readonly refunded: string;
}

/** A snapshot of an order right after something happened to it. */
export interface BookEntry extends Order {
  /** Place in the book, from 1 without gaps. */
  readonly seq: number;
  readonly kind: EntryKind;
  readonly at: string;
  /** What the client is to be told of it, or has acknowledged. */
  readonly notification: Notification | null;
  readonly call: CarriedOut | null;
}

export interface BookSummary {
  readonly orders: number;
  readonly open: number;
  readonly pending: number;
  readonly cancelled: number;
  readonly credits: number;
  readonly credited_amount: string;
  readonly debits: number;
  readonly refunds: number;
  readonly refunded_amount: string;
  /** What the client owns at Trustly: credited, less debited and refunded. */
  readonly balance: string;
  /** Each MessageID under which a payer was charged more than once. */
  readonly charged_over_once: readonly string[];
}

const firstOrderId = 2_190_000_000;

export class Book {
  #entries: BookEntry[] = [];
  readonly #latest = new Map<string, BookEntry>();
  readonly #orderIds = new Map<string, string>();
  readonly #calls = new Map<string, BookEntry>();
  readonly #unacknowledged = new Map<string, BookEntry>();

  /** Adds what happened and gives it its place; the caller writes the entry to the journal before it answers. */
  add(entry: Omit<BookEntry, 'seq'>): BookEntry {
    const placed = { ...entry, seq: this.#entries.length + 1 };
    const { orderId, messageId, call, notification, kind } = placed;
    this.#entries.push(placed);
    this.#latest.set(orderId, placed);
    this.#orderIds.set(messageId, orderId);
    if (call !== null) this.#calls.set(call.uuid, placed);
    if (kind === 'acknowledged') this.#unacknowledged.delete(notification?.notificationId ?? '');
    else if (notification !== null) this.#unacknowledged.set(notification.notificationId, placed);
    return placed;
  }

  get size(): number {
    return this.#entries.length;
  }

  nextOrderId(): string {
    return String(firstOrderId + this.#latest.size);
  }

  latest(orderId: string): BookEntry | undefined {
    return this.#latest.get(orderId);
  }

  ofMessage(messageId: string): BookEntry | undefined {
    return this.#latest.get(this.#orderIds.get(messageId) ?? '');
  }

  /** What was carried out under that UUID. */
  ofCall(uuid: string): BookEntry | undefined {
    return this.#calls.get(uuid);
  }

  latestOfAll(): IterableIterator<BookEntry> {
    return this.#latest.values();
  }

  unacknowledged(): readonly BookEntry[] {
    return [...this.#unacknowledged.values()];
  }

  isAcknowledged(notificationId: string): boolean {
    return !this.#unacknowledged.has(notificationId);
  }

  /** At most `limit` entries that follow the place `after`, oldest first. */
  entriesAfter(after: number, limit: number): readonly BookEntry[] {
    return this.#entries.slice(after, after + limit);
  }

  ofKind(kind: EntryKind): readonly BookEntry[] {
    return this.#entries.filter((entry) => entry.kind === kind);
  }

  summary(): BookSummary {
    const all = [...this.#latest.values()];
    const inState = (state: OrderState) => all.filter((order) => order.state === state).length;
    const [credits, debits] = [this.ofKind('credited'), this.ofKind('debited')];
    const credited = sum(credits.map(({ notification }) => notification?.amount));
    const debited = sum(debits.map(({ notification }) => notification?.amount));
    const refunded = sum(all.map((order) => order.refunded));
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

  clear(): void {
    this.#entries = [];
    for (const map of [this.#latest, this.#orderIds, this.#calls, this.#unacknowledged]) map.clear();
  }
}

export function sum(amounts: readonly (string | undefined)[]): bigint {
  return amounts.reduce((total, amount) => total + (toCents(amount ?? '') ?? 0n), 0n);
}

function repeated(values: readonly string[]): string[] {
  const once = new Set<string>();
  return [...new Set(values.filter((value) => once.size === once.add(value).size))];
}
