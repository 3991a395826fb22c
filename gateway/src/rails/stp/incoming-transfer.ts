/** Builds the domain's incoming transfer from either of STP's two forms: the abono and the row of a day's list. */
import type { IncomingTransfer } from '../../domain/deposits/deposit.ts';
import { withoutCardNumbers } from '../../domain/vault/card-number.ts';
import type { Instant } from '../../foundation/clock.ts';
import { isClabe } from './clabe.ts';
import { STP } from './configuration.ts';
import type { Abono } from './incoming-messages.ts';
import { referenceOf } from './order-reference.ts';
import type { ListedTransfer } from './queries.ts';

/** Equal for the same transfer from either source, because a bank uses a claveRastreo once on an operation date. */
function transferKey(claveRastreo: string, institution: string, fechaOperacion: string): string {
  return `${claveRastreo}/${institution}/${fechaOperacion}`;
}

/**
 * The order of ours that came back. STP normally returns it under the order's own key, and otherwise may name that key
 * too.
 */
function returnOf(abono: Pick<Abono, 'isReturnedOrder' | 'claveRastreo' | 'claveRastreoDevolucion'>) {
  if (!abono.isReturnedOrder) return {};
  return { returnOf: referenceOf(abono.claveRastreo) ?? referenceOf(abono.claveRastreoDevolucion) ?? '' };
}

/** Masks a card number, which pays no deposit. One CLABE in ten looks like one. */
const payToOf = (account: string) => (isClabe(account) ? account : withoutCardNumbers(account));

/** `now` replaces the time of settlement if STP omits it. */
export function transferOfAbono(abono: Abono, now: Instant): IncomingTransfer {
  return {
    rail: STP,
    transferKey: transferKey(abono.claveRastreo, abono.institucionOrdenante, abono.fechaOperacion),
    payTo: payToOf(abono.cuentaBeneficiario),
    money: abono.money,
    originator: {
      name: abono.nombreOrdenante,
      account: abono.cuentaOrdenante,
      institution: abono.institucionOrdenante,
      concept: abono.conceptoPago,
      trackingKey: abono.claveRastreo,
    },
    bookedAt: abono.settledAt ?? now,
    ...returnOf(abono),
  };
}

export function transferOfRow(row: ListedTransfer, now: Instant): IncomingTransfer {
  return {
    rail: STP,
    transferKey: transferKey(row.claveRastreo, row.institucionContraparte, row.fechaOperacion),
    payTo: payToOf(row.cuentaBeneficiario),
    money: row.money,
    originator: {
      name: row.nombreOrdenante,
      account: row.cuentaOrdenante,
      institution: row.institucionContraparte,
      concept: row.conceptoPago,
      trackingKey: row.claveRastreo,
    },
    bookedAt: row.settledAt ?? now,
    ...returnOf(row),
  };
}
