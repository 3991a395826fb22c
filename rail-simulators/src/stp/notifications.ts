/**
 * Notifies the client of abonos and of an order's state changes. Repeats each until the client gives the response that STP
 * documents.
 */
import { jsonNumber, parseKeepingNumbers } from '../kernel/fields.ts';
import { Notifier } from '../kernel/notifier.ts';
import { type Answered, jsonLetter } from '../kernel/retrying-sender.ts';
import { STP_INSTITUTION } from './banks.ts';
import type { BookEntry } from './book.ts';
import type { Faults } from './faults.ts';
import type { AbonoAnswer, StpWorks } from './processing.ts';

export interface Addresses {
  readonly abonoUrl: string;
  readonly stateUrl: string;
}

export interface Accepted {
  readonly onAbonoAnswered: (entry: BookEntry, answer: AbonoAnswer) => void;
  readonly onStateAccepted: (entry: BookEntry) => void;
}

export function createDeliveries(
  works: StpWorks,
  empresa: string,
  { abonoUrl, stateUrl }: Addresses,
  { onAbonoAnswered, onStateAccepted }: Accepted,
): Notifier<BookEntry> {
  const { faults, delays } = works;
  let sent = 0;
  return new Notifier<BookEntry>(works, {
    owner: 'STP',
    nameOf: ({ direction, id, estado }) => `${direction}${id}.${estado}`,
    // Notifications do not wait for each other, because a test may send the same abono ten times concurrently.
    subjectOf: () => sent++,
    fault: () => faults.notifications,
    write: (entry) =>
      entry.direction === 'R'
        ? jsonLetter(abonoUrl, writeAbono(entry, empresa, faults))
        : jsonLetter(stateUrl, writeStateChange(entry, empresa, faults)),
    isAccepted: (answered, { direction }) =>
      direction === 'R' ? abonoAnswerOf(answered) !== undefined : isReceived(answered),
    onAccepted(entry, answered) {
      const answer = entry.direction === 'R' ? abonoAnswerOf(answered) : undefined;
      if (answer === undefined) onStateAccepted(entry);
      else onAbonoAnswered(entry, answer);
    },
    pace: { longestPauseMs: delays.longestPauseMs },
  });
}

function abonoAnswerOf({ status, text }: Answered): AbonoAnswer | undefined {
  const answer = parseKeepingNumbers(text);
  if (status === 200 && answer?.['mensaje'] === 'confirmar') return { kind: 'confirm' };
  const reason = Number(answer?.['id']);
  const givesBack = [200, 400].includes(status) && answer?.['mensaje'] === 'devolver';
  const isReason = Number.isInteger(reason) && reason > 0 && reason < 100;
  return givesBack && isReason ? { kind: 'give_back', reason } : undefined;
}

function isReceived({ status, text }: Answered): boolean {
  return status === 200 && parseKeepingNumbers(text)?.['mensaje'] === 'recibido';
}

function writeAbono(entry: BookEntry, empresa: string, faults: Readonly<Faults>): object {
  return {
    id: entry.id,
    fechaOperacion: Number(entry.fechaOperacion),
    institucionOrdenante: Number(entry.institucionContraparte),
    institucionBeneficiaria: Number(STP_INSTITUTION),
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
  };
}

const STATE_IN_WORDS: Readonly<Partial<Record<BookEntry['estado'], string>>> = {
  LQ: 'Success',
  CN: 'Cancel',
  D: 'Refund',
};

function writeStateChange(entry: BookEntry, empresa: string, faults: Readonly<Faults>): object {
  return {
    id: String(entry.id),
    empresa,
    folioOrigen: entry.folioOrigen,
    estado: (faults.state_words === 'words' ? STATE_IN_WORDS[entry.estado] : undefined) ?? entry.estado,
    causaDevolucion: entry.causaDevolucion === null ? '' : String(entry.causaDevolucion),
    tsLiquidacion: String(entry.tsLiquidacion ?? 0),
  };
}

export function accountType(account: string): number {
  return { 10: 10, 15: 3, 16: 3 }[account.length] ?? 40;
}
