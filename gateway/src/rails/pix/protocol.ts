/**
 * Writes the immediate charge (cobrança imediata, "cob") of the API Pix, and reads the bank's response. Pure: no network, no
 * clock. refund-messages.ts has the refunds, notifications.ts the bank's callbacks.
 *
 * Confirmed by the Central Bank's OpenAPI document 2.9.0: the endpoints and methods, the fields and patterns, the four states,
 * RFC 7807, the examples in the tests. Confirmed by its maintainers' responses in the issues of that repository: a charge may
 * have several Pix (#31, #64). A charge past its expiry stays ATIVA, and no bank should pay it (#319). A removed charge stays
 * removed (#387), but a Pix in transit may still arrive after the removal (#324). PUT creates and changes (#305, of cobv).
 * Money therefore counts in any state, and a state without money only if it is final.
 *
 * Not in 2.9.0: the payer. `pagador` {cpf or cnpj, nome} appeared in the examples of 2.0, and was mandatory without a
 * description until 2.6.2. Some banks send it; its absence says nothing about the payer. Also not in 2.9.0, but in public
 * clients of one bank (Efí): that bank rejects a second PUT (409 `txid_duplicado`), so the rail trusts a rejection only after
 * a GET. Not confirmed: whether other banks return 200 or 201; the code treats them alike.
 */
import { invariant } from '../../foundation/invariant.ts';
import { formatAmount, type Money } from '../../foundation/money.ts';
import { asFields, type Fields, readPlainObject } from '../kit/provider-json.ts';
import { locationIn, writeBrCode } from './br-code.ts';
import { listOf, moneyOf, textOf } from './read-fields.ts';
import { type GivenBack, readGivenBack } from './refund-messages.ts';
import { type Problem, readProblem, saysNotFound } from './refusals.ts';

export function chargePath(txid: string): string {
  invariant(/^[a-zA-Z0-9]{26,35}$/.test(txid), 'txid is not 26 to 35 letters and digits');
  return `/cob/${txid}`;
}

export interface NewCharge {
  readonly money: Money;
  readonly chave: string;
  /** The number of seconds from the bank's current time, above zero. */
  readonly expiresInSeconds: number;
  /** The debtor. Null for a charge without one. Any payer can pay either kind. */
  readonly debtor: { readonly cpf: string; readonly name: string } | null;
  /** The text that the payer sees. */
  readonly text: string;
}

const MOST_NAME = 200;
const MOST_TEXT = 140;

/** Returns the body of a PUT. */
export function writeCharge({ money, chave, expiresInSeconds, debtor, text }: NewCharge): string {
  invariant(money.currency === 'BRL' && money.minor > 0n, 'amount is not a positive BRL amount');
  invariant(Number.isInteger(expiresInSeconds) && expiresInSeconds > 0, 'charge expiry is not a positive integer');
  return JSON.stringify({
    calendario: { expiracao: expiresInSeconds },
    ...(debtor === null ? {} : { devedor: { cpf: debtor.cpf, nome: debtor.name.slice(0, MOST_NAME) } }),
    valor: { original: formatAmount(money) },
    chave,
    ...(text === '' ? {} : { solicitacaoPagador: text.slice(0, MOST_TEXT) }),
  });
}

/** The body of a PATCH that removes a charge, so that it can no longer be paid. */
export const REMOVAL = JSON.stringify({ status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });

const STATES = ['ATIVA', 'CONCLUIDA', 'REMOVIDA_PELO_USUARIO_RECEBEDOR', 'REMOVIDA_PELO_PSP'] as const;
type ChargeState = (typeof STATES)[number];

export interface Charge {
  readonly txid: string;
  readonly state: ChargeState;
  /** The requested amount. */
  readonly money: Money;
  /** The debtor's CPF or CNPJ. Empty if the charge has no debtor. */
  readonly debtorTaxId: string;
  /** The location without `https://`. Empty if the bank provides none. */
  readonly location: string;
  /** The bank's own BR Code. Empty if the bank gives none. */
  readonly code: string;
  readonly received: readonly ReceivedPix[];
}

export interface ReceivedPix {
  readonly endToEndId: string;
  readonly money: Money;
  /** CPF or CNPJ. Empty if the bank omits or masks it. */
  readonly payerTaxId: string;
  readonly givenBack: readonly GivenBack[];
}

export type ChargeAnswer =
  | { readonly kind: 'charge'; readonly charge: Charge }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly problem: Problem }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Returns the response to a PUT, PATCH or GET. One unreadable Pix makes it unknown, so that no money is overlooked. */
export function readChargeAnswer(status: number, body: Buffer, txid: string): ChargeAnswer {
  if (status === 404 && saysNotFound(body)) return { kind: 'not_found' };
  if (status === 404) return { kind: 'unknown', reason: 'HTTP 404 from a proxy, not from the bank' };
  if (status >= 400 && status < 500) return { kind: 'refused', problem: readProblem(status, body) };
  const fields = status === 200 || status === 201 ? readPlainObject(body) : undefined;
  if (!fields) return { kind: 'unknown', reason: `HTTP ${status}` };
  if (textOf(fields, 'txid') !== txid)
    return { kind: 'unknown', reason: 'the bank’s response is about another charge' };
  const state = STATES.find((known) => known === textOf(fields, 'status'));
  const money = moneyOf(asFields(fields['valor']), 'original');
  const received = listOf(fields, 'pix').map((pix) => readReceivedPix(asFields(pix), txid));
  if (!state || !money) return { kind: 'unknown', reason: `the bank reports ${textOf(fields, 'status')}` };
  if (received.includes(undefined)) return { kind: 'unknown', reason: 'the bank lists an unreadable Pix' };
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

/** Longer than any of our identifiers. */
export const END_TO_END_ID = /^[a-zA-Z0-9]{32}$/;

function readReceivedPix(fields: Fields | undefined, txid: string): ReceivedPix | undefined {
  const money = moneyOf(fields, 'valor');
  const endToEndId = textOf(fields, 'endToEndId');
  const itsTxid = textOf(fields, 'txid');
  if (!fields || !money || !END_TO_END_ID.test(endToEndId) || (itsTxid !== '' && itsTxid !== txid)) return undefined;
  const givenBack = readGivenBack(fields);
  return givenBack && { endToEndId, money, payerTaxId: taxIdOf(asFields(fields['pagador'])), givenBack };
}

/** A masked tax id counts as none. */
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
 * Returns the code that the payer sees: the bank's, if its check digits are valid and it leads to this charge, otherwise our
 * own. Undefined if the bank provided neither a code nor a location.
 */
export function codeOf({ code, location }: Charge, name: string, city: string): string | undefined {
  const leadsTo = locationIn(code);
  if (leadsTo !== undefined && (location === '' || leadsTo === location)) return code;
  return location === '' ? undefined : writeBrCode({ location, name, city });
}
