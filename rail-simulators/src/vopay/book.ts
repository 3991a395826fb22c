/**
 * VoPay's own book: every transaction and all that happened to it, so that a test can ask VoPay itself whether a payer was
 * charged, and how often. In memory only; kernel/journal.ts makes it last.
 */
import { sumOf, toCents, toText } from './amounts.ts';

/** The words of VoPay's description; `wording.ts` has the others. */
export type Status =
  | 'pending'
  | 'requested'
  | 'request fulfilled'
  | 'successful'
  | 'cancellation requested'
  | 'failed'
  | 'cancelled';

export type TransactionType = 'Interac Money Request' | 'Interac Bulk Payout';

export type EntryKind =
  | 'taken'
  | 'confirmed'
  | 'sent'
  /** The payer has accepted, or the recipient of a refund has answered. */
  | 'accepted'
  /** Money moved: to the client for a money request, to the payer for a refund. */
  | 'credited'
  | 'wrong_answer'
  | 'calling_back'
  | 'ended';

export interface Transaction {
  readonly id: number;
  readonly type: TransactionType;
  /** The money request that a refund gives back; null for a money request and for a payout. */
  readonly parentId: number | null;
  readonly reference: string;
  readonly idempotencyKey: string;
  readonly amount: string;
  readonly email: string;
  readonly name: string;
  readonly message: string;
  readonly notes: string;
  /** What the recipient of a payout is asked; empty for all others. */
  readonly question: string;
  /** To the question of a payout or a refund; empty for a money request. */
  readonly answer: string;
  /** How many days a payout waits for its recipient; null for all others. */
  readonly lifeDays: number | null;
  readonly wrongAnswers: number;
  /** Not processed until it is confirmed. */
  readonly flag: string;
  readonly takenAt: string;
  readonly status: Status;
  /** `901 - NSF`; empty while nothing has failed. */
  readonly failureReason: string;
  /** What the payer's bank will do, once he has accepted. */
  readonly conduct: string;
}

/** A snapshot of a transaction right after something happened to it. */
export interface BookEntry extends Transaction {
  /** Place in the book, from 1 without gaps. */
  readonly seq: number;
  readonly kind: EntryKind;
  readonly at: string;
}

export interface BookSummary {
  readonly money_requests: number;
  readonly waiting: number;
  readonly ended: number;
  readonly credits: number;
  readonly credited_amount: string;
  readonly refunds: number;
  readonly refunds_deposited: number;
  readonly refunded_amount: string;
  /** What payers have paid, less what went back to them. */
  readonly balance: string;
  readonly payouts: number;
  readonly payouts_deposited: number;
  readonly paid_out_amount: string;
  /** What the client can pay out. */
  readonly available: string;
  /** Each note under which a payout was deposited more than once. */
  readonly paid_out_over_once: readonly string[];
  /** Each reference under which a payer was charged more than once. */
  readonly charged_over_once: readonly string[];
}

const firstId = 4_370_001;

export class Book {
  #entries: BookEntry[] = [];
  readonly #latest = new Map<number, BookEntry>();
  readonly #keys = new Map<string, number>();
  readonly #float: bigint;

  /** `float`: what the client has put in for payouts. */
  constructor(float = '') {
    this.#float = toCents(float) ?? 0n;
  }

  /** Adds what happened and gives it its place; the caller writes the entry to the journal before it answers. */
  add(entry: Omit<BookEntry, 'seq'>): BookEntry {
    const placed = { ...entry, seq: this.#entries.length + 1 };
    this.#entries.push(placed);
    this.#latest.set(placed.id, placed);
    if (placed.idempotencyKey !== '') this.#keys.set(placed.idempotencyKey, placed.id);
    return placed;
  }

  nextId(): number {
    return firstId + this.#latest.size;
  }

  latest(id: number): BookEntry | undefined {
    return this.#latest.get(id);
  }

  /** As it was when it was taken. */
  firstOf(id: number): BookEntry | undefined {
    return this.#entries.find((entry) => entry.id === id);
  }

  ofKey(idempotencyKey: string): BookEntry | undefined {
    return this.#latest.get(this.#keys.get(idempotencyKey) ?? 0);
  }

  /** Undefined where nothing or more than one thing bears the reference. */
  moneyRequestOf(reference: string): BookEntry | undefined {
    const found = this.moneyRequests().filter((request) => request.reference === reference);
    return found.length === 1 ? found[0] : undefined;
  }

  moneyRequests(): readonly BookEntry[] {
    return this.all().filter(({ type }) => type === 'Interac Money Request');
  }

  /** Undefined where nothing or more than one thing bears the reference. */
  payoutOf(reference: string): BookEntry | undefined {
    const found = this.payouts().filter((payout) => payout.reference === reference);
    return found.length === 1 ? found[0] : undefined;
  }

  payouts(): readonly BookEntry[] {
    return this.#eTransfers().filter(({ parentId }) => parentId === null);
  }

  /** In cents: what an e-transfer holds that waits for its recipient is the client's no more. */
  available(): bigint {
    return this.#float + this.#credited() - sumOf(standing(this.#eTransfers()).map(({ amount }) => amount));
  }

  refundsOf(id: number): readonly BookEntry[] {
    return this.all().filter(({ parentId }) => parentId === id);
  }

  all(): readonly BookEntry[] {
    return [...this.#latest.values()];
  }

  /** At most `limit` entries that follow the place `after`, oldest first. */
  entriesAfter(after: number, limit: number): readonly BookEntry[] {
    return this.#entries.slice(after, after + limit);
  }

  summary(): BookSummary {
    const requests = this.moneyRequests();
    const refunds = this.#eTransfers().filter(({ parentId }) => parentId !== null);
    const payouts = this.payouts();
    const credits = this.#credits();
    const deposited = refunds.filter(({ status }) => status === 'successful');
    const paidOut = payouts.filter(({ status }) => status === 'successful');
    const deposits = this.#entries.filter(({ kind, type }) => kind === 'credited' && type === 'Interac Bulk Payout');
    return {
      money_requests: requests.length,
      waiting: requests.filter(({ status }) => status === 'pending' || status === 'requested').length,
      ended: requests.filter(({ status }) => status === 'failed' || status === 'cancelled').length,
      credits: credits.length,
      credited_amount: toText(this.#credited()),
      refunds: refunds.length,
      refunds_deposited: deposited.length,
      refunded_amount: toText(sumOf(deposited.map(({ amount }) => amount))),
      balance: toText(this.#credited() - sumOf(standing(refunds).map(({ amount }) => amount))),
      charged_over_once: repeated(credits.map(({ reference }) => reference)),
      payouts: payouts.length,
      payouts_deposited: paidOut.length,
      paid_out_amount: toText(sumOf(paidOut.map(({ amount }) => amount))),
      available: toText(this.available()),
      paid_out_over_once: repeated(deposits.flatMap(({ parentId, notes }) => (parentId === null ? [notes] : []))),
    };
  }

  clear(): void {
    this.#entries = [];
    this.#latest.clear();
    this.#keys.clear();
  }

  #eTransfers(): readonly BookEntry[] {
    return this.all().filter(({ type }) => type === 'Interac Bulk Payout');
  }

  #credits(): readonly BookEntry[] {
    return this.#entries.filter(({ kind, type }) => kind === 'credited' && type === 'Interac Money Request');
  }

  #credited(): bigint {
    return sumOf(this.#credits().map(({ amount }) => amount));
  }
}

/** What has not come back. */
function standing(entries: readonly BookEntry[]): readonly BookEntry[] {
  return entries.filter(({ status }) => status !== 'failed' && status !== 'cancelled');
}

function repeated(values: readonly string[]): string[] {
  const once = new Set<string>();
  return [...new Set(values.filter((value) => once.size === once.add(value).size))];
}
