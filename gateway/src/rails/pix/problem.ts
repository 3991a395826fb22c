/**
 * How the bank says no: RFC 7807, with the violations of its rules.
 *
 * Confirmed by the OpenAPI document 2.9.0: the fields, the address that a type begins with. Not confirmed: that every bank
 * keeps to it (some answer with fields of their own), so that nothing depends on it but a better word to the payer.
 */
import { asFields, type Fields, readPlainObject } from '../kit/provider-json.ts';
import { listOf, textOf } from './read-json.ts';

export interface Problem {
  readonly status: number;
  /** The last part of the type: `CobOperacaoInvalida`. Empty where the bank gives none. */
  readonly type: string;
  /** For an operator: the title and the reasons of the violations. */
  readonly reason: string;
  /** The properties at fault: `cob.devedor.cpf`. */
  readonly properties: readonly string[];
}

const MOST_VIOLATIONS = 5;

/**
 * Whether a 404 is the bank's word about what was asked for, and not that of whatever stands before the bank and does not
 * know the address. By the standard's types (`CobNaoEncontrado`), or by the same words as one bank without types has them.
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
