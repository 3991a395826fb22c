/**
 * WayForPay's processing of payouts: accepts one per reference, pays from the client's balance, changes outcomes later and
 * notifies. It contains no HTTP code.
 */

import type { Notifier } from '../kernel/notifier.ts';
import { Provider, type Works } from '../kernel/provider.ts';
import type { Book, BookEntry, EntryKind, Payout } from './book.ts';
import { type Conduct, type ConductName, conductOf, type Status } from './conducts.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import type { Instruction, Refusal } from './requests.ts';

export interface Account {
  readonly merchantAccount: string;
  readonly secretKey: string;
}

/**
 * `notifyMs` is the time from the response to the callback, and `settleMs` the time until a payout in processing is decided.
 * `returnMs` is the time until a final payout changes: an approved one is returned, a declined one is approved.
 */
export const USUAL_DELAYS = { notifyMs: 100, settleMs: 2_000, returnMs: 5_000, lateMs: 10_000, holdMs: 60_000 };
export type WayForPayDelays = typeof USUAL_DELAYS;
export type WayForPayWorks = Works<Book, Faults, WayForPayDelays>;

const KINDS: Readonly<Record<Status, EntryKind>> = {
  InProcessing: 'accepted',
  Approved: 'executed',
  Declined: 'declined',
  Refunded: 'reversed',
};

export class WayForPay extends Provider<BookEntry, Book, Faults, WayForPayDelays> {
  readonly #opening: bigint;

  /** `opening` is the client's opening balance in kopecks. */
  constructor(works: WayForPayWorks, callbacks: Notifier<BookEntry>, opening: bigint) {
    super(works, callbacks);
    this.#opening = opening;
  }

  /** Resolves once the book is written. */
  async accept(instruction: Instruction, conduct: ConductName): Promise<BookEntry | Refusal> {
    const known = this.works.book.latest(instruction.reference);
    if (known !== undefined) return this.#repeat(known);
    if (instruction.kopecks > this.balance()) return { reasonCode: 1136 };
    const { first, reply } = conductOf(conduct);
    const entry = await this.#stand(this.#fresh(instruction, conduct), first);
    this.schedule(entry);
    if (reply === 'callback_first') await this.#notify(entry);
    else this.after(entry.at, this.works.delays.notifyMs, () => this.#notify(entry));
    return entry;
  }

  async #repeat(known: BookEntry): Promise<BookEntry | Refusal> {
    const repeats = known.repeats + 1;
    if (this.works.faults.dedupe) {
      await this.record<BookEntry>({ ...known, repeats, kind: 'repeated' });
      return { reasonCode: 1112 };
    }
    const acceptances = known.acceptances + 1;
    const executions = known.executions === 0 ? 0 : acceptances;
    return this.record<BookEntry>({ ...known, repeats, acceptances, executions, kind: 'repeated' });
  }

  find(reference: string): BookEntry | undefined {
    return this.works.book.latest(reference);
  }

  /** Returns the kopecks that are available for payouts. */
  balance(): bigint {
    return this.#opening - this.works.book.held();
  }

  /** Returns the payouts created from second `begin` to second `end`, inclusive. */
  list(begin: number, end: number): readonly BookEntry[] {
    return this.works.book.all().filter(({ createdDate }) => createdDate >= begin && createdDate <= end);
  }

  accepted({ reference }: BookEntry): void {
    const latest = this.works.book.latest(reference);
    if (latest !== undefined) this.inBackground(this.record<BookEntry>({ ...latest, kind: 'acknowledged' }));
  }

  /** Schedules the next automatic event of a payout, if there is one. */
  protected schedule({ reference, conduct, status, at }: BookEntry): void {
    const { first, later }: Conduct = conductOf(conduct);
    if (later === undefined || status !== first) return;
    const { settleMs, returnMs } = this.works.delays;
    this.after(at, first === 'InProcessing' ? settleMs : returnMs, async () => {
      const before = this.works.book.latest(reference);
      if (before !== undefined) await this.#notify(await this.#stand(before, later));
    });
  }

  #fresh({ type, reference, kopecks, beneficiary, serviceUrl }: Instruction, conduct: ConductName): Payout {
    const createdDate = this.#seconds();
    return {
      type,
      reference,
      beneficiary,
      serviceUrl,
      conduct,
      createdDate,
      kopecks: String(kopecks),
      processingDate: createdDate,
      status: 'InProcessing',
      reasonCode: 1131,
      authCode: '',
      acceptances: 1,
      executions: 0,
      repeats: 0,
    };
  }

  #stand(payout: Payout, status: Status): Promise<BookEntry> {
    const isExecuted = status === 'Approved';
    return this.record<BookEntry>({
      ...payout,
      kind: KINDS[status],
      status,
      reasonCode: this.#reasonCodeOf(status, payout),
      authCode: isExecuted && payout.type === 'P2P_CREDIT' ? '123456' : payout.authCode,
      processingDate: this.#seconds(),
      executions: isExecuted ? payout.acceptances : payout.executions,
    });
  }

  #reasonCodeOf(status: Status, { kopecks }: Payout): number {
    if (status === 'Declined') return faultsOf(this.works.faults, kopecks).reason_code;
    return status === 'InProcessing' ? 1131 : 1100;
  }

  /** Resolves after the first attempt. */
  async #notify(entry: BookEntry): Promise<void> {
    if (entry.serviceUrl !== '') await this.notify(entry);
  }

  #seconds(): number {
    return Math.floor(this.works.clock.now() / 1_000);
  }
}
