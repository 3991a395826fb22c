/**
 * Freedom Pay's processing of a payout: accepts it, pays or declines it immediately or later, and notifies. It contains no
 * HTTP code.
 */
import { toCents } from '../kernel/amounts.ts';
import { Provider, type Works } from '../kernel/provider.ts';
import type { Book, BookEntry, EntryKind, Payout } from './book.ts';
import { CONDUCTS, type Conduct, type Status } from './cards.ts';
import type { Failure } from './errors.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import type { PayoutRequest } from './requests.ts';

export interface Account {
  readonly merchantId: string;
  readonly payoutSecret: string;
}

/** `settleMs` is the time until a slow payout is decided, `notifyMs` the time from its outcome to its callback. */
export const USUAL_DELAYS = { settleMs: 2_000, notifyMs: 200, lateMs: 10_000, holdMs: 60_000 };
export type FreedomPayDelays = typeof USUAL_DELAYS;
export type FreedomPayWorks = Works<Book, Faults, FreedomPayDelays>;

const KINDS: Readonly<Record<Status, EntryKind>> = { success: 'paid', error: 'refused', process: 'accepted' };

export class FreedomPay extends Provider<BookEntry, Book, Faults, FreedomPayDelays> {
  /** Each request is a separate payout, even with a used order number. */
  async accept({ conduct, ...request }: PayoutRequest): Promise<BookEntry | Failure> {
    const { book, faults } = this.works;
    if (faults.empty || (toCents(request.amount) ?? 0n) > book.float()) return { error: 420 };
    const { payouts, outcomes } = faultsOf(faults, request.amount);
    const { isSlow, ending }: Conduct = CONDUCTS[outcomes === 'by_card' ? conduct : outcomes];
    const outcome = isSlow ? ({ status: 'process', code: '' } as const) : ending;
    const callback = this.#callbackOf(outcome.status);
    const paymentId = book.nextId();
    const entry = await this.#enter({ ...request, ...outcome, ending, paymentId, callback, acceptedAt: this.time() });
    if (payouts === 'notified_before_reply' && callback === 'due') await this.notify(entry);
    else this.schedule(entry);
    return entry;
  }

  /** Records that the client accepted the callback. A second acceptance has no effect. */
  accepted({ paymentId }: BookEntry): void {
    const latest = this.works.book.latest(paymentId);
    if (latest?.callback === 'due') this.inBackground(this.#enter({ ...latest, callback: 'accepted' }, 'acknowledged'));
  }

  protected schedule(entry: BookEntry): void {
    const { settleMs, notifyMs } = this.works.delays;
    if (entry.status === 'process') this.after(entry.at, settleMs, () => this.#settle(entry));
    else if (entry.callback === 'due') this.after(entry.at, notifyMs, () => this.notify(entry));
  }

  async #settle(entry: BookEntry): Promise<void> {
    const { ending } = entry;
    this.schedule(await this.#enter({ ...entry, ...ending, callback: this.#callbackOf(ending.status) }));
  }

  #callbackOf(status: Status): Payout['callback'] {
    return status === 'success' || (status === 'error' && this.works.faults.notify_failures) ? 'due' : 'none';
  }

  #enter(payout: Payout, kind = KINDS[payout.status]): Promise<BookEntry> {
    return this.record<BookEntry>({ ...payout, kind });
  }
}
