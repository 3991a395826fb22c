/** The first book entry of each kind of transfer: a received payment, an accepted order, a returned order. Pure functions. */
import type { BookEntry, Transfer } from './book.ts';
import type { Payment } from './payers.ts';
import type { OrderFields } from './requests.ts';

/** The book adds the position and the time. */
type NewEntry = Omit<BookEntry, 'seq' | 'at'>;

/** The values that STP assigns to a new transfer. */
export interface Given {
  readonly id: number;
  readonly fechaOperacion: string;
  /** The time in milliseconds since 1970. */
  readonly now: number;
}

export function paymentReceived(payment: Payment, given: Given, notification: Transfer['notification']): NewEntry {
  const { id, now } = given;
  return {
    ...settledNow(given),
    claveRastreo: payment.claveRastreo || `SIM${now.toString(36).toUpperCase()}${id}`,
    institucionContraparte: payment.institution,
    monto: payment.monto,
    nombreOrdenante: payment.name,
    cuentaOrdenante: payment.account,
    rfcCurpOrdenante: 'ND',
    nombreBeneficiario: 'NO DISPONIBLE',
    cuentaBeneficiario: payment.clabe,
    conceptoPago: payment.concept,
    referenciaNumerica: payment.reference,
    tipoPago: 1,
    causaDevolucion: null,
    notification,
  };
}

/** Creates the received transfer that returns an order's money, with the order's own tracking key and without names. */
export function orderCameBack(order: BookEntry, given: Given, notification: Transfer['notification']): NewEntry {
  return {
    ...settledNow(given),
    claveRastreo: order.claveRastreo,
    institucionContraparte: order.institucionContraparte,
    monto: order.monto,
    nombreOrdenante: '',
    cuentaOrdenante: '',
    rfcCurpOrdenante: '',
    nombreBeneficiario: '',
    cuentaBeneficiario: order.cuentaOrdenante,
    conceptoPago: '',
    referenciaNumerica: order.referenciaNumerica,
    tipoPago: 0,
    causaDevolucion: order.causaDevolucion,
    notification,
  };
}

const COPIED_FIELDS = [
  'claveRastreo',
  'folioOrigen',
  'institucionContraparte',
  'monto',
  'nombreOrdenante',
  'cuentaOrdenante',
  'rfcCurpOrdenante',
  'nombreBeneficiario',
  'cuentaBeneficiario',
  'conceptoPago',
  'referenciaNumerica',
] as const;

export function orderAccepted(fields: OrderFields, given: Given, next: Transfer['next']): NewEntry {
  const copied = Object.fromEntries(COPIED_FIELDS.map((name) => [name, fields[name] ?? '']));
  return {
    ...(copied as Record<(typeof COPIED_FIELDS)[number], string>),
    kind: 'order_accepted',
    direction: 'E',
    id: given.id,
    fechaOperacion: given.fechaOperacion,
    tipoPago: 1,
    estado: 'L',
    causaDevolucion: null,
    tsCaptura: given.now,
    tsLiquidacion: null,
    next,
    notification: 'none',
  };
}

function settledNow({ id, fechaOperacion, now }: Given) {
  return {
    kind: 'received',
    direction: 'R',
    id,
    fechaOperacion,
    folioOrigen: '',
    estado: 'LQ',
    tsCaptura: now,
    tsLiquidacion: now,
    next: null,
  } as const;
}
