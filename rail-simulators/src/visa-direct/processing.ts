/**
 * Visa's processing of pushes: accepts them, completes them, recognises duplicates within a day, and reverses them. It
 * contains no HTTP code.
 */
import { DAY_MS } from '../clock.ts';
import { Provider, type Works } from '../kernel/provider.ts';
import type { Book, BookEntry, Transaction } from './book.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import type { PushRequest } from './requests.ts';

/**
 * `endMs` is the time from Visa's timeout response to the completion of the transaction, `reverseMs` the time from then to the
 * reversal.
 */
export const USUAL_DELAYS = { endMs: 5_000, reverseMs: 3_000, holdMs: 60_000 };
export type VisaDirectDelays = typeof USUAL_DELAYS;
export type VisaDirectWorks = Works<Book, Faults, VisaDirectDelays>;

/** `at_work` means that the same transaction is in progress, `repeated` that it arrived within the last day. */
export type Pushed = { readonly kind: 'accepted' | 'at_work' | 'repeated'; readonly entry: BookEntry };

export class VisaDirect extends Provider<BookEntry, Book, Faults, VisaDirectDelays> {
  /** Resolves once the book is written. */
  async push(request: PushRequest): Promise<Pushed> {
    const { book, faults, clock } = this.works;
    const before = book.ofIdentity(request.identity);
    if (before !== undefined && clock.now() - Date.parse(before.acceptedAt) < DAY_MS) {
      const entry = await this.#change(before, 'repeated', { repeats: before.repeats + 1 });
      return { kind: entry.status === 'in_progress' ? 'at_work' : 'repeated', entry };
    }
    const transactionIdentifier = book.nextIdentifier();
    const fresh: Transaction = {
      ...request,
      status: 'in_progress',
      actionCode: '',
      repeats: 0,
      isReversed: false,
      transactionIdentifier,
      statusIdentifier: `${transactionIdentifier}_186_81_SIMULATED_VDP`,
      acceptedAt: this.time(),
    };
    const accepted = await this.#change(fresh, 'accepted', {});
    if (faultsOf(faults, request.amount).timing === 'at_once')
      return { kind: 'accepted', entry: await this.#end(accepted) };
    this.schedule(accepted);
    return { kind: 'accepted', entry: accepted };
  }

  /** Resolves to undefined if no push with that reference was approved. */
  async reverse(senderReference: string): Promise<BookEntry | undefined> {
    const paid = this.works.book.all().find((one) => one.senderReference === senderReference && isPaid(one));
    return paid === undefined ? undefined : this.#undo(paid);
  }

  protected schedule({ transactionIdentifier, ...entry }: BookEntry): void {
    const { book, delays, faults } = this.works;
    if (entry.status === 'in_progress')
      this.after(entry.at, delays.endMs, async () => {
        const latest = book.latest(transactionIdentifier);
        if (latest?.status === 'in_progress') await this.#end(latest);
      });
    else if (isPaid(entry) && faultsOf(faults, entry.amount).reversals === 'later')
      this.after(entry.at, delays.reverseMs, async () => {
        const latest = book.latest(transactionIdentifier);
        if (latest !== undefined && isPaid(latest)) await this.#undo(latest);
      });
  }

  async #end(entry: BookEntry): Promise<BookEntry> {
    const actionCode = faultsOf(this.works.faults, entry.amount).action_code;
    const ended = await this.#change(entry, 'completed', { status: 'completed', actionCode });
    this.schedule(ended);
    return ended;
  }

  #undo(entry: BookEntry): Promise<BookEntry> {
    return this.#change(entry, 'reversed', { isReversed: true });
  }

  #change(transaction: Transaction, kind: BookEntry['kind'], change: Partial<Transaction>): Promise<BookEntry> {
    return this.record<BookEntry>({ ...transaction, ...change, kind });
  }
}

function isPaid({ actionCode, isReversed }: Pick<Transaction, 'actionCode' | 'isReversed'>): boolean {
  return actionCode === '00' && !isReversed;
}
