/** Adyen's own book: every transfer and each of its events. It does not contain a card number. */
import { BookEntries, repeated } from '../kernel/book-entries.ts';
import { type Conduct, type Mutation, type Status, stepsAtOnce } from './conducts.ts';

interface TransferEvent {
  readonly id: string;
  readonly status: Status;
  readonly bookingDate: string;
  readonly mutations: readonly Mutation[];
}

export interface CardHolder {
  readonly type: 'individual';
  readonly firstName: string;
  readonly lastName: string;
  readonly address?: Readonly<Record<string, string>>;
}

export interface Transfer {
  readonly id: string;
  readonly reference: string;
  readonly description: string;
  readonly currency: string;
  /** The amount in minor units. */
  readonly value: number;
  readonly cardHolder: CardHolder;
  /** Shows the first six and last four digits. */
  readonly maskedNumber: string;
  /** Empty if the request had no idempotency key. */
  readonly idempotencyKey: string;
  /** A digest of the request's bytes. */
  readonly requestDigest: string;
  readonly createdAt: string;
  readonly conduct: Conduct;
  /** The reason for a refusal, failure or return. Empty if the transfer has none of these. */
  readonly fate: string;
  readonly status: Status;
  readonly reason: string;
  readonly events: readonly TransferEvent[];
}

export interface BookEntry extends Transfer {
  readonly seq: number;
  readonly at: string;
}

export class Book extends BookEntries<BookEntry, string> {
  constructor() {
    super(({ id }) => id);
  }

  nextId(): string {
    return `SIMTRANSFER${String(this.size() + 1).padStart(5, '0')}`;
  }

  ofKey(idempotencyKey: string): BookEntry | undefined {
    return this.all().find((transfer) => idempotencyKey !== '' && transfer.idempotencyKey === idempotencyKey);
  }

  /** Returns its state in the response to its request, after the immediate steps. */
  asAnswered(id: string): BookEntry | undefined {
    return this.entries().find((entry) => entry.id === id && entry.events.length === 1 + stepsAtOnce(entry.conduct));
  }

  summary(): object {
    const all = this.all();
    const paid = all.filter(({ status }) => status === 'booked');
    const paidOut: Record<string, number> = {};
    for (const { currency, value } of paid) paidOut[currency] = (paidOut[currency] ?? 0) + value;
    return {
      transfers: all.length,
      booked: this.entries().filter(({ status }) => status === 'booked').length,
      refused: all.filter(({ status }) => status === 'refused').length,
      paid_out: paidOut,
      paid_over_once: repeated(paid.map(({ reference }) => reference)),
    };
  }
}
