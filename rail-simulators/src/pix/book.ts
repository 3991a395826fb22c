/** The bank's own book: every charge with its Pix payments and their refunds (devoluções). */
import { sumOf, toText } from '../kernel/amounts.ts';
import { BookEntries } from '../kernel/book-entries.ts';

type ChargeStatus = 'ATIVA' | 'CONCLUIDA' | 'REMOVIDA_PELO_USUARIO_RECEBEDOR' | 'REMOVIDA_PELO_PSP';
type RefundStatus = 'EM_PROCESSAMENTO' | 'DEVOLVIDO' | 'NAO_REALIZADO';
export type Natureza = 'ORIGINAL' | 'MED_OPERACIONAL' | 'MED_FRAUDE';

export interface Person {
  readonly cpf: string;
  readonly nome: string;
}

export interface Refund {
  readonly id: string;
  readonly rtrId: string;
  readonly valor: string;
  readonly natureza: Natureza;
  /** The time in milliseconds, like all times in this file. */
  readonly askedAt: number;
  readonly settledAt: number | null;
  readonly status: RefundStatus;
  readonly motivo: string;
  /** The next automatic event. */
  readonly next: 'settle' | 'fail' | null;
}

export interface Pix {
  readonly endToEndId: string;
  readonly valor: string;
  readonly at: number;
  readonly pagador: Person;
  readonly devolucoes: readonly Refund[];
}

/** The terms that the client requests. */
export interface ChargeTerms {
  readonly valor: string;
  readonly chave: string;
  /** The validity in seconds. */
  readonly expiracao: number;
  readonly devedor: Person | null;
  readonly solicitacaoPagador: string;
}

export interface Charge extends ChargeTerms {
  readonly txid: string;
  readonly status: ChargeStatus;
  readonly revisao: number;
  readonly createdAt: number;
  /** The last part of the URL in the charge's code. */
  readonly token: string;
  readonly pix: readonly Pix[];
  /** `due` until the client has accepted the callback about the latest Pix or refund. */
  readonly callback: 'none' | 'due' | 'accepted';
}

export type EntryKind =
  | 'charge_created'
  | 'charge_changed'
  | 'charge_removed'
  | 'pix_received'
  | 'refund_requested'
  | 'refund_settled'
  | 'refund_failed'
  | 'reversed'
  | 'acknowledged';

export interface BookEntry extends Charge {
  readonly seq: number;
  readonly kind: EntryKind;
  readonly at: string;
}

export class Book extends BookEntries<BookEntry, string> {
  readonly #txidOfToken = new Map<string, string>();
  readonly #txidOfPix = new Map<string, string>();

  constructor() {
    super(({ txid }) => txid);
  }

  chargeAt(token: string): BookEntry | undefined {
    return this.latest(this.#txidOfToken.get(token) ?? '');
  }

  chargeOfPix(endToEndId: string): BookEntry | undefined {
    return this.latest(this.#txidOfPix.get(endToEndId) ?? '');
  }

  /** The number of entries. Every new Pix and devolução sees a different number, so their ids contain it. */
  get length(): number {
    return this.entries().length;
  }

  summary(): object {
    const charges = this.all();
    const pix = charges.flatMap((charge) => charge.pix);
    const back = pix.flatMap(({ devolucoes }) => devolucoes).filter(({ status }) => status === 'DEVOLVIDO');
    const refunds = back.filter(({ natureza }) => natureza === 'ORIGINAL');
    const reversed = back.filter(({ natureza }) => natureza !== 'ORIGINAL');
    const amountOf = (items: readonly { readonly valor: string }[]) => toText(sumOf(items.map(({ valor }) => valor)));
    return {
      charges: charges.length,
      charges_removed: charges.filter(({ status }) => status.startsWith('REMOVIDA')).length,
      pix: pix.length,
      pix_amount: amountOf(pix),
      paid_over_once: charges.filter((charge) => charge.pix.length > 1).map(({ txid }) => txid),
      refunds_settled: refunds.length,
      refunds_settled_amount: amountOf(refunds),
      reversed_amount: amountOf(reversed),
      callbacks_due: charges.filter(({ callback }) => callback === 'due').length,
    };
  }

  override clear(): void {
    super.clear();
    this.#txidOfToken.clear();
    this.#txidOfPix.clear();
  }

  protected override register({ txid, token, pix }: BookEntry): void {
    this.#txidOfToken.set(token, txid);
    for (const { endToEndId } of pix) this.#txidOfPix.set(endToEndId, txid);
  }
}
