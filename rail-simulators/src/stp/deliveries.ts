/**
 * Tells the client what happened: the abono of a received transfer and the changes of state of an order, each until it is
 * answered in STP's words. The faults of the notifications are played here; why something is told is stp.ts's.
 */
import { type Clock, TimerSet } from '../clock.ts';
import { Overtaking } from '../kernel/overtaking.ts';
import { type Attempt, postJson, RetryingSender } from '../kernel/retrying-sender.ts';
import { jsonNumber, parseKeepingNumbers } from './amounts.ts';
import type { BookEntry } from './book.ts';
import type { Faults } from './faults.ts';
import { stpInstitution } from './institutions.ts';

/** `give_back` has the number of its reason. */
export type AbonoAnswer = { readonly kind: 'confirm' } | { readonly kind: 'give_back'; readonly reason: number };

export interface DeliveriesOptions {
  readonly empresa: string;
  readonly abonoUrl: string;
  readonly stateUrl: string;
  readonly clock: Clock;
  readonly faults: Readonly<Faults>;
  /** How long a late notification is late, and how long one waits for another to overtake it. */
  readonly lateMs: number;
  readonly longestPauseMs: number;
  readonly log: (line: string) => void;
  readonly onAbonoAnswered: (entry: BookEntry, answer: AbonoAnswer) => void;
  readonly onStateAccepted: (entry: BookEntry) => void;
}

// Enough under way at once for a test that wants the same abono ten times at the same moment.
const limits = { underWay: 32, waiting: 10_000 };

export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #timers: TimerSet;
  readonly #abonos: RetryingSender<BookEntry, AbonoAnswer>;
  readonly #states: RetryingSender<BookEntry, 'received'>;
  readonly #overtaking: Overtaking<{ readonly entry: BookEntry; readonly sendings: number }>;

  constructor(options: DeliveriesOptions) {
    const { clock, log } = options;
    this.#options = options;
    this.#timers = new TimerSet(clock);
    this.#overtaking = new Overtaking(this.#timers, options.lateMs, ({ entry, sendings }) =>
      this.#send(entry, sendings),
    );
    const nameOf = ({ direction, id, estado }: BookEntry) => `${direction}${id}.${estado}`;
    const common = { owner: 'STP', nameOf, clock, log, limits, longestPauseMs: options.longestPauseMs };
    this.#abonos = new RetryingSender<BookEntry, AbonoAnswer>({
      ...common,
      attempt: (entry, stopping) => tellAbono(options, entry, stopping),
      onAccepted: options.onAbonoAnswered,
    });
    this.#states = new RetryingSender<BookEntry, 'received'>({
      ...common,
      attempt: (entry, stopping) => tellState(options, entry, stopping),
      onAccepted: options.onStateAccepted,
    });
  }

  /** Sends `sendings` times at once, in the way that the fault of the moment says. */
  tell(entry: BookEntry, sendings: number): void {
    switch (this.#options.faults.notifications) {
      case 'late':
        this.#timers.after(this.#options.lateMs, () => void this.#send(entry, sendings));
        return;
      case 'out_of_order':
        void this.#overtaking.tell({ entry, sendings });
        return;
      case 'twice':
        void this.#send(entry, 2 * sendings);
        return;
      default:
        void this.#send(entry, sendings);
    }
  }

  /** Forgets everything that waits and breaks off what is under way. */
  stop(): void {
    this.#timers.cancelAll();
    this.#overtaking.stop();
    this.#abonos.stop();
    this.#states.stop();
  }

  /** Resolves after the first attempt of each. */
  async #send(entry: BookEntry, sendings: number): Promise<void> {
    const sender = entry.direction === 'R' ? this.#abonos : this.#states;
    await Promise.all(Array.from({ length: sendings }, () => sender.send(entry)));
  }
}

async function tellAbono(
  options: DeliveriesOptions,
  entry: BookEntry,
  stopping: AbortSignal,
): Promise<Attempt<AbonoAnswer>> {
  if (options.faults.notifications === 'off') return { refusal: 'switched off' };
  const reply = await postJson(options.abonoUrl, writeAbono(entry, options), {}, stopping);
  if ('refusal' in reply) return reply;
  const answer = parseKeepingNumbers(Buffer.from(reply.text));
  if (reply.status === 200 && answer?.['mensaje'] === 'confirmar') return { answer: { kind: 'confirm' } };
  const reason = Number(answer?.['id']);
  const givesBack = [200, 400].includes(reply.status) && answer?.['mensaje'] === 'devolver';
  if (givesBack && Number.isInteger(reason) && reason > 0 && reason < 100) {
    return { answer: { kind: 'give_back', reason } };
  }
  return { refusal: `HTTP ${reply.status}` };
}

async function tellState(
  options: DeliveriesOptions,
  entry: BookEntry,
  stopping: AbortSignal,
): Promise<Attempt<'received'>> {
  if (options.faults.notifications === 'off') return { refusal: 'switched off' };
  const reply = await postJson(options.stateUrl, writeStateChange(entry, options), {}, stopping);
  if ('refusal' in reply) return reply;
  const isReceived = reply.status === 200 && parseKeepingNumbers(Buffer.from(reply.text))?.['mensaje'] === 'recibido';
  return isReceived ? { answer: 'received' } : { refusal: `HTTP ${reply.status}` };
}

function writeAbono(entry: BookEntry, { empresa, faults }: DeliveriesOptions): string {
  return JSON.stringify({
    id: entry.id,
    fechaOperacion: Number(entry.fechaOperacion),
    institucionOrdenante: Number(entry.institucionContraparte),
    institucionBeneficiaria: Number(stpInstitution),
    claveRastreo: entry.claveRastreo,
    monto: jsonNumber(faults.notifications === 'wrong_amount' ? '999999.99' : entry.monto),
    nombreOrdenante: entry.nombreOrdenante,
    tipoCuentaOrdenante: accountType(entry.cuentaOrdenante),
    cuentaOrdenante: entry.cuentaOrdenante,
    rfcCurpOrdenante: entry.rfcCurpOrdenante,
    nombreBeneficiario: entry.nombreBeneficiario,
    tipoCuentaBeneficiario: accountType(entry.cuentaBeneficiario),
    cuentaBeneficiario: entry.cuentaBeneficiario,
    rfcCurpBeneficiario: 'ND',
    conceptoPago: entry.conceptoPago,
    referenciaNumerica: Number(entry.referenciaNumerica),
    empresa,
    tipoPago: entry.tipoPago,
    tsLiquidacion: String(entry.tsLiquidacion ?? 0),
  });
}

const stateInWords: Readonly<Partial<Record<BookEntry['estado'], string>>> = {
  LQ: 'Success',
  CN: 'Cancel',
  D: 'Refund',
};

function writeStateChange(entry: BookEntry, { empresa, faults }: DeliveriesOptions): string {
  return JSON.stringify({
    id: String(entry.id),
    empresa,
    folioOrigen: entry.folioOrigen,
    estado: (faults.state_words === 'words' ? stateInWords[entry.estado] : undefined) ?? entry.estado,
    causaDevolucion: entry.causaDevolucion === null ? '' : String(entry.causaDevolucion),
    tsLiquidacion: String(entry.tsLiquidacion ?? 0),
  });
}

export function accountType(account: string): number {
  return { 10: 10, 15: 3, 16: 3 }[account.length] ?? 40;
}
