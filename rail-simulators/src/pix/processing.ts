/**
 * The bank's processing of money: stores the client's charges, receives payers' payments, and refunds them for the client or
 * the special return mechanism (MED). It contains no HTTP code.
 */

import { hash } from 'node:crypto';
import { DAY_MS } from '../clock.ts';
import { sumOf } from '../kernel/amounts.ts';
import { Provider, type Works } from '../kernel/provider.ts';
import type { Book, BookEntry, Charge, ChargeTerms, EntryKind, Natureza, Person, Pix, Refund } from './book.ts';
import type { Violation } from './errors.ts';
import type { Faults } from './faults.ts';
import type { Callbacks } from './notifications.ts';
import { isValor } from './requests.ts';

/**
 * `refundMs` is the time from the request for a devolução to its outcome, `lateMs` the delay of a late payer and of a late
 * callback.
 */
export const USUAL_DELAYS = { refundMs: 2_000, lateMs: 10_000, holdMs: 60_000 };
export type PixDelays = typeof USUAL_DELAYS;
type PixWorks = Works<Book, Faults, PixDelays>;

export type Done<Thing> =
  | { readonly kind: 'done'; readonly thing: Thing }
  | { readonly kind: 'refused'; readonly violations: readonly Violation[] }
  | { readonly kind: 'not_found' | 'unanswered' | 'error_500' };

export interface Payment {
  readonly txid: string;
  readonly pagador: Person;
  /** If undefined, the payment has the charge's amount. */
  readonly valor?: string;
  /** If true, the payment succeeds in any state of the charge, as if the payment order was already in flight. */
  readonly isForced?: boolean;
}

export type Paid =
  | { readonly kind: 'paid'; readonly pix: Pix; readonly charge: BookEntry }
  | { readonly kind: 'refused'; readonly why: 'unknown' | 'expired' | 'removed' | 'already_paid' };

const ISPB = '99999004';
const REFUND_WINDOW_MS = 90 * DAY_MS;

export class PixBank extends Provider<BookEntry, Book, Faults, PixDelays> {
  readonly #callbacks: Pick<Callbacks, 'notify' | 'stop' | 'isWanted'>;
  readonly #secret: string;

  /** `secret` makes the URLs of charges unpredictable. */
  constructor(works: PixWorks, callbacks: Pick<Callbacks, 'notify' | 'stop' | 'isWanted'>, secret: string) {
    super(works);
    this.#callbacks = callbacks;
    this.#secret = secret;
  }

  /** Creates a charge or changes an open one. */
  async put(txid: string, terms: ChargeTerms): Promise<Done<Charge>> {
    const { book, faults, clock } = this.works;
    const { charges } = faults;
    if (charges === 'lose') return { kind: 'unanswered' };
    if (charges === 'refuse') return refused('cob', 'O limite de cobranças foi atingido.');
    const before = book.latest(txid);
    if (before !== undefined && before.status !== 'ATIVA')
      return refused('cob.status', 'A cobrança não está no status ATIVA.');
    if (before !== undefined && faults.repeated_charges === 'refuse')
      return refused('cob.txid', 'O txid já foi utilizado em outra cobrança.');
    const entry = before
      ? await this.#follow(before, { kind: 'charge_changed', ...terms, revisao: before.revisao + 1 })
      : await this.record<BookEntry>({
          ...terms,
          kind: 'charge_created',
          txid,
          status: 'ATIVA',
          revisao: 0,
          createdAt: clock.now(),
          token: hash('sha256', `${this.#secret} ${txid}`).slice(0, 32),
          pix: [],
          callback: 'none',
        });
    if (charges === 'accept_unanswered') return { kind: 'unanswered' };
    return charges === 'accept_500' ? { kind: 'error_500' } : { kind: 'done', thing: entry };
  }

  async remove(txid: string): Promise<Done<Charge>> {
    const { book, faults } = this.works;
    const pagador = { cpf: '52998224725', nome: 'Ana Souza' };
    if (faults.removals === 'paid_first') await this.pay({ txid, pagador });
    const before = book.latest(txid);
    if (before === undefined) return { kind: 'not_found' };
    if (before.status !== 'ATIVA') return refused('cob.status', 'A cobrança não está ATIVA.');
    const revisao = before.revisao + 1;
    const entry = await this.#follow(before, {
      kind: 'charge_removed',
      status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR',
      revisao,
    });
    if (faults.removals === 'paid_after') await this.pay({ txid, pagador, isForced: true });
    return faults.removals === 'remove_unanswered' ? { kind: 'unanswered' } : { kind: 'done', thing: entry };
  }

  /** Makes a payer pay. Resolves once the book is written; rejects if writing fails. */
  async pay({ txid, pagador, valor, isForced = false }: Payment): Promise<Paid> {
    const { book, clock } = this.works;
    const before = book.latest(txid);
    if (before === undefined) return { kind: 'refused', why: 'unknown' };
    const why = isForced ? undefined : whyNot(before, clock.now());
    if (why !== undefined) return { kind: 'refused', why };
    const pix: Pix = {
      endToEndId: this.#name('E'),
      valor: valor ?? before.valor,
      at: clock.now(),
      pagador,
      devolucoes: [],
    };
    const status = before.status === 'ATIVA' ? 'CONCLUIDA' : before.status;
    const change = { kind: 'pix_received', status, pix: [...before.pix, pix], callback: this.#due() } as const;
    const charge = await this.#follow(before, change);
    this.#notify(charge, pix.endToEndId);
    return { kind: 'paid', pix, charge };
  }

  /** Makes a payer pay later. A restart forgets it. */
  payLater(payment: Payment, afterMs: number): void {
    this.after(this.time(), afterMs, () => this.pay(payment));
  }

  /** Creates a devolução that the client requests. */
  async refund(endToEndId: string, id: string, valor: string): Promise<Done<Refund>> {
    const { refunds } = this.works.faults;
    if (refunds === 'lose') return { kind: 'unanswered' };
    const found = this.#find(endToEndId);
    if (found === undefined) return { kind: 'not_found' };
    const fault = refunds === 'refuse' ? 'A devolução não é permitida.' : this.#faultOf(found.pix, id, valor);
    if (fault !== undefined) return refused('devolucao', fault);
    const next = refunds === 'stay' ? null : refunds === 'fail' ? 'fail' : 'settle';
    const refund = this.#newRefund({
      id,
      valor,
      natureza: 'ORIGINAL',
      status: 'EM_PROCESSAMENTO',
      settledAt: null,
      next,
    });
    const pix = { ...found.pix, devolucoes: [...found.pix.devolucoes, refund] };
    await this.#follow(found.charge, { kind: 'refund_requested', pix: replaced(found.charge, pix) });
    this.#scheduleRefund(endToEndId, refund);
    if (refunds === 'settle_unanswered') return { kind: 'unanswered' };
    return refunds === 'settle_500' ? { kind: 'error_500' } : { kind: 'done', thing: refund };
  }

  /** Refunds through the special return mechanism, or through a user of the bank's app. */
  async reverse(endToEndId: string, valor: string | undefined, natureza: Natureza): Promise<Refund | undefined> {
    const found = this.#find(endToEndId);
    if (found === undefined) return undefined;
    const settled = { status: 'DEVOLVIDO', settledAt: this.works.clock.now(), next: null } as const;
    const id = `MED${this.works.book.length}`;
    const refund = this.#newRefund({ id, valor: valor ?? found.pix.valor, natureza, ...settled });
    const pix = { ...found.pix, devolucoes: [...found.pix.devolucoes, refund] };
    const change = { kind: 'reversed', pix: replaced(found.charge, pix), callback: this.#due() } as const;
    this.#notify(await this.#follow(found.charge, change), endToEndId);
    return refund;
  }

  callbackAccepted(txid: string, seq: number): void {
    const latest = this.works.book.latest(txid);
    if (latest?.callback !== 'due' || latest.seq !== seq) return;
    this.inBackground(this.#follow(latest, { kind: 'acknowledged', callback: 'accepted' }));
  }

  override stop(): void {
    super.stop();
    this.#callbacks.stop();
  }

  /** Schedules the pending devoluções and callbacks. */
  protected schedule(charge: BookEntry): void {
    for (const { endToEndId, devolucoes } of charge.pix)
      for (const refund of devolucoes) this.#scheduleRefund(endToEndId, refund);
    const last = charge.pix.at(-1);
    if (last && charge.callback === 'due') this.#notify(charge, last.endToEndId);
  }

  #find(endToEndId: string): { readonly charge: BookEntry; readonly pix: Pix } | undefined {
    const charge = this.works.book.chargeOfPix(endToEndId);
    const pix = charge?.pix.find((one) => one.endToEndId === endToEndId);
    return charge && pix && { charge, pix };
  }

  #faultOf({ valor: paid, devolucoes, at }: Pix, id: string, valor: string): string | undefined {
    const cents = sumOf([valor]);
    const given = devolucoes.filter(({ status }) => status !== 'NAO_REALIZADO').map((refund) => refund.valor);
    if (!isValor(valor) || cents === 0n) return 'O campo devolucao.valor não respeita o _schema_.';
    if (devolucoes.some((refund) => refund.id === id)) return 'O id já foi utilizado por outra devolução deste Pix.';
    if (sumOf(given) + cents > sumOf([paid])) return 'As devoluções excederiam o valor do Pix.';
    return at + REFUND_WINDOW_MS < this.works.clock.now() ? 'O prazo de 90 dias passou.' : undefined;
  }

  #newRefund(parts: Pick<Refund, 'id' | 'valor' | 'natureza' | 'status' | 'settledAt' | 'next'>): Refund {
    return { ...parts, rtrId: this.#name('D'), askedAt: this.works.clock.now(), motivo: '' };
  }

  #scheduleRefund(endToEndId: string, { id, next, askedAt }: Refund): void {
    if (next === null) return;
    const since = new Date(askedAt).toISOString();
    this.after(since, this.works.delays.refundMs, () => this.#endRefund(endToEndId, id));
  }

  async #endRefund(endToEndId: string, id: string): Promise<void> {
    const found = this.#find(endToEndId);
    const refund = found?.pix.devolucoes.find((one) => one.id === id);
    if (found === undefined || refund === undefined || refund.next === null) return;
    const ended: Refund =
      refund.next === 'settle'
        ? { ...refund, status: 'DEVOLVIDO', settledAt: this.works.clock.now(), next: null }
        : { ...refund, status: 'NAO_REALIZADO', motivo: 'Saldo insuficiente', next: null };
    const pix = { ...found.pix, devolucoes: found.pix.devolucoes.map((one) => (one.id === id ? ended : one)) };
    const kind = refund.next === 'settle' ? 'refund_settled' : 'refund_failed';
    const change = { kind, pix: replaced(found.charge, pix), callback: this.#due() } as const;
    this.#notify(await this.#follow(found.charge, change), endToEndId);
  }

  #notify({ txid, seq, callback }: BookEntry, endToEndId: string): void {
    if (!this.isClosed && callback === 'due') this.#callbacks.notify({ txid, endToEndId, seq });
  }

  /** A callback that is off, or has no URL, at its due time is lost, not late. */
  #due(): Charge['callback'] {
    return this.works.faults.notifications === 'off' || !this.#callbacks.isWanted() ? 'none' : 'due';
  }

  /**
   * Adds the next entry of a charge. `before` must still be its latest entry: the caller awaited nothing since it looked the
   * entry up.
   */
  #follow(before: BookEntry, change: Partial<Charge> & { readonly kind: EntryKind }): Promise<BookEntry> {
    return this.record<BookEntry>({ ...before, ...change });
  }

  /** Returns `E` for a Pix or `D` for a devolução, followed by the bank, the minute and a unique number: 32 characters. */
  #name(kind: 'E' | 'D'): string {
    const minute = this.time().replace(/\D/g, '').slice(0, 12);
    return kind + ISPB + minute + this.works.book.length.toString(36).padStart(11, '0');
  }
}

function whyNot(
  { status, createdAt, expiracao }: Charge,
  now: number,
): Extract<Paid, { kind: 'refused' }>['why'] | undefined {
  if (status === 'CONCLUIDA') return 'already_paid';
  if (status !== 'ATIVA') return 'removed';
  return createdAt + expiracao * 1_000 <= now ? 'expired' : undefined;
}

const replaced = ({ pix }: Charge, changed: Pix): readonly Pix[] =>
  pix.map((one) => (one.endToEndId === changed.endToEndId ? changed : one));

const refused = (propriedade: string, razao: string) =>
  ({ kind: 'refused', violations: [{ razao, propriedade }] }) as const;
