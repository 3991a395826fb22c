/**
 * What RazorpayX does with a payout, from the request to the last change: plays its conduct, writes the book before anything
 * is said, and resumes from the book what a restart broke off, but for webhooks. Knows no HTTP.
 */
import { type Clock, TimerSet } from '../clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Book, BookEntry, EntryKind, Payout } from './book.ts';
import { type ActName, acts, type Status, type Step, stepOf } from './conducts.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import type { PayoutRequest } from './requests.ts';
import type { Webhooks } from './webhooks.ts';

/** How long RazorpayX and the banks take over what they do by themselves; tests shorten these. */
export interface RazorpayXDelays {
  /** From one step of a payout to the next. */
  readonly settleMs: number;
  /** Until money that had left is back. */
  readonly reverseMs: number;
  /** How late a late webhook is. */
  readonly lateMs: number;
  /** How long a connection that will never be answered is held. */
  readonly holdMs: number;
}

export const usualDelays: RazorpayXDelays = { settleMs: 2_000, reverseMs: 3_000, lateMs: 10_000, holdMs: 60_000 };

export interface RazorpayXParts {
  readonly book: Book;
  readonly journal: Journal<BookEntry>;
  readonly clock: Clock;
  readonly delays: RazorpayXDelays;
  readonly faults: Readonly<Faults>;
  readonly webhooks: Webhooks;
  /** The book can't be written any more: nothing true can be answered from here on. */
  readonly onBookFailure: (error: unknown) => void;
}

/** `told` resolves after the first attempt. */
interface Happened {
  readonly entry: BookEntry;
  readonly told: Promise<void>;
}

type Change = Partial<Pick<Payout, 'status' | 'reason' | 'step' | 'utr' | 'executions' | 'repeats'>>;

const waitsForMoney = { status: 'queued', reason: 'low_balance', step: -1 } as const;
const pastEveryStep = 99;

export class RazorpayX {
  readonly #parts: RazorpayXParts;
  readonly #timers: TimerSet;
  #isClosed = false;

  constructor(parts: RazorpayXParts) {
    this.#parts = parts;
    this.#timers = new TimerSet(parts.clock);
  }

  /** Undefined: there is too little money, and the payout is not to wait. With `untilProcessed`, that is told before this. */
  async take(request: PayoutRequest, untilProcessed = false): Promise<BookEntry | undefined> {
    const { float } = this.#parts.faults;
    if (float === 'empty' && !request.waitsForMoney) return undefined;
    const fresh = this.#fresh(request);
    const start = float === 'empty' ? waitsForMoney : changeTo(fresh, stepOf(fresh.conduct, 0), 0);
    const taken = await this.#add(fresh, 'taken', start);
    if (!untilProcessed) return taken.entry;
    const acted = await this.act(taken.entry.id, 'process');
    return acted ?? taken.entry;
  }

  /** One that came again under its key. */
  async repeat(known: BookEntry): Promise<BookEntry> {
    const { entry } = await this.#add(known, 'repeated', { repeats: known.repeats + 1 });
    return entry;
  }

  /** Resolves after the first attempt to tell; undefined where the payout does not stand so. */
  async act(id: string, name: ActName): Promise<BookEntry | undefined> {
    const found = this.#parts.book.latest(id);
    const { from, to } = acts[name];
    const allowed: readonly Status[] = from;
    if (found === undefined || !allowed.includes(found.status)) return undefined;
    const happened = await this.#add(found, 'changed', changeTo(found, to, pastEveryStep));
    await happened.told;
    return happened.entry;
  }

  /** Takes up, after a restart, what is still to happen. */
  resume(): void {
    for (const entry of this.#parts.book.all()) this.#schedule(entry);
  }

  /** Stops for good: an entry that is still being written tells nobody any more. */
  close(): void {
    this.#isClosed = true;
    this.stop();
  }

  /** Cancels everything that would still happen by itself. */
  stop(): void {
    this.#timers.cancelAll();
    this.#parts.webhooks.stop();
  }

  #fresh({ account, waitsForMoney: _, ...request }: PayoutRequest): Payout {
    const { book, clock, faults } = this.#parts;
    const { payouts, fail_reason } = faultsOf(faults, request.amount);
    return {
      ...request,
      id: `pout_${String(book.nextNumber()).padStart(14, '0')}`,
      maskedAccount: `****${account.slice(-4)}`,
      takenAt: new Date(clock.now()).toISOString(),
      conduct: payouts,
      step: 0,
      failReason: fail_reason,
      status: 'processing',
      reason: '',
      utr: null,
      executions: 0,
      repeats: 0,
    };
  }

  /** What happens next by itself to a payout that has come to its step. */
  #schedule(entry: BookEntry): void {
    const next = stepOf(entry.conduct, entry.step + 1);
    if (this.#isClosed || next === undefined) return;
    const { settleMs, reverseMs } = this.#parts.delays;
    const delayMs = next.status === 'reversed' ? reverseMs : settleMs;
    const dueMs = Math.max(0, Date.parse(entry.at) + delayMs - this.#parts.clock.now());
    this.#timers.after(dueMs, () => this.#inBackground(this.#goOn(entry, next)));
  }

  async #goOn({ id, step }: BookEntry, next: Step): Promise<void> {
    const latest = this.#parts.book.latest(id);
    if (latest === undefined || latest.step !== step) return;
    const isStuck = step === waitsForMoney.step && this.#parts.faults.float === 'empty';
    if (isStuck) this.#schedule({ ...latest, at: new Date(this.#parts.clock.now()).toISOString() });
    else await this.#add(latest, 'changed', changeTo(latest, next, step + 1));
  }

  /** Adds the next entry to the book, writes it down, tells of it, and sees to what follows. */
  async #add(payout: Payout, kind: EntryKind, change: Change): Promise<Happened> {
    const { book, journal, clock, webhooks } = this.#parts;
    const at = new Date(clock.now()).toISOString();
    const entry = book.add({ ...payout, ...change, kind, at });
    if (kind === 'taken' || kind === 'changed') this.#schedule(entry);
    await journal.append(entry);
    if (this.#isClosed || kind === 'repeated') return { entry, told: Promise.resolve() };
    const told = webhooks.tell(entry);
    // The bank's own number comes a little later, and is told by itself.
    if (kind === 'changed' && entry.status === 'processed')
      await this.#add(book.latest(entry.id) ?? entry, 'updated', { utr: String(entry.seq).padStart(12, '0') });
    return { entry, told };
  }

  #inBackground(work: Promise<unknown>): void {
    void work.catch(this.#parts.onBookFailure);
  }
}

function changeTo({ failReason, executions }: Payout, step: Step | undefined, number: number): Change {
  const { status, reason } = step ?? { status: 'processing', reason: '' };
  return {
    status,
    reason: reason === 'as_told' ? failReason : reason,
    step: number,
    executions: executions + (status === 'processed' ? 1 : 0),
  };
}
