/** Checks the terms of a charge that the client requests. */
import { sumOf } from '../kernel/amounts.ts';
import { asFields, isObject } from '../kernel/fields.ts';
import type { ChargeTerms, Person } from './book.ts';
import type { Violation } from './errors.ts';

type CheckedTerms = { readonly terms: ChargeTerms } | { readonly violations: readonly Violation[] };

const DEFAULT_EXPIRACAO = 86_400;

/** `chave` is the client's only key. */
export function checkTerms(value: unknown, chave: string): CheckedTerms {
  if (!isObject(value)) return { violations: [{ razao: 'O corpo não é um objeto.', propriedade: 'cob' }] };
  const fields = value;
  const valor = asFields(fields['valor'])['original'];
  const expiracao = asFields(fields['calendario'])['expiracao'] ?? DEFAULT_EXPIRACAO;
  const devedor = fields['devedor'] === undefined ? null : personOf(fields['devedor']);
  const text = fields['solicitacaoPagador'] ?? '';
  const isAmount = typeof valor === 'string' && isValor(valor);
  const isText = typeof text === 'string' && [...text].length <= 140;
  const violations = [
    isAmount && sumOf([valor]) === 0n && violation('valor.original', 'é zero.'),
    !isAmount && violation('valor.original', 'não respeita o _schema_.'),
    !(Number.isInteger(expiracao) && Number(expiracao) > 0) &&
      violation('calendario.expiracao', 'é igual ou menor que zero.'),
    fields['chave'] !== chave &&
      violation('chave', 'corresponde a uma conta que não pertence a este usuário recebedor.'),
    devedor === undefined && violation('devedor', 'não respeita o _schema_.'),
    !isText && violation('solicitacaoPagador', 'não respeita o _schema_.'),
  ].filter((found) => found !== false);
  if (violations.length > 0 || !isAmount || devedor === undefined || !isText) return { violations };
  return { terms: { valor, chave, expiracao: Number(expiracao), devedor, solicitacaoPagador: text } };
}

/** True if a body requests only the removal. */
export function isRemoval(value: unknown): boolean {
  const fields = asFields(value);
  return Object.keys(fields).length === 1 && fields['status'] === 'REMOVIDA_PELO_USUARIO_RECEBEDOR';
}

/** Checks the Pix API's format of amounts: one to ten digits, a point and two digits. */
export function isValor(text: string): boolean {
  return /^\d{1,10}\.\d{2}$/.test(text);
}

function personOf(value: unknown): Person | undefined {
  const { cpf, nome } = asFields(value);
  if (typeof cpf !== 'string' || typeof nome !== 'string' || !isCpf(cpf) || nome === '' || nome.length > 200)
    return undefined;
  return { cpf, nome };
}

/** Checks for eleven digits, of which the last two are check digits. */
export function isCpf(text: string): boolean {
  if (!/^\d{11}$/.test(text) || /^(\d)\1+$/.test(text)) return false;
  const check = (count: number) => {
    const sum = [...text.slice(0, count)].reduce((total, digit, at) => total + Number(digit) * (count + 1 - at), 0);
    return ((sum * 10) % 11) % 10 === Number(text[count]);
  };
  return check(9) && check(10);
}

const violation = (propriedade: string, what: string): Violation => ({
  razao: `O campo cob.${propriedade} ${what}`,
  propriedade: `cob.${propriedade}`,
});
