/**
 * STP's own book: every transfer received and every order taken, with all that happened to it, so that a test can ask
 * STP itself where money is. In memory only; kernel/journal.ts makes it last.
 */
import { toCents, toText } from './amounts.ts';

/** `R` was received for the client, `E` was sent by its order. */
export type Direction = 'R' | 'E';

/**
 * `L` released, `LQ` settled, `CCO` settled and confirmed by the client, `XD` to be given back, `D` given back, `CN`
 * cancelled.
 */
export type Estado = 'L' | 'LQ' | 'CCO' | 'XD' | 'D' | 'CN';

export type EntryKind =
  | 'received'
  | 'confirmed'
  | 'return_asked'
  | 'returned'
  | 'contradicted'
  | 'order_taken'
  | 'order_settled'
  | 'order_cancelled'
  | 'order_returned'
  | 'state_accepted';

export interface Transfer {
  readonly direction: Direction;
  /** Counted apart for received transfers and for orders, as at STP: the same number can be one of each. */
  readonly id: number;
  readonly fechaOperacion: string;
  readonly claveRastreo: string;
  readonly folioOrigen: string;
  readonly institucionContraparte: string;
  readonly monto: string;
  readonly nombreOrdenante: string;
  readonly cuentaOrdenante: string;
  readonly rfcCurpOrdenante: string;
  readonly nombreBeneficiario: string;
  readonly cuentaBeneficiario: string;
  readonly conceptoPago: string;
  readonly referenciaNumerica: string;
  /** 0 is an order that came back, 1 a payment. */
  readonly tipoPago: 0 | 1;
  readonly estado: Estado;
  readonly causaDevolucion: number | null;
  readonly tsCaptura: number;
  readonly tsLiquidacion: number | null;
  /** What happens next by itself. */
  readonly next: 'settle' | 'cancel' | 'settle_then_return' | 'return' | null;
  /** `due` until the client has accepted what tells of the last change. */
  readonly notification: 'none' | 'due' | 'accepted';
}

/** A snapshot of a transfer right after something happened to it. */
export interface BookEntry extends Transfer {
  /** Place in the book, from 1 without gaps. */
  readonly seq: number;
  readonly kind: EntryKind;
  readonly at: string;
}

export interface BookSummary {
  readonly received: number;
  readonly received_amount: string;
  /** Received and not answered yet: neither confirmed nor given back. */
  readonly unanswered: number;
  readonly confirmed: number;
  readonly given_back: number;
  readonly given_back_amount: string;
  /** Answers that contradict an earlier one about the same abono. */
  readonly contradictions: number;
  readonly orders: number;
  readonly orders_settled: number;
  readonly orders_settled_amount: string;
  readonly orders_cancelled: number;
  readonly orders_returned: number;
  /** What the client owns at STP: received and not given back, less what its orders took and did not bring back. */
  readonly balance: string;
  /** Each folioOrigen under which more than one order was settled. */
  readonly folios_settled_over_one: readonly string[];
}

const firstId = 10_000_000;

export class Book {
  #entries: BookEntry[] = [];
  readonly #latest = new Map<string, BookEntry>();
  readonly #byDate = new Map<string, string[]>();
  readonly #trackingKeys = new Set<string>();
  readonly #count = { R: 0, E: 0 };
  #contradictions = 0;

  /** Adds what happened and gives it its place; the caller writes the entry to the journal before it answers. */
  add(entry: Omit<BookEntry, 'seq'>): BookEntry {
    const placed = { ...entry, seq: this.#entries.length + 1 };
    const key = keyOf(entry.direction, entry.id);
    if (!this.#latest.has(key)) this.#register(key, entry);
    if (entry.kind === 'contradicted') this.#contradictions += 1;
    this.#entries.push(placed);
    this.#latest.set(key, placed);
    return placed;
  }

  nextId(direction: Direction): number {
    return firstId + this.#count[direction];
  }

  latest(direction: Direction, id: number): BookEntry | undefined {
    return this.#latest.get(keyOf(direction, id));
  }

  latestOfAll(): IterableIterator<BookEntry> {
    return this.#latest.values();
  }

  /** The transfers of an operation date, as they stand now, in the order in which they came. */
  ofDate(direction: Direction, fechaOperacion: string): readonly BookEntry[] {
    const keys = this.#byDate.get(`${direction} ${fechaOperacion}`) ?? [];
    return keys.flatMap((key) => this.#latest.get(key) ?? []);
  }

  /** Whether that bank has used the tracking key on that date; ours is STP. */
  hasTrackingKey(institution: string, fechaOperacion: string, claveRastreo: string): boolean {
    return this.#trackingKeys.has(`${institution} ${fechaOperacion} ${claveRastreo}`);
  }

  /** At most `limit` entries that follow the place `after`, oldest first. */
  entriesAfter(after: number, limit: number): readonly BookEntry[] {
    return this.#entries.slice(after, after + limit);
  }

  summary(): BookSummary {
    const all = [...this.#latest.values()];
    const received = all.filter(({ direction, tipoPago }) => direction === 'R' && tipoPago === 1);
    const back = all.filter(({ tipoPago }) => tipoPago === 0);
    const orders = all.filter(({ direction }) => direction === 'E');
    const givenBack = received.filter(({ estado }) => estado === 'D');
    const settled = orders.filter(({ estado }) => estado === 'LQ' || estado === 'D');
    return {
      received: received.length,
      received_amount: toText(sum(received)),
      unanswered: received.filter(({ estado }) => estado === 'LQ').length,
      confirmed: received.filter(({ estado }) => estado === 'CCO').length,
      given_back: givenBack.length,
      given_back_amount: toText(sum(givenBack)),
      contradictions: this.#contradictions,
      orders: orders.length,
      orders_settled: settled.length,
      orders_settled_amount: toText(sum(settled)),
      orders_cancelled: orders.filter(({ estado }) => estado === 'CN').length,
      orders_returned: orders.filter(({ estado }) => estado === 'D').length,
      balance: signed(sum(received) + sum(back) - sum(givenBack) - sum(settled)),
      folios_settled_over_one: repeated(settled.map(({ folioOrigen }) => folioOrigen).filter((folio) => folio !== '')),
    };
  }

  clear(): void {
    this.#entries = [];
    this.#latest.clear();
    this.#byDate.clear();
    this.#trackingKeys.clear();
    this.#count.R = 0;
    this.#count.E = 0;
    this.#contradictions = 0;
  }

  #register(key: string, entry: Omit<BookEntry, 'seq'>): void {
    const { direction, fechaOperacion, claveRastreo, institucionContraparte } = entry;
    this.#count[direction] += 1;
    const date = `${direction} ${fechaOperacion}`;
    const keys = this.#byDate.get(date);
    if (keys === undefined) this.#byDate.set(date, [key]);
    else keys.push(key);
    const institution = direction === 'E' ? 'STP' : institucionContraparte;
    this.#trackingKeys.add(`${institution} ${fechaOperacion} ${claveRastreo}`);
  }
}

const keyOf = (direction: Direction, id: number): string => `${direction}${id}`;
const sum = (transfers: readonly Transfer[]): bigint =>
  transfers.reduce((total, { monto }) => total + (toCents(monto) ?? 0n), 0n);
const signed = (cents: bigint): string => (cents < 0n ? `-${toText(-cents)}` : toText(cents));

function repeated(values: readonly string[]): string[] {
  const once = new Set<string>();
  return [...new Set(values.filter((value) => once.size === once.add(value).size))];
}
