/**
 * What DT One does with a transaction, from the request to the last change: plays its conduct, writes the book before anything
 * is said, and resumes from the book what a restart broke off, but for callbacks. Knows no HTTP.
 */
import { type Clock, TimerSet } from '../clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Book, BookEntry, EntryKind, Transaction } from './book.ts';
import type { Callbacks } from './callbacks.ts';
import { type ActName, acts, type ClassName, type ConductName, stepOf, type Why } from './conducts.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import { operatorOf } from './products.ts';
import type { TransactionRequest } from './requests.ts';

/** How long DT One and the operators take over what they do by themselves; tests shorten these. */
export interface DtOneDelays {
  /** From one class of a transaction to the next. */
  readonly settleMs: number;
  /** Until one is reversed. */
  readonly reverseMs: number;
  /** How late a late callback is. */
  readonly lateMs: number;
  /** How long a connection that will never be answered is held. */
  readonly holdMs: number;
}

export const usualDelays: DtOneDelays = { settleMs: 1_000, reverseMs: 3_000, lateMs: 10_000, holdMs: 60_000 };

export interface DtOneParts {
  readonly book: Book;
  readonly journal: Journal<BookEntry>;
  readonly clock: Clock;
  readonly delays: DtOneDelays;
  readonly faults: Readonly<Faults>;
  readonly callbacks: Callbacks;
  /** The book can't be written any more: nothing true can be answered from here on. */
  readonly onBookFailure: (error: unknown) => void;
}

/** `told` resolves after the first attempt. */
interface Happened {
  readonly entry: BookEntry;
  readonly told: Promise<void>;
}

type Change = Partial<Pick<Transaction, 'className' | 'message' | 'step' | 'executions' | 'repeats'>>;

const pastEveryStep = 99;

export class DtOne {
  readonly #parts: DtOneParts;
  readonly #timers: TimerSet;
  #isClosed = false;

  constructor(parts: DtOneParts) {
    this.#parts = parts;
    this.#timers = new TimerSet(parts.clock);
  }

  /** With `untilCompleted`, it is completed and told of before this. */
  async take(request: TransactionRequest, untilCompleted = false): Promise<BookEntry> {
    const fresh = this.#fresh(request);
    const { entry } = await this.#add(fresh, 'taken', changeTo(fresh, stepOf(fresh.conduct, 0) ?? 'CREATED', 0));
    if (!untilCompleted) return entry;
    return (await this.act(entry.id, 'complete')) ?? entry;
  }

  /** One whose external_id came again. */
  async repeat(known: BookEntry): Promise<void> {
    await this.#add(known, 'repeated', { repeats: known.repeats + 1 });
  }

  /** Resolves after the first attempt to tell; undefined where the transaction does not stand so. */
  async act(id: number, name: ActName): Promise<BookEntry | undefined> {
    const found = this.#parts.book.latest(id);
    const { from, to } = acts[name];
    const allowed: readonly ClassName[] = from;
    if (found === undefined || !allowed.includes(found.className)) return undefined;
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
    this.#parts.callbacks.stop();
  }

  #fresh(request: TransactionRequest): Transaction {
    const { externalId, product, tiyn, mobileNumber, callbackUrl } = request;
    const { book, clock } = this.#parts;
    return {
      ...{ externalId, tiyn, callbackUrl },
      id: book.nextId(),
      productId: product.id,
      operatorId: product.operator.id,
      operatorName: product.operator.name,
      maskedNumber: `****${mobileNumber.slice(-4)}`,
      takenAt: new Date(clock.now()).toISOString(),
      step: 0,
      ...this.#fateOf(request),
      className: 'CREATED',
      message: 'CREATED',
      executions: 0,
      repeats: 0,
    };
  }

  /** An operator does not credit another one's number, whatever was to become of it otherwise. */
  #fateOf(request: TransactionRequest): { readonly conduct: ConductName; readonly failsFor: Why } {
    const { float, transactions, why } = faultsOf(this.#parts.faults, request.tiyn);
    if (!request.isConfirmed) return { conduct: 'unconfirmed', failsFor: '' };
    if (float === 'rejected') return { conduct: 'reject_at_once', failsFor: 'INSUFFICIENT-BALANCE' };
    return operatorOf(request.mobileNumber)?.id === request.product.operator.id
      ? { conduct: transactions, failsFor: why }
      : { conduct: 'decline', failsFor: 'INVALID-CREDIT-PARTY' };
  }

  /** What happens next by itself to a transaction that has come to its step. */
  #schedule(entry: BookEntry): void {
    const next = stepOf(entry.conduct, entry.step + 1);
    if (this.#isClosed || next === undefined) return;
    const { settleMs, reverseMs } = this.#parts.delays;
    const delayMs = next === 'REVERSED' ? reverseMs : settleMs;
    const dueMs = Math.max(0, Date.parse(entry.at) + delayMs - this.#parts.clock.now());
    this.#timers.after(dueMs, () => this.#inBackground(this.#goOn(entry, next)));
  }

  async #goOn({ id, step }: BookEntry, next: ClassName): Promise<void> {
    const latest = this.#parts.book.latest(id);
    if (latest?.step === step) await this.#add(latest, 'changed', changeTo(latest, next, step + 1));
  }

  /** Adds the next entry to the book, writes it down, tells of it where it changed, and sees to what follows. */
  async #add(transaction: Transaction, kind: EntryKind, change: Change): Promise<Happened> {
    const { book, journal, clock, callbacks } = this.#parts;
    const at = new Date(clock.now()).toISOString();
    const entry = book.add({ ...transaction, ...change, kind, at });
    if (kind !== 'repeated') this.#schedule(entry);
    await journal.append(entry);
    const isTold = kind === 'changed' && entry.callbackUrl !== '' && !this.#isClosed;
    return { entry, told: isTold ? callbacks.tell(entry) : Promise.resolve() };
  }

  #inBackground(work: Promise<unknown>): void {
    void work.catch(this.#parts.onBookFailure);
  }
}

function changeTo({ failsFor, executions }: Transaction, className: ClassName, step: number): Change {
  const hasWhy = failsFor !== '' && (className === 'REJECTED' || className === 'DECLINED');
  return {
    className,
    message: hasWhy ? `${className}-${failsFor}` : className,
    step,
    executions: executions + (className === 'COMPLETED' ? 1 : 0),
  };
}
