/**
 * The strings that a client's signature covers (cadena original), and their verification with the client's public key. Written
 * independently of the gateway's code, so that neither hides a bug of the other.
 */
import { type KeyObject, verify } from 'node:crypto';

/** The signed fields of an order, in STP's order. */
export const ORDER_FIELDS = [
  'institucionContraparte empresa fechaOperacion folioOrigen claveRastreo institucionOperante monto tipoPago',
  'tipoCuentaOrdenante nombreOrdenante cuentaOrdenante rfcCurpOrdenante',
  'tipoCuentaBeneficiario nombreBeneficiario cuentaBeneficiario rfcCurpBeneficiario emailBeneficiario',
  'tipoCuentaBeneficiario2 nombreBeneficiario2 cuentaBeneficiario2 rfcCurpBeneficiario2',
  'conceptoPago conceptoPago2 claveCatUsuario1 claveCatUsuario2 clavePago referenciaCobranza referenciaNumerica',
  'tipoOperacion topologia usuario medioEntrega prioridad iva',
].flatMap((line) => line.split(' '));

export const joined = (values: readonly string[]): string => `||${values.join('|')}||`;

/** The amount in `fields` has two decimals. */
export function orderText(fields: Readonly<Record<string, string>>): string {
  return joined(ORDER_FIELDS.map((field) => fields[field] ?? ''));
}

/** Verifies RSA-SHA256, PKCS#1 v1.5, in base64, over UTF-8. */
export function isSigned(text: string, firma: string, publicKey: KeyObject): boolean {
  return verify('sha256', Buffer.from(text), publicKey, Buffer.from(firma, 'base64'));
}
