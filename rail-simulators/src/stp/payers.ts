/**
 * The payers that the control surface can make pay: their behaviours as a table, and the validation of a test's request. It is
 * stateless; processing.ts makes the money arrive.
 */
import { toCents, toText } from '../kernel/amounts.ts';
import { type Fields, isObject } from '../kernel/fields.ts';
import { institutionOf, isInstitution, STP_INSTITUTION } from './banks.ts';
import { isClabe, withCheckDigit } from './clabe.ts';

export interface Conduct {
  /** How many times the payer pays, concurrently. */
  readonly transfers?: number;
  /** Pays the fault's difference less or more. */
  readonly pays?: 'less' | 'more';
  /**
   * The wrong account into which the payer pays. `unknown` belongs to the client but to no deposit; `foreign` belongs to
   * another client.
   */
  readonly account?: 'unknown' | 'foreign';
  /** Pays after a delay. */
  readonly isLate?: true;
  /** With `lost`, STP sends no notification. With `with_query`, STP notifies while the client requests the day's list. */
  readonly notification?: 'lost' | 'with_query';
  /** How many times STP sends the notification, concurrently. */
  readonly sendings?: number;
}

const CONDUCTS = {
  exact: {},
  short: { pays: 'less' },
  over: { pays: 'more' },
  late: { isLate: true },
  twice: { transfers: 2 },
  unknown_clabe: { account: 'unknown' },
  foreign_clabe: { account: 'foreign' },
  notification_lost: { notification: 'lost' },
  during_reconciliation: { notification: 'with_query' },
  notified_ten_times: { sendings: 10 },
} as const satisfies Readonly<Record<string, Conduct>>;

export type Behaviour = keyof typeof CONDUCTS;

/** One transfer to receive. */
export interface Payment {
  readonly clabe: string;
  readonly monto: string;
  readonly name: string;
  readonly account: string;
  readonly institution: string;
  /** If empty, the simulator creates one. */
  readonly claveRastreo: string;
  readonly concept: string;
  readonly reference: string;
}

export interface PayRequest {
  readonly conduct: Conduct;
  readonly payments: readonly Payment[];
  /** The delay of a late payer. If undefined, the simulator's default applies. */
  readonly afterMs: number | undefined;
}

const text = (fields: Fields, name: string, otherwise: string): string => {
  const value = fields[name] ?? otherwise;
  return typeof value === 'string' ? value : '\u0000';
};

const USUAL_ACCOUNT = withCheckDigit('01218001500000000');
const printable = (most: number) => new RegExp(`^[^\\p{Cc}]{0,${most}}$`, 'u');

/** `accepts` describes `holds` in words. All values are strings. */
interface Check {
  readonly otherwise: string;
  readonly accepts: string;
  holds(value: string): boolean;
}

const AMOUNT_ACCEPTS = 'a text above zero with at most two decimals, such as "250.00"';
const PRINTABLE_ACCEPTS = 'at most 40 printable characters';

const CHECKS: Readonly<Record<string, Check>> = {
  clabe: { otherwise: '', accepts: 'the 18 digits of a CLABE with a valid check digit', holds: isClabe },
  amount: { otherwise: '', accepts: AMOUNT_ACCEPTS, holds: (value) => toCents(value) !== undefined },
  behaviour: {
    otherwise: 'exact',
    accepts: Object.keys(CONDUCTS).join(', '),
    holds: (value) => Object.hasOwn(CONDUCTS, value),
  },
  difference: { otherwise: '1.00', accepts: AMOUNT_ACCEPTS, holds: (value) => toCents(value) !== undefined },
  name: {
    otherwise: 'ANA PAGADORA',
    accepts: PRINTABLE_ACCEPTS,
    holds: (value) => value !== '' && printable(40).test(value),
  },
  account: { otherwise: USUAL_ACCOUNT, accepts: '10 to 18 digits', holds: (value) => /^\d{10,18}$/.test(value) },
  institution: {
    otherwise: '',
    accepts: 'the five digits of an institution, such as 40012',
    holds: (value) => value === '' || isInstitution(value),
  },
  claveRastreo: {
    otherwise: '',
    accepts: 'at most 29 printable characters without spaces',
    holds: (value) => /^[\x21-\x7e]{0,29}$/.test(value),
  },
  concept: { otherwise: 'PAGO', accepts: PRINTABLE_ACCEPTS, holds: (value) => printable(40).test(value) },
  reference: { otherwise: '1234567', accepts: '1 to 7 digits', holds: (value) => /^\d{1,7}$/.test(value) },
};

interface InvalidPay {
  readonly invalidField: string;
  readonly accepts: string;
}

/** Validates a test's request. Names the first invalid or unknown field. */
export function parsePayRequest(body: unknown, clabePrefix: string): { readonly request: PayRequest } | InvalidPay {
  if (!isObject(body)) return { invalidField: 'body', accepts: 'a JSON object' };
  const fields = body;
  const unknown = Object.keys(fields).find((name) => name !== 'after_ms' && !Object.hasOwn(CHECKS, name));
  if (unknown !== undefined) return { invalidField: unknown, accepts: 'nothing: there is no such field' };
  const given: Record<string, string> = {};
  for (const [name, { otherwise, accepts, holds }] of Object.entries(CHECKS)) {
    const value = text(fields, name, otherwise);
    if (!holds(value)) return { invalidField: name, accepts };
    given[name] = value;
  }
  return requestOf(given, fields['after_ms'], clabePrefix);
}

function requestOf(
  given: Readonly<Record<string, string>>,
  afterMs: unknown,
  clabePrefix: string,
): { readonly request: PayRequest } | InvalidPay {
  const conduct: Conduct = CONDUCTS[given['behaviour'] as Behaviour];
  const isWait = Number.isInteger(afterMs) && Number(afterMs) >= 0;
  if (afterMs !== undefined && !isWait) return { invalidField: 'after_ms', accepts: 'a whole number of milliseconds' };
  const monto = amountOf(given, conduct);
  if (monto === undefined) return { invalidField: 'difference', accepts: 'less than the amount' };
  const account = given['account'] ?? '';
  const payment = {
    clabe: accountOf(given['clabe'] ?? '', conduct, clabePrefix),
    monto,
    name: given['name'] ?? '',
    account,
    institution: given['institution'] || (institutionOf(account) ?? STP_INSTITUTION),
    concept: given['concept'] ?? '',
    reference: given['reference'] ?? '',
  };
  const key = given['claveRastreo'] ?? '';
  const payments = Array.from({ length: conduct.transfers ?? 1 }, (_, index) => ({
    ...payment,
    claveRastreo: key === '' || index === 0 ? key : `${key}${index + 1}`,
  }));
  return { request: { conduct, payments, afterMs: isWait ? Number(afterMs) : undefined } };
}

/** Returns undefined if the amount would not be above zero. */
function amountOf(given: Readonly<Record<string, string>>, { pays }: Conduct): string | undefined {
  const amount = toCents(given['amount'] ?? '') ?? 0n;
  const difference = toCents(given['difference'] ?? '') ?? 0n;
  const paid = { less: amount - difference, more: amount + difference, as_is: amount }[pays ?? 'as_is'];
  return paid > 0n ? toText(paid) : undefined;
}

function accountOf(clabe: string, { account }: Conduct, clabePrefix: string): string {
  if (account === undefined) return clabe;
  // The last account with our prefix is assigned last, so no deposit has it. The prefix of the other client differs in its
  // last digit.
  const last = clabePrefix.slice(0, -1) + String((Number(clabePrefix.at(-1)) + 1) % 10);
  return withCheckDigit((account === 'unknown' ? clabePrefix : last).padEnd(17, '9'));
}
