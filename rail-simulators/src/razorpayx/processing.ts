/** RazorpayX's processing of a payout, from the request to the last change. It contains no HTTP code. */
import { lastFourOf } from '../kernel/credentials.ts';
import { type Happened, Provider, type Works } from '../kernel/provider.ts';
import type { Book, BookEntry, Payout } from './book.ts';
import { ACTS, type Status, type Step, stepOf } from './conducts.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import type { PayoutRequest } from './requests.ts';

export interface Account {
  readonly keyId: string;
  readonly keySecret: string;
  readonly accountNumber: string;
  readonly webhookSecret: string;
}

/** `settleMs` is the time between two steps of a payout, `reverseMs` the time until executed money is returned. */
export const USUAL_DELAYS = { settleMs: 2_000, reverseMs: 3_000, lateMs: 10_000, holdMs: 60_000 };
export type RazorpayXDelays = typeof USUAL_DELAYS;
export type RazorpayXWorks = Works<Book, Faults, RazorpayXDelays>;

type Change = Partial<Pick<Payout, 'status' | 'reason' | 'step' | 'utr' | 'executions' | 'repeats'>>;

const WAITS_FOR_MONEY = { status: 'queued', reason: 'low_balance', step: -1 } as const;
const PAST_EVERY_STEP = 99;

export class RazorpayX extends Provider<BookEntry, Book, Faults, RazorpayXDelays> {
  /**
   * Resolves to undefined if funds are insufficient and the payout must not wait. With `untilProcessed`, resolves after the
   * notification of the payout's completion.
   */
  async accept(request: PayoutRequest, untilProcessed = false): Promise<BookEntry | undefined> {
    const { float } = this.works.faults;
    if (float === 'empty' && !request.waitsForMoney) return undefined;
    const fresh = this.#fresh(request);
    const start = float === 'empty' ? WAITS_FOR_MONEY : changeTo(fresh, stepOf(fresh.conduct, 0), 0);
    const { entry } = await this.#add(fresh, 'accepted', start);
    if (!untilProcessed) return entry;
    return (await this.act(entry, 'process')) ?? entry;
  }

  /** Records a repeated key. */
  async repeat(known: BookEntry): Promise<BookEntry> {
    return (await this.#add(known, 'repeated', { repeats: known.repeats + 1 })).entry;
  }

  /** Resolves after the first attempt to notify. Resolves to undefined if the payout's status does not permit the action. */
  async act({ id }: BookEntry, name: keyof typeof ACTS): Promise<BookEntry | undefined> {
    const found = this.works.book.latest(id);
    const { from, to } = ACTS[name];
    const allowed: readonly Status[] = from;
    if (found === undefined || !allowed.includes(found.status)) return undefined;
    const { entry, notified } = await this.#add(found, 'changed', changeTo(found, to, PAST_EVERY_STEP));
    await notified;
    return entry;
  }

  protected schedule({ id, conduct, step, at }: BookEntry): void {
    const next = stepOf(conduct, step + 1);
    if (next === undefined) return;
    const { settleMs, reverseMs } = this.works.delays;
    this.after(at, next.status === 'reversed' ? reverseMs : settleMs, () => this.#goOn(id, step, next));
  }

  async #goOn(id: string, step: number, next: Step): Promise<void> {
    const latest = this.works.book.latest(id);
    if (latest === undefined || latest.step !== step) return;
    const isStuck = step === WAITS_FOR_MONEY.step && this.works.faults.float === 'empty';
    if (isStuck) this.schedule({ ...latest, at: this.time() });
    else await this.#add(latest, 'changed', changeTo(latest, next, step + 1));
  }

  #fresh({ account, waitsForMoney: _, ...request }: PayoutRequest): Payout {
    const { book, faults } = this.works;
    const { payouts, fail_reason } = faultsOf(faults, request.amount);
    return {
      ...request,
      id: `pout_${String(book.nextNumber()).padStart(14, '0')}`,
      maskedAccount: lastFourOf(account),
      acceptedAt: this.time(),
      conduct: payouts,
      failReason: fail_reason,
      step: 0,
      status: 'processing',
      reason: '',
      utr: null,
      executions: 0,
      repeats: 0,
    };
  }

  async #add(payout: Payout, kind: BookEntry['kind'], change: Change): Promise<Happened<BookEntry>> {
    const entry = this.add<BookEntry>({ ...payout, ...change, kind });
    if (kind === 'accepted' || kind === 'changed') this.schedule(entry);
    await this.write(entry);
    const notified = kind === 'repeated' ? Promise.resolve() : this.notify(entry);
    // The bank's reference arrives later, in a separate notification.
    if (kind === 'changed' && entry.status === 'processed' && !this.isClosed) {
      const latest = this.works.book.latest(entry.id) ?? entry;
      await this.#add(latest, 'updated', { utr: String(entry.seq).padStart(12, '0') });
    }
    return { entry, notified };
  }
}

function changeTo({ failReason, executions }: Payout, step: Step | undefined, number: number): Change {
  const { status, reason } = step ?? { status: 'processing', reason: '' };
  return {
    status,
    reason: reason === 'by_fault' ? failReason : reason,
    step: number,
    executions: executions + (status === 'processed' ? 1 : 0),
  };
}
