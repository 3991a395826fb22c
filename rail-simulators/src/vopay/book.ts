/** VoPay's own book: every transaction and all its events. */
import { sumOf, toCents, toText } from '../kernel/amounts.ts';
import { BookEntries, repeated } from '../kernel/book-entries.ts';

/** The words of VoPay's documentation. `views.ts` has the alternatives. */
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
  | 'accepted'
  | 'confirmed'
  | 'sent'
  /** The payer has accepted, or the recipient of a refund has responded. */
  | 'responded'
  /** The client received the money of a request, or the payer received a refund. */
  | 'credited'
  | 'wrong_answer'
  | 'calling_back'
  | 'ended';

export interface Transaction {
  readonly id: number;
  readonly type: TransactionType;
  /** The money request that a refund returns. Null for a money request and for a payout. */
  readonly parentId: number | null;
  readonly reference: string;
  readonly idempotencyKey: string;
  readonly amount: string;
  readonly email: string;
  readonly name: string;
  readonly message: string;
  readonly notes: string;
  /** The question to the recipient of a payout. Empty for all others. */
  readonly question: string;
  /** The answer to the question of a payout or a refund. Empty for a money request. */
  readonly answer: string;
  /** How many days a payout waits for its recipient. Null for all others. */
  readonly lifeDays: number | null;
  readonly wrongAnswers: number;
  /** If set, VoPay processes the transaction only after the client confirms it. */
  readonly flag: string;
  readonly acceptedAt: string;
  readonly status: Status;
  /** The reason, for example `901 - NSF`. Empty without a failure. */
  readonly failureReason: string;
  /** The behaviour of the payer's bank after the payer accepts. */
  readonly conduct: string;
}

export interface BookEntry extends Transaction {
  readonly seq: number;
  readonly kind: EntryKind;
  readonly at: string;
}

const FIRST_ID = 4_370_001;

export class Book extends BookEntries<BookEntry, number> {
  readonly #keys = new Map<string, number>();
  readonly #float: bigint;

  /** `float` is the client's prefunded balance. */
  constructor(float = '') {
    super(({ id }) => id);
    this.#float = toCents(float) ?? 0n;
  }

  nextId(): number {
    return FIRST_ID + this.size();
  }

  /** Returns the state at acceptance. */
  firstOf(id: number): BookEntry | undefined {
    return this.entries().find((entry) => entry.id === id);
  }

  ofKey(idempotencyKey: string): BookEntry | undefined {
    return this.latest(this.#keys.get(idempotencyKey) ?? 0);
  }

  /** Returns undefined unless exactly one object has the reference. */
  moneyRequestOf(reference: string): BookEntry | undefined {
    const found = this.moneyRequests().filter((request) => request.reference === reference);
    return found.length === 1 ? found[0] : undefined;
  }

  moneyRequests(): readonly BookEntry[] {
    return this.all().filter(({ type }) => type === 'Interac Money Request');
  }

  /** Returns undefined unless exactly one object has the reference. */
  payoutOf(reference: string): BookEntry | undefined {
    const found = this.payouts().filter((payout) => payout.reference === reference);
    return found.length === 1 ? found[0] : undefined;
  }

  payouts(): readonly BookEntry[] {
    return this.#eTransfers().filter(({ parentId }) => parentId === null);
  }

  /** Returns the available balance in cents. An e-Transfer that waits for its recipient no longer counts. */
  available(): bigint {
    return this.#float + this.#credited() - sumOf(standing(this.#eTransfers()).map(({ amount }) => amount));
  }

  refundsOf(id: number): readonly BookEntry[] {
    return this.all().filter(({ parentId }) => parentId === id);
  }

  summary(): object {
    const requests = this.moneyRequests();
    const refunds = this.#eTransfers().filter(({ parentId }) => parentId !== null);
    const payouts = this.payouts();
    const credits = this.#credits();
    const deposited = refunds.filter(({ status }) => status === 'successful');
    const paidOut = payouts.filter(({ status }) => status === 'successful');
    const deposits = this.entries().filter(({ kind, type }) => kind === 'credited' && type === 'Interac Bulk Payout');
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

  override clear(): void {
    super.clear();
    this.#keys.clear();
  }

  protected override register({ idempotencyKey, id }: BookEntry): void {
    if (idempotencyKey !== '') this.#keys.set(idempotencyKey, id);
  }

  #eTransfers(): readonly BookEntry[] {
    return this.all().filter(({ type }) => type === 'Interac Bulk Payout');
  }

  #credits(): readonly BookEntry[] {
    return this.entries().filter(({ kind, type }) => kind === 'credited' && type === 'Interac Money Request');
  }

  #credited(): bigint {
    return sumOf(this.#credits().map(({ amount }) => amount));
  }
}

/** Returns the entries whose money was not returned. */
function standing(entries: readonly BookEntry[]): readonly BookEntry[] {
  return entries.filter(({ status }) => status !== 'failed' && status !== 'cancelled');
}
