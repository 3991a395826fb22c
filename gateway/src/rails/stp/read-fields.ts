/**
 * Reads the fields of STP's JSON. One of STP's systems sends a field as a number and another as a string, so this file
 * reads every number as the text in which it was written.
 */
import type { Instant } from '../../foundation/clock.ts';
import type { Money } from '../../foundation/money.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { amountOf, type Fields, shownTextOf } from '../kit/provider-json.ts';
import { isDate } from './operation-date.ts';
import { isReturnType } from './vocabulary.ts';

export const ID = /^\d{1,18}$/;
/** Matches a key as banks write it: up to 30 printable characters, including slashes and spaces. */
export const TRACKING_KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,28}[\x21-\x7e])?$/;
export const INSTITUTION = /^\d{3,5}$/;
/** Matches a CLABE, a card number or a mobile number. */
export const ACCOUNT = /^\d{10,18}$/;
const ACCOUNT_OR_NONE = /^(?:\d{10,18})?$/;

const MOST_TEXT = 200;

/**
 * Returns the text of a field, empty if the field is absent. The function removes trailing blanks, because STP pads some texts.
 * It also removes characters that no database stores, because a payer's unusual name must not keep the money out.
 */
export function textOf(fields: Fields, name: string): string {
  return shownTextOf(fields, name, MOST_TEXT);
}

/** Returns an amount in pesos above zero. Zeros beyond the second decimal are allowed, other digits are not. */
export function moneyOf(fields: Fields, name: string): Money | undefined {
  return amountOf(textOf(fields, name), 'MXN');
}

/** Returns a time in milliseconds since 1970. Null if the field is absent or `0`. */
export function instantOf(fields: Fields, name: string): Instant | null {
  const text = textOf(fields, name);
  return /^[1-9]\d{11,13}$/.test(text) ? Number(text) : null;
}

/** Returns the name of the first field that does not match its pattern. */
export function firstFault(fields: Fields, patterns: Readonly<Record<string, RegExp>>): string | undefined {
  return Object.keys(patterns).find((name) => !patterns[name]?.test(textOf(fields, name)));
}

/** The fields that an abono and the row of a list have in common. A text is empty if STP omits it. */
export interface TransferFields {
  readonly claveRastreo: string;
  /** The operation date as `YYYYMMDD`. */
  readonly fechaOperacion: string;
  readonly money: Money;
  readonly empresa: string;
  readonly cuentaOrdenante: string;
  readonly nombreOrdenante: string;
  readonly rfcCurpOrdenante: string;
  readonly cuentaBeneficiario: string;
  readonly nombreBeneficiario: string;
  readonly conceptoPago: string;
  readonly referenciaNumerica: string;
  /** True for an order of ours that was returned. Such a transfer does not pay a deposit. */
  readonly isReturnedOrder: boolean;
  readonly claveRastreoDevolucion: string;
  readonly settledAt: Instant | null;
}

/** The error names the first invalid field. A returned order may omit the beneficiary's account. */
export function readTransferFields(
  fields: Fields,
  patterns: Readonly<Record<string, RegExp>>,
): Result<TransferFields, string> {
  const isReturnedOrder = isReturnType(textOf(fields, 'tipoPago'));
  const returned = isReturnedOrder ? { cuentaBeneficiario: ACCOUNT_OR_NONE } : {};
  const fault = firstFault(fields, { ...patterns, ...returned });
  if (fault) return fail(fault);
  if (!isDate(textOf(fields, 'fechaOperacion'))) return fail('fechaOperacion');
  const money = moneyOf(fields, 'monto');
  if (!money) return fail('monto');
  return ok({
    claveRastreo: textOf(fields, 'claveRastreo'),
    fechaOperacion: textOf(fields, 'fechaOperacion'),
    money,
    empresa: textOf(fields, 'empresa'),
    cuentaOrdenante: textOf(fields, 'cuentaOrdenante'),
    nombreOrdenante: textOf(fields, 'nombreOrdenante'),
    rfcCurpOrdenante: textOf(fields, 'rfcCurpOrdenante'),
    cuentaBeneficiario: textOf(fields, 'cuentaBeneficiario'),
    nombreBeneficiario: textOf(fields, 'nombreBeneficiario'),
    conceptoPago: textOf(fields, 'conceptoPago'),
    referenciaNumerica: textOf(fields, 'referenciaNumerica'),
    isReturnedOrder,
    claveRastreoDevolucion: textOf(fields, 'claveRastreoDevolucion'),
    settledAt: instantOf(fields, 'tsLiquidacion'),
  });
}
