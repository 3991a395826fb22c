/** STP's own book: every received transfer and every accepted order, with all their events. */
import { sumOf, toText } from '../kernel/amounts.ts';
import { BookEntries, repeated } from '../kernel/book-entries.ts';

/** `R` was received for the client, `E` was sent on the client's order. */
export type Direction = 'R' | 'E';

/** `L` released, `LQ` settled, `CCO` settled and confirmed by the client, `XD` to be returned, `D` returned, `CN` cancelled. */
export type Estado = 'L' | 'LQ' | 'CCO' | 'XD' | 'D' | 'CN';

export type EntryKind =
  | 'received'
  | 'confirmed'
  | 'return_requested'
  | 'returned'
  | 'contradicted'
  | 'order_accepted'
  | 'order_settled'
  | 'order_cancelled'
  | 'order_returned'
  | 'state_acknowledged';

export interface Transfer {
  readonly direction: Direction;
  /** As at STP, received transfers and orders are numbered separately, so one of each can have the same number. */
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
  /** 0 means a returned order, 1 a payment. */
  readonly tipoPago: 0 | 1;
  readonly estado: Estado;
  readonly causaDevolucion: number | null;
  readonly tsCaptura: number;
  readonly tsLiquidacion: number | null;
  /** The next automatic event. */
  readonly next: 'settle' | 'cancel' | 'settle_then_return' | 'return' | null;
  /** `due` until the client has accepted the notification of the last change. */
  readonly notification: 'none' | 'due' | 'accepted';
}

export interface BookEntry extends Transfer {
  readonly seq: number;
  readonly kind: EntryKind;
  readonly at: string;
}

const FIRST_ID = 10_000_000;

export class Book extends BookEntries<BookEntry, string> {
  readonly #byDate = new Map<string, string[]>();
  readonly #trackingKeys = new Set<string>();
  readonly #count = { R: 0, E: 0 };

  constructor() {
    super(keyOf);
  }

  nextId(direction: Direction): number {
    return FIRST_ID + this.#count[direction];
  }

  find(direction: Direction, id: number): BookEntry | undefined {
    return this.latest(keyOf({ direction, id }));
  }

  /** Returns the transfers of an operation date in their current state, in order of arrival. */
  ofDate(direction: Direction, fechaOperacion: string): readonly BookEntry[] {
    const keys = this.#byDate.get(`${direction} ${fechaOperacion}`) ?? [];
    return keys.flatMap((key) => this.latest(key) ?? []);
  }

  /** True if that bank has used the tracking key on that date. For the client's own orders, the bank is STP. */
  hasTrackingKey(institution: string, fechaOperacion: string, claveRastreo: string): boolean {
    return this.#trackingKeys.has(`${institution} ${fechaOperacion} ${claveRastreo}`);
  }

  summary(): object {
    const all = this.all();
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
      // Responses that contradict an earlier response to the same abono.
      contradictions: this.entries().filter(({ kind }) => kind === 'contradicted').length,
      orders: orders.length,
      orders_settled: settled.length,
      orders_settled_amount: toText(sum(settled)),
      orders_cancelled: orders.filter(({ estado }) => estado === 'CN').length,
      orders_returned: orders.filter(({ estado }) => estado === 'D').length,
      balance: toText(sum(received) + sum(back) - sum(givenBack) - sum(settled)),
      folios_settled_over_one: repeated(settled.map(({ folioOrigen }) => folioOrigen).filter((folio) => folio !== '')),
    };
  }

  override clear(): void {
    super.clear();
    this.#byDate.clear();
    this.#trackingKeys.clear();
    this.#count.R = 0;
    this.#count.E = 0;
  }

  protected override register(entry: BookEntry, before: BookEntry | undefined): void {
    if (before !== undefined) return;
    const { direction, fechaOperacion, claveRastreo, institucionContraparte } = entry;
    this.#count[direction] += 1;
    const date = `${direction} ${fechaOperacion}`;
    const keys = this.#byDate.get(date) ?? [];
    keys.push(keyOf(entry));
    this.#byDate.set(date, keys);
    const institution = direction === 'E' ? 'STP' : institucionContraparte;
    this.#trackingKeys.add(`${institution} ${fechaOperacion} ${claveRastreo}`);
  }
}

const keyOf = ({ direction, id }: Pick<Transfer, 'direction' | 'id'>): string => `${direction}${id}`;
const sum = (transfers: readonly Transfer[]): bigint => sumOf(transfers.map(({ monto }) => monto));
