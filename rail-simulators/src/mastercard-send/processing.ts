/**
 * Mastercard's processing of disbursements: accepts them, completes them immediately or later, and reverses them. It contains
 * no HTTP code.
 */
import { Provider, type Works } from '../kernel/provider.ts';
import type { Book, BookEntry } from './book.ts';
import { WAYS } from './conducts.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import type { DisbursementRequest } from './requests.ts';

/** `endMs` is the time until a disbursement completes automatically. */
export const USUAL_DELAYS = { endMs: 20_000, holdMs: 60_000 };
export type MastercardSendDelays = typeof USUAL_DELAYS;
export type MastercardSendWorks = Works<Book, Faults, MastercardSendDelays>;

export class MastercardSend extends Provider<BookEntry, Book, Faults, MastercardSendDelays> {
  /** Resolves once the book is written, or to undefined if the reference was already used. */
  async accept(request: DisbursementRequest): Promise<BookEntry | undefined> {
    const { book } = this.works;
    if (book.underReference(request.reference).length > 0) {
      book.countDuplicate();
      return undefined;
    }
    const faults = faultsOf(this.works.faults, request.amount);
    const { first, endsAs } = WAYS[faults.disbursements];
    const isDeclined = (endsAs ?? first) === 'DECLINED';
    const accepted = await this.record<BookEntry>({
      ...request,
      id: book.nextId(),
      createdAt: this.time(),
      originalStatus: first,
      status: first,
      endsAs,
      networkCode: isDeclined ? faults.network_code : '00',
      statusReason: isDeclined ? faults.status_reason : 'APPROVED',
    });
    this.schedule(accepted);
    return accepted;
  }

  /** Resolves to undefined if no disbursement with that reference was paid. */
  async reverse(reference: string): Promise<BookEntry | undefined> {
    const paid = this.works.book.underReference(reference).find(({ status }) => status === 'APPROVED');
    return paid === undefined ? undefined : this.record<BookEntry>({ ...paid, status: 'REVERSED', endsAs: null });
  }

  protected schedule({ id, endsAs, createdAt }: BookEntry): void {
    if (endsAs === null) return;
    this.after(createdAt, this.works.delays.endMs, async () => {
      const latest = this.works.book.latest(id);
      if (latest?.endsAs === endsAs) await this.record<BookEntry>({ ...latest, status: endsAs, endsAs: null });
    });
  }
}
