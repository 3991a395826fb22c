/** Adyen's processing of transfers: accepts them, advances their status and returns money. It contains no HTTP code. */
import { Provider, type Works } from '../kernel/provider.ts';
import type { Book, BookEntry, Transfer } from './book.ts';
import { type Conduct, mutationOf, type Status, stepAfter } from './conducts.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import type { TransferRequest } from './requests.ts';

/** `stepMs` is the time until the next status, `returnMs` the time until a booked transfer is returned. */
export const USUAL_DELAYS = { stepMs: 2_000, returnMs: 2_000, lateMs: 10_000, holdMs: 60_000 };
export type TransferDelays = typeof USUAL_DELAYS;
export type TransfersWorks = Works<Book, Faults, TransferDelays>;

const FATED: ReadonlySet<Status> = new Set(['refused', 'failed', 'returned', 'cancelled']);

export class Transfers extends Provider<BookEntry, Book, Faults, TransferDelays> {
  /** Resolves to the transfer as its response shows it, once the book is written. */
  async accept(
    request: TransferRequest,
    asked: Pick<Transfer, 'idempotencyKey' | 'requestDigest'>,
  ): Promise<BookEntry> {
    const own = faultsOf(this.works.faults, request.value);
    const isFunded = own.funds === 'enough';
    const conduct: Conduct = isFunded ? own.transfers : 'refuse';
    const fate = isFunded ? own.reason : 'notEnoughBalance';
    const id = this.works.book.nextId();
    const standing = { status: 'received', reason: 'pending', events: [] } as const;
    const fresh: Transfer = { ...request, ...asked, ...standing, id, createdAt: this.time(), conduct, fate };
    let entry = await this.#enter(fresh, 'received');
    for (let step = stepOf(entry); step && !step.isLater; step = stepOf(entry)) {
      entry = await this.#enter(entry, step.status);
    }
    if (own.webhooks === 'before_reply') await this.#goOn(entry);
    else this.schedule(entry);
    return entry;
  }

  /** Returns a transfer as its bank would. Resolves to undefined if no transfer with that reference was booked. */
  async giveBack(reference: string, status: 'failed' | 'returned', reason: string): Promise<BookEntry | undefined> {
    const all = this.works.book.all();
    const booked = all.findLast((entry) => entry.reference === reference && entry.status === 'booked');
    return booked === undefined ? undefined : this.#enter({ ...booked, fate: reason }, status);
  }

  protected schedule(entry: BookEntry): void {
    if (stepOf(entry) === undefined) return;
    const { stepMs, returnMs } = this.works.delays;
    this.after(entry.at, entry.status === 'booked' ? returnMs : stepMs, () => this.#goOn(entry));
  }

  async #goOn({ id }: BookEntry): Promise<void> {
    const latest = this.works.book.latest(id);
    const step = latest && stepOf(latest);
    if (latest && step) this.schedule(await this.#enter(latest, step.status));
  }

  /** Notifies once the book is written, in the background unless the current fault waits for the notification. */
  async #enter(transfer: Transfer, status: Status): Promise<BookEntry> {
    const before = transfer.events.at(-1)?.status;
    const event = {
      id: `EV${transfer.id}${transfer.events.length + 1}`,
      status,
      bookingDate: this.time(),
      mutations: [mutationOf(before, status, transfer.currency, transfer.value)],
    };
    const reason = status === 'received' ? 'pending' : FATED.has(status) ? transfer.fate : 'approved';
    const events = [...transfer.events, event];
    const entry = await this.record<BookEntry>({ ...transfer, status, reason, events });
    const notified = this.notify(entry);
    if (faultsOf(this.works.faults, entry.value).webhooks === 'before_reply') await notified;
    return entry;
  }
}

/** The first event is the receipt. */
function stepOf({ conduct, events }: BookEntry) {
  return stepAfter(conduct, events.length - 1);
}
