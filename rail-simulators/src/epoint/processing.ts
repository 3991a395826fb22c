/**
 * Epoint's processing: registers cards, makes payouts, changes outcomes later and notifies. It contains no HTTP code.
 *
 * No document states that an order_id is accepted only once. Each request is therefore a separate payout here: a client that
 * sends twice pays twice, and the book shows it.
 */
import { Provider, type Works } from '../kernel/provider.ts';
import { type Book, type BookEntry, type CardEntry, isPayout, type Payout, type PayoutEntry } from './book.ts';
import { type Conduct, type ConductName, conductOf, type Status } from './conducts.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';

export interface Account {
  readonly publicKey: string;
  readonly privateKey: string;
}

/**
 * `notifyMs` is the time from the response to the callback, `settleMs` the time until a new payout is decided, and `returnMs`
 * the time until a successful payout is returned.
 */
export const USUAL_DELAYS = { notifyMs: 100, settleMs: 2_000, returnMs: 5_000, lateMs: 10_000, holdMs: 60_000 };
export type EpointDelays = typeof USUAL_DELAYS;
export type EpointWorks = Works<Book, Faults, EpointDelays>;

const KINDS: Readonly<Record<Status, PayoutEntry['kind']>> = {
  new: 'accepted',
  success: 'executed',
  failed: 'failed',
  returned: 'returned',
};

export class Epoint extends Provider<BookEntry, Book, Faults, EpointDelays> {
  /** Creates a card_id, which is usable once the card's holder has entered the number. */
  askForCard(): Promise<CardEntry> {
    const cardId = `ce${this.works.book.nextNumber()}`;
    return this.record<CardEntry>({ kind: 'card_requested', cardId, mask: '' });
  }

  /** Enters the card number as its holder would on Epoint's page. Resolves to undefined for an unknown card_id. */
  async registerCard(cardId: string, number: string): Promise<CardEntry | undefined> {
    if (this.works.book.card(cardId) === undefined) return undefined;
    const mask = `${number.slice(0, 6)}******${number.slice(-4)}`;
    const entry = await this.record<CardEntry>({ kind: 'card_registered', cardId, mask });
    this.inBackground(this.notify(entry));
    return entry;
  }

  /** Resolves once the book is written. */
  async pay(
    asked: Pick<Payout, 'orderId' | 'description' | 'cardId' | 'cardMask' | 'amount'>,
    conduct: ConductName,
  ): Promise<PayoutEntry> {
    const { first, reply } = conductOf(conduct);
    const transaction = `te${this.works.book.nextNumber()}`;
    const fresh: Payout = { ...asked, transaction, conduct, status: 'new', code: '', executions: 0 };
    const entry = await this.#stand(fresh, first);
    this.schedule(entry);
    if (reply === 'callback_first') await this.#notify(entry);
    else this.after(entry.at, this.works.delays.notifyMs, () => this.#notify(entry));
    return entry;
  }

  /** Schedules the next automatic event of a payout, if there is one. */
  protected schedule(entry: BookEntry): void {
    if (!isPayout(entry)) return;
    const { first, later }: Conduct = conductOf(entry.conduct);
    if (later === undefined || entry.status !== first) return;
    const { settleMs, returnMs } = this.works.delays;
    this.after(entry.at, later === 'returned' ? returnMs : settleMs, async () => {
      const before = this.works.book.payout(entry.transaction);
      if (before !== undefined) await this.#notify(await this.#stand(before, later));
    });
  }

  #stand(payout: Payout, status: Status): Promise<PayoutEntry> {
    return this.record<PayoutEntry>({
      ...payout,
      kind: KINDS[status],
      status,
      code: status === 'failed' ? faultsOf(this.works.faults, payout.amount).code : '',
      executions: payout.executions + (status === 'success' ? 1 : 0),
    });
  }

  /** Notifies of a new payout once it is decided. */
  async #notify(entry: PayoutEntry): Promise<void> {
    const isOff = faultsOf(this.works.faults, entry.amount).callbacks === 'off';
    if (entry.status !== 'new' && !isOff) await this.notify(entry);
  }
}
