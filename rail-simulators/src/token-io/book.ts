/** Token.io's own book: every payment and refund with all their events. */
import { sumOf, toText } from '../kernel/amounts.ts';
import { BookEntries, repeated } from '../kernel/book-entries.ts';
import type { ConductName } from './conducts.ts';

export type EntryKind =
  | 'initiated'
  /** The status of a payment has changed. */
  | 'status'
  /** Money arrived on the settlement account. */
  | 'credited'
  | 'refund_initiated'
  | 'refund_status'
  /** The client has accepted a webhook. */
  | 'acknowledged';

export interface Initiation {
  readonly refId: string;
  readonly amount: string;
  readonly reference: string;
  readonly bankId: string;
  readonly callbackUrl: string;
  readonly callbackState: string;
  readonly localInstrument: string;
  readonly payee: string;
  /** The value as the client sent it, to repeat it in the response. */
  readonly sent: Readonly<Record<string, unknown>>;
}

export interface Payment extends Initiation {
  readonly id: string;
  /** An unpredictable part of the bank page's URL. */
  readonly session: string;
  readonly createdAt: string;
  readonly status: string;
  readonly reason: string;
  /** The bank's own status. Empty before the first status. */
  readonly bankStatus: string;
  /** The behaviour of payer and bank, once the payer has acted, and its next step. */
  readonly conduct: ConductName | null;
  readonly nextStep: number;
  /** The amount received on the settlement account. */
  readonly credited: string;
  /** The amount refunded, including pending refunds. */
  readonly refunded: string;
}

export interface Refund {
  readonly id: string;
  readonly refId: string;
  readonly amount: string;
  readonly createdAt: string;
  readonly status: string;
  readonly sent: Readonly<Record<string, unknown>>;
}

export interface Webhook {
  readonly id: string;
  readonly event: 'PAYMENT_STATUS_CHANGED' | 'REFUND_STATUS_CHANGED' | 'VIRTUAL_ACCOUNT_CREDIT_RECEIVED';
}

export interface BookEntry extends Payment {
  readonly seq: number;
  readonly kind: EntryKind;
  readonly at: string;
  /** The refund of this event. */
  readonly refund: Refund | null;
  /** The webhook that this event causes, or that the client has accepted. */
  readonly webhook: Webhook | null;
}

const FAILED_REFUNDS: ReadonlySet<string> = new Set(['INITIATION_REJECTED', 'INITIATION_FAILED']);

export function isFailed({ status }: Refund): boolean {
  return FAILED_REFUNDS.has(status);
}

export class Book extends BookEntries<BookEntry, string> {
  readonly #sessions = new Map<string, string>();
  readonly #refunds = new Map<string, { readonly refund: Refund; readonly paymentId: string }>();
  readonly #unacknowledged = new Map<string, BookEntry>();

  constructor() {
    super(({ id }) => id);
  }

  ofSession(session: string): BookEntry | undefined {
    return this.latest(this.#sessions.get(session) ?? '');
  }

  refund(id: string): Refund | undefined {
    return this.#refunds.get(id)?.refund;
  }

  refunds(): readonly Refund[] {
    return [...this.#refunds.values()].map(({ refund }) => refund);
  }

  paymentIdOf(refundId: string): string {
    return this.#refunds.get(refundId)?.paymentId ?? '';
  }

  unaccepted(): readonly BookEntry[] {
    return [...this.#unacknowledged.values()];
  }

  isAccepted(webhookId: string): boolean {
    return !this.#unacknowledged.has(webhookId);
  }

  credits(): readonly BookEntry[] {
    return this.entries().filter(({ kind }) => kind === 'credited');
  }

  summary(): object {
    const payments = this.all();
    const credits = this.credits();
    const given = this.refunds().filter((refund) => !isFailed(refund));
    const byStatus: Record<string, number> = {};
    for (const { status } of payments) byStatus[status] = (byStatus[status] ?? 0) + 1;
    return {
      payments: payments.length,
      by_status: byStatus,
      credits: credits.length,
      credited_amount: toText(sumOf(credits.map(({ amount }) => amount))),
      refunds: given.length,
      refunded_amount: toText(sumOf(given.map(({ amount }) => amount))),
      charged_over_once: repeated(credits.map(({ reference }) => reference)),
      refunded_over_paid: payments.filter((p) => sumOf([p.refunded]) > sumOf([p.credited])).map(({ id }) => id),
    };
  }

  override clear(): void {
    super.clear();
    for (const map of [this.#sessions, this.#refunds, this.#unacknowledged]) map.clear();
  }

  protected override register(entry: BookEntry): void {
    const { id, session, refund, webhook, kind } = entry;
    this.#sessions.set(session, id);
    if (refund !== null) this.#refunds.set(refund.id, { refund, paymentId: id });
    if (kind === 'acknowledged') this.#unacknowledged.delete(webhook?.id ?? '');
    else if (webhook !== null) this.#unacknowledged.set(webhook.id, entry);
  }
}
