/** DT One's processing of a transaction, from the request to the last change. It contains no HTTP code. */
import { lastFourOf } from '../kernel/credentials.ts';
import { type Happened, Provider, type Works } from '../kernel/provider.ts';
import type { Book, BookEntry, Transaction } from './book.ts';
import { ACTS, type ClassName, type ConductName, stepOf, type Why } from './conducts.ts';
import type { Faults } from './faults.ts';
import { faultsOf } from './magic-amounts.ts';
import { operatorOf } from './products.ts';
import type { TransactionRequest } from './requests.ts';

export interface Account {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly callbackUsername: string;
  readonly callbackPassword: string;
}

/** `settleMs` is the time between two classes of a transaction, `reverseMs` the time until its reversal. */
export const USUAL_DELAYS = { settleMs: 1_000, reverseMs: 3_000, lateMs: 10_000, holdMs: 60_000 };
export type DtOneDelays = typeof USUAL_DELAYS;
export type DtOneWorks = Works<Book, Faults, DtOneDelays>;

type Change = Partial<Pick<Transaction, 'className' | 'message' | 'step' | 'executions' | 'repeats'>>;

const PAST_EVERY_STEP = 99;

export class DtOne extends Provider<BookEntry, Book, Faults, DtOneDelays> {
  /** With `untilCompleted`, resolves once the transaction is completed and its client was notified. */
  async accept(request: TransactionRequest, untilCompleted = false): Promise<BookEntry> {
    const fresh = this.#fresh(request);
    const { entry } = await this.#add(fresh, 'accepted', changeTo(fresh, stepOf(fresh.conduct, 0) ?? 'CREATED', 0));
    if (!untilCompleted) return entry;
    return (await this.act(entry, 'complete')) ?? entry;
  }

  /** Records a repeated external_id. */
  async repeat(known: BookEntry): Promise<void> {
    await this.#add(known, 'repeated', { repeats: known.repeats + 1 });
  }

  /**
   * Resolves after the first attempt to notify. Resolves to undefined if the transaction's class does not permit the action.
   */
  async act({ id }: BookEntry, name: keyof typeof ACTS): Promise<BookEntry | undefined> {
    const found = this.works.book.latest(id);
    const { from, to } = ACTS[name];
    const allowed: readonly ClassName[] = from;
    if (found === undefined || !allowed.includes(found.className)) return undefined;
    const { entry, notified } = await this.#add(found, 'changed', changeTo(found, to, PAST_EVERY_STEP));
    await notified;
    return entry;
  }

  protected schedule({ id, conduct, step, at }: BookEntry): void {
    const next = stepOf(conduct, step + 1);
    if (next === undefined) return;
    const { settleMs, reverseMs } = this.works.delays;
    this.after(at, next === 'REVERSED' ? reverseMs : settleMs, async () => {
      const latest = this.works.book.latest(id);
      if (latest?.step === step) await this.#add(latest, 'changed', changeTo(latest, next, step + 1));
    });
  }

  #fresh(request: TransactionRequest): Transaction {
    const { externalId, product, tiyn, mobileNumber, callbackUrl } = request;
    return {
      externalId,
      tiyn,
      callbackUrl,
      id: this.works.book.nextId(),
      productId: product.id,
      operatorId: product.operator.id,
      operatorName: product.operator.name,
      maskedNumber: lastFourOf(mobileNumber),
      acceptedAt: this.time(),
      ...this.#fateOf(request),
      step: 0,
      className: 'CREATED',
      message: 'CREATED',
      executions: 0,
      repeats: 0,
    };
  }

  /** A mobile operator does not credit another operator's number, whatever the conduct. */
  #fateOf(request: TransactionRequest): { readonly conduct: ConductName; readonly failsFor: Why } {
    const { float, transactions, why } = faultsOf(this.works.faults, request.tiyn);
    if (!request.isConfirmed) return { conduct: 'unconfirmed', failsFor: '' };
    if (float === 'rejected') return { conduct: 'reject_at_once', failsFor: 'INSUFFICIENT-BALANCE' };
    return operatorOf(request.mobileNumber)?.id === request.product.operator.id
      ? { conduct: transactions, failsFor: why }
      : { conduct: 'decline', failsFor: 'INVALID-CREDIT-PARTY' };
  }

  async #add(transaction: Transaction, kind: BookEntry['kind'], change: Change): Promise<Happened<BookEntry>> {
    const entry = this.add<BookEntry>({ ...transaction, ...change, kind });
    if (kind !== 'repeated') this.schedule(entry);
    await this.write(entry);
    const isNotified = kind === 'changed' && entry.callbackUrl !== '';
    return { entry, notified: isNotified ? this.notify(entry) : Promise.resolve() };
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
