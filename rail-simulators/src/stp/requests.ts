/**
 * The checks of an order that the client registers, each with STP's number and message. Their order is not documented. Here
 * the signature is checked before the content.
 */
import type { KeyObject } from 'node:crypto';
import { toCents, toText } from '../kernel/amounts.ts';
import { institutionOf, isInstitution, STP_INSTITUTION } from './banks.ts';
import { isClabe } from './clabe.ts';
import { isSigned, ORDER_FIELDS, orderText } from './signature.ts';

export interface Client {
  readonly empresa: string;
  /** The prefix of the client's CLABEs. */
  readonly clabePrefix: string;
  /** Returns the client's registered key, or undefined if there is none. */
  readonly findPublicKey: () => KeyObject | undefined;
}

export type OrderFields = Readonly<Record<string, string>>;

export interface OrderRefusal {
  readonly id: number;
  readonly descripcionError: string;
}

type CheckedOrder = { readonly fields: OrderFields } | { readonly refusal: OrderRefusal };

const MANDATORY = [
  'claveRastreo',
  'conceptoPago',
  'cuentaBeneficiario',
  'empresa',
  'institucionContraparte',
  'institucionOperante',
  'monto',
  'nombreBeneficiario',
  'referenciaNumerica',
  'rfcCurpBeneficiario',
  'tipoCuentaBeneficiario',
  'tipoPago',
  'firma',
];

type Rule = (fields: OrderFields, client: Client) => OrderRefusal | false;

const refuse = (id: number, descripcionError: string): OrderRefusal => ({ id, descripcionError });
const field = (fields: OrderFields, name: string): string => fields[name] ?? '';

const ACCOUNT_PATTERNS: Readonly<Record<string, RegExp>> = { '3': /^\d{15,16}$/, '10': /^\d{10}$/, '40': /^\d{18}$/ };

function hasAccountType(fields: OrderFields, side: 'Ordenante' | 'Beneficiario'): boolean {
  const account = field(fields, `cuenta${side}`);
  const type = field(fields, `tipoCuenta${side}`);
  return ACCOUNT_PATTERNS[type]?.test(account) === true && (type !== '40' || isClabe(account));
}

const RULES: readonly Rule[] = [
  (fields) => {
    const missing = MANDATORY.find((name) => field(fields, name) === '');
    return missing !== undefined && refuse(0, `El campo <${labelOf(missing)}> es obligatorio`);
  },
  (fields, { empresa, findPublicKey }) =>
    (field(fields, 'empresa') !== empresa || findPublicKey() === undefined) &&
    refuse(0, 'Firma invalida No entity found for query'),
  (fields, { findPublicKey }) => {
    const key = findPublicKey();
    const isRight = key !== undefined && isSigned(orderText(withTwoDecimals(fields)), field(fields, 'firma'), key);
    return !isRight && refuse(0, 'Error validando la firma');
  },
  (fields) =>
    !/^[A-Za-z0-9]{1,30}$/.test(field(fields, 'claveRastreo')) &&
    refuse(-34, `Clave rastreo invalida : ${field(fields, 'claveRastreo')}`),
  (fields) =>
    toCents(field(fields, 'monto')) === undefined && refuse(-20, `El monto {${field(fields, 'monto')}} no es válido`),
  (fields) => {
    const institutions = [field(fields, 'institucionOperante'), field(fields, 'institucionContraparte')];
    const invalid =
      institutions[0] === STP_INSTITUTION ? institutions.find((code) => !isInstitution(code)) : institutions[0];
    return invalid !== undefined && refuse(-9, `La Institucion ${invalid} no es valida`);
  },
  (fields) => {
    const side = (['Beneficiario', 'Ordenante'] as const).find(
      (one) => field(fields, `cuenta${one}`) !== '' && !hasAccountType(fields, one),
    );
    return side !== undefined && refuse(-11, `El tipo de cuenta ${field(fields, `tipoCuenta${side}`)} es invalido`);
  },
  (fields) => field(fields, 'cuentaOrdenante') === '' && refuse(-200, 'Orden sin cuenta ordenante. Se rechaza por PLD'),
  (fields, { clabePrefix }) =>
    !field(fields, 'cuentaOrdenante').startsWith(clabePrefix) &&
    refuse(-7, `La cuenta {${field(fields, 'cuentaOrdenante')}} no existe `),
  (fields) => {
    const account = field(fields, 'cuentaBeneficiario');
    const institution = field(fields, 'institucionContraparte');
    const isOther = field(fields, 'tipoCuentaBeneficiario') === '40' && institutionOf(account) !== institution;
    return (
      isOther && refuse(-22, `La cuenta CLABE {${account}} no coincide para la institucion operante {${institution}}`)
    );
  },
  (fields) =>
    field(fields, 'cuentaBeneficiario') === field(fields, 'cuentaOrdenante') &&
    refuse(-24, `Cuenta {${field(fields, 'cuentaBeneficiario')}} - {MISMA_CUENTA}`),
];

/** Checks the parsed JSON of a registration, with numbers as strings. Ignores fields that the signature does not cover. */
export function checkOrder(body: Readonly<Record<string, unknown>>, client: Client): CheckedOrder {
  const texts = [...ORDER_FIELDS, 'firma'].map((name) => [name, typeof body[name] === 'string' ? body[name] : '']);
  const fields = Object.fromEntries(texts) as OrderFields;
  for (const rule of RULES) {
    const refusal = rule(fields, client);
    if (refusal) return { refusal };
  }
  return { fields: withTwoDecimals(fields) };
}

export function keyUsed(claveRastreo: string, fechaOperacion: string): OrderRefusal {
  return refuse(
    -1,
    `La clave de rastreo {${claveRastreo}} para la fecha {${fechaOperacion}} de la institucion {${STP_INSTITUTION}} ya fue utilizada`,
  );
}

/** STP's response if a test makes it reject a valid order: the bank no longer participates. */
export function refusedByBehaviour(fields: OrderFields): OrderRefusal {
  return refuse(-9, `La Institucion ${field(fields, 'institucionContraparte')} no es valida`);
}

function withTwoDecimals(fields: OrderFields): OrderFields {
  const cents = toCents(field(fields, 'monto'));
  return cents === undefined ? fields : { ...fields, monto: toText(cents) };
}

/** Returns `CONCEPTO PAGO` for `conceptoPago`. */
function labelOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter}`).toUpperCase();
}
