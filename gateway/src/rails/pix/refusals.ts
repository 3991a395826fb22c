/**
 * Reads the bank's errors: RFC 7807, with the violations of its rules.
 *
 * Confirmed by the OpenAPI document 2.9.0: the fields, and the prefix of a type. Not confirmed: that every bank follows it
 * (some return other fields), so only the message to the payer may depend on it.
 */
import { asFields, type Fields, readPlainObject } from '../kit/provider-json.ts';
import { listOf, textOf } from './read-fields.ts';

export interface Problem {
  readonly status: number;
  /** The last part of the type, for example `CobOperacaoInvalida`. Empty if the bank gives none. */
  readonly type: string;
  /** A text for the operator: the title, and the reasons of the violations. */
  readonly reason: string;
  /** The invalid properties, for example `cob.devedor.cpf`. */
  readonly properties: readonly string[];
}

const MOST_VIOLATIONS = 5;

/**
 * Returns true if a 404 is the bank's response about the object, and not the response of a proxy before the bank that does
 * not know the address. Recognised by the standard's types (`CobNaoEncontrado`), or by the equivalent text of a bank without
 * types.
 */
export function saysNotFound(body: Buffer): boolean {
  const words = JSON.stringify(readPlainObject(body) ?? {})
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');
  return /nao[ _-]?encontrad/i.test(words);
}

export function readProblem(status: number, body: Buffer): Problem {
  const fields: Fields = readPlainObject(body) ?? {};
  const violations = listOf(fields, 'violacoes').slice(0, MOST_VIOLATIONS).map(asFields);
  const reasons = violations.map((violation) => textOf(violation, 'razao')).filter((reason) => reason !== '');
  return {
    status,
    type: textOf(fields, 'type').split('/').at(-1) ?? '',
    reason: [`HTTP ${status}`, textOf(fields, 'title'), ...reasons].filter((text) => text !== '').join(' '),
    properties: violations.map((violation) => textOf(violation, 'propriedade')).filter((name) => name !== ''),
  };
}
