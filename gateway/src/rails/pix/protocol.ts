/**
 * An immediate charge (cobrança imediata, "cob") of the API Pix: what we ask for, and what the bank's answer holds. Pure:
 * no network, no clock. Refunds are in refunds.ts, what the bank tells by itself in notifications.ts.
 *
 * Confirmed by the Central Bank's OpenAPI document 2.9.0: the addresses and methods, the fields and patterns, the four
 * states, RFC 7807, the examples in the tests. By its maintainers' answers in the issues of that repository: a charge may
 * have several Pix (#31, #64); one past its expiry stays ATIVA and no bank should pay it (#319); a removed one stays removed
 * (#387), but a Pix that is on its way may still arrive after the removal (#324); PUT creates and changes alike (#305, of cobv). So
 * money counts whatever the state says, and the state without money only where it is a final one.
 * Not in 2.9.0: who paid. `pagador` {cpf or cnpj, nome} stood in the examples of 2.0 and was named as mandatory, though not
 * described, until 2.6.2; some banks give it, and one that leaves it out has told nothing. Also not in it, and by public clients of one bank (Efí): a
 * second PUT is refused there (409 `txid_duplicado`), so that a refusal is believed only after a GET. Not confirmed: whether
 * the others answer it with 200 or 201, which are taken for the same.
 */
import { invariant } from '../../foundation/invariant.ts';
import { formatAmount, type Money } from '../../foundation/money.ts';
import { asFields, type Fields, readPlainObject } from '../kit/provider-json.ts';
import { locationIn, writeBrCode } from './br-code.ts';
import { type Problem, readProblem, saysNotFound } from './problem.ts';
import { listOf, moneyOf, textOf } from './read-json.ts';
import { type GivenBack, readGivenBack } from './refunds.ts';

export function chargePath(txid: string): string {
  invariant(/^[a-zA-Z0-9]{26,35}$/.test(txid), 'a txid has 26 to 35 letters and digits');
  return `/cob/${txid}`;
}

export interface NewCharge {
  readonly money: Money;
  readonly chave: string;
  /** Whole seconds from the bank's own now, above zero. */
  readonly expiresInSeconds: number;
  /** Whom the charge is addressed to. Null: nobody in particular. Anybody can pay it either way. */
  readonly debtor: { readonly cpf: string; readonly name: string } | null;
  /** Shown to the payer. */
  readonly text: string;
}

const MOST_NAME = 200;
const MOST_TEXT = 140;

/** The body of a PUT. */
export function writeCharge({ money, chave, expiresInSeconds, debtor, text }: NewCharge): string {
  invariant(money.currency === 'BRL' && money.minor > 0n, 'Pix carries reais');
  invariant(Number.isInteger(expiresInSeconds) && expiresInSeconds > 0, 'a charge expires after a while');
  return JSON.stringify({
    calendario: { expiracao: expiresInSeconds },
    ...(debtor === null ? {} : { devedor: { cpf: debtor.cpf, nome: debtor.name.slice(0, MOST_NAME) } }),
    valor: { original: formatAmount(money) },
    chave,
    ...(text === '' ? {} : { solicitacaoPagador: text.slice(0, MOST_TEXT) }),
  });
}

/** The body of a PATCH that removes a charge, so that nobody pays it any more. */
export const REMOVAL = JSON.stringify({ status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });

const STATES = ['ATIVA', 'CONCLUIDA', 'REMOVIDA_PELO_USUARIO_RECEBEDOR', 'REMOVIDA_PELO_PSP'] as const;
export type ChargeState = (typeof STATES)[number];

export interface Charge {
  readonly txid: string;
  readonly state: ChargeState;
  /** What was asked for. */
  readonly money: Money;
  /** CPF or CNPJ of whom it is addressed to; empty where it is nobody in particular. */
  readonly debtorTaxId: string;
  /** Without `https://`; empty where the bank gives none. */
  readonly location: string;
  /** The bank's own BR Code; empty where it gives none. */
  readonly code: string;
  readonly received: readonly ReceivedPix[];
}

export interface ReceivedPix {
  readonly endToEndId: string;
  readonly money: Money;
  /** CPF or CNPJ; empty where the bank does not tell it, or tells a part of it only. */
  readonly payerTaxId: string;
  readonly givenBack: readonly GivenBack[];
}

export type ChargeAnswer =
  | { readonly kind: 'charge'; readonly charge: Charge }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly problem: Problem }
  | { readonly kind: 'unknown'; readonly reason: string };

/** The answer to a PUT, a PATCH or a GET. A Pix in it that can't be read makes all of it unknown: no money is passed over. */
export function readChargeAnswer(status: number, body: Buffer, txid: string): ChargeAnswer {
  if (status === 404 && saysNotFound(body)) return { kind: 'not_found' };
  if (status === 404) return { kind: 'unknown', reason: 'HTTP 404, and not by the bank' };
  if (status >= 400 && status < 500) return { kind: 'refused', problem: readProblem(status, body) };
  const fields = status === 200 || status === 201 ? readPlainObject(body) : undefined;
  if (!fields) return { kind: 'unknown', reason: `HTTP ${status}` };
  if (textOf(fields, 'txid') !== txid) return { kind: 'unknown', reason: 'the bank tells of another charge' };
  const state = STATES.find((known) => known === textOf(fields, 'status'));
  const money = moneyOf(asFields(fields['valor']), 'original');
  const received = listOf(fields, 'pix').map((pix) => readReceivedPix(asFields(pix), txid));
  if (!state || !money) return { kind: 'unknown', reason: `the bank says ${textOf(fields, 'status')}` };
  if (received.includes(undefined)) return { kind: 'unknown', reason: 'the bank tells of a Pix that can’t be read' };
  return {
    kind: 'charge',
    charge: {
      txid,
      state,
      money,
      debtorTaxId: taxIdOf(asFields(fields['devedor'])),
      location: locationOf(fields),
      code: textOf(fields, 'pixCopiaECola'),
      received: received.filter((pix) => pix !== undefined),
    },
  };
}

/** As long as no identifier of ours. */
export const END_TO_END_ID = /^[a-zA-Z0-9]{32}$/;

function readReceivedPix(fields: Fields | undefined, txid: string): ReceivedPix | undefined {
  const money = moneyOf(fields, 'valor');
  const endToEndId = textOf(fields, 'endToEndId');
  const itsTxid = textOf(fields, 'txid');
  if (!fields || !money || !END_TO_END_ID.test(endToEndId) || (itsTxid !== '' && itsTxid !== txid)) return undefined;
  const givenBack = readGivenBack(fields);
  return givenBack && { endToEndId, money, payerTaxId: taxIdOf(asFields(fields['pagador'])), givenBack };
}

/** A masked one is none. */
function taxIdOf(person: Fields | undefined): string {
  const [cpf, cnpj] = [textOf(person, 'cpf'), textOf(person, 'cnpj')];
  if (/^\d{11}$/.test(cpf)) return cpf;
  return /^[0-9A-Z]{14}$/.test(cnpj) ? cnpj : '';
}

const MOST_LOCATION = 77;

function locationOf(fields: Fields): string {
  const location = textOf(fields, 'location') || textOf(asFields(fields['loc']), 'location');
  const plain = location.replace(/^https?:\/\//, '');
  return /^[\x21-\x7e]+$/.test(plain) && plain.length <= MOST_LOCATION ? plain : '';
}

/**
 * What the payer is shown: the bank's code where its check digits are right and it leads to this charge, else one that
 * leads there by our own hand. Undefined where the bank gave neither.
 */
export function codeOf({ code, location }: Charge, name: string, city: string): string | undefined {
  const leadsTo = locationIn(code);
  if (leadsTo !== undefined && (location === '' || leadsTo === location)) return code;
  return location === '' ? undefined : writeBrCode({ location, name, city });
}
