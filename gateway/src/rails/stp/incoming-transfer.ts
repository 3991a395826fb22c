/** Builds the domain's incoming transfer from either of STP's two forms: the abono and the row of a day's list. */
import type { IncomingTransfer } from '../../domain/deposits/deposit.ts';
import { withoutCardNumbers } from '../../domain/vault/card-number.ts';
import type { Instant } from '../../foundation/clock.ts';
import { isClabe } from './clabe.ts';
import { STP } from './configuration.ts';
import type { Abono } from './notification-messages.ts';
import type { ListedTransfer } from './queries.ts';
import type { TransferFields } from './read-fields.ts';
import { referenceOf } from './reference.ts';

/** Returns the same key for a transfer from either source, because a bank uses a claveRastreo once on an operation date. */
function transferKey(claveRastreo: string, institution: string, fechaOperacion: string): string {
  return `${claveRastreo}/${institution}/${fechaOperacion}`;
}

/** Returns the order of ours that came back. STP returns it under its own key, or otherwise may also state that key. */
function returnOf({ isReturnedOrder, claveRastreo, claveRastreoDevolucion }: TransferFields) {
  if (!isReturnedOrder) return {};
  return { returnOf: referenceOf(claveRastreo) ?? referenceOf(claveRastreoDevolucion) ?? '' };
}

/** Masks a card number, which does not pay a deposit. One CLABE in ten looks like one. */
const payToOf = (account: string) => (isClabe(account) ? account : withoutCardNumbers(account));

/** `now` replaces the time of settlement if STP omits it. */
function transferOf(stated: TransferFields, institution: string, now: Instant): IncomingTransfer {
  return {
    rail: STP,
    transferKey: transferKey(stated.claveRastreo, institution, stated.fechaOperacion),
    payTo: payToOf(stated.cuentaBeneficiario),
    money: stated.money,
    originator: {
      name: stated.nombreOrdenante,
      account: stated.cuentaOrdenante,
      institution,
      concept: stated.conceptoPago,
      trackingKey: stated.claveRastreo,
    },
    bookedAt: stated.settledAt ?? now,
    ...returnOf(stated),
  };
}

export const transferOfAbono = (abono: Abono, now: Instant) => transferOf(abono, abono.institucionOrdenante, now);
export const transferOfRow = (row: ListedTransfer, now: Instant) => transferOf(row, row.institucionContraparte, now);
