/**
 * Decides what Visa's responses prove. Pure: no network, no clock. payout-request.ts has the request, reference.ts the numbers
 * of a transaction, vocabulary.ts the codes.
 * **Methods 22 and 23**: the merchant API has one method for each network's cards, and the gateway rejects a card of the other
 * network before it reaches a rail. The method table decides: 22 takes Visa cards, 23 Mastercard's. So of these two this rail
 * carries only 22. Confirmed by Visa's OpenAPI description: URLs, fields, `actionCode`. The query by BIN, trace audit number
 * and retrieval reference, its `statusCode`, and its several records of one transaction, including a reversal or a chargeback.
 * A record may have the amount and the currency's number. Confirmed by its pages: a decline comes with HTTP 200; 202 after
 * Visa's own timeout, 303 for a repetition while the first is in progress; the responses to a wrong password or certificate,
 * with `responseStatus`; mutual TLS and Basic are both required; a transaction that is not found is sent again with the same
 * numbers. Confirmed by public samples: 202 has the identifier in JSON, or as its entire body. `COMPLETED` means processed,
 * not paid: the action code decides. Not confirmed: the response for a transaction that is not found (the code accepts an
 * empty list and a 404 with Visa's body). Not confirmed: how soon a transaction is listed. Not confirmed: whether a 400 may
 * come after a transaction began; the code assumes not, because it is Visa's response to a failed validation. Not confirmed:
 * the unit of a record's amount (the code assumes major units, and an amount other than the sent one does not prove anything).
 * Not supported: cards of issuers that require an expiry, which method 22 does not have.
 */
import type { PayoutOrder, RailAnswer, RailStatus } from '../../domain/payouts/payout-rail.ts';
import type { Currency } from '../../foundation/currency.ts';
import { type Money, parseAmount } from '../../foundation/money.ts';
import {
  asObject,
  type Json,
  type JsonObject,
  objectOf,
  readJson,
  readObject,
  shownTextOf,
  textOf,
} from '../kit/provider-json.ts';
import { declined, notAccepted, unknown } from '../kit/rail-answers.ts';
import { identityOf } from './reference.ts';
import { APPROVED, DUPLICATE, declineReasonOf, isPassing } from './vocabulary.ts';

export const PUSH_PATH = '/visadirect/fundstransfer/v1/pushfundstransactions';

/** Returns the address of the outcome of an unfinished push. */
export function outcomePath(statusIdentifier: string): string {
  return `${PUSH_PATH}/${encodeURIComponent(statusIdentifier)}`;
}

export function queryPath(reference: string, acquiringBin: string): string {
  const { traceAuditNumber, retrievalReference } = identityOf(reference);
  const query = new URLSearchParams({ acquiringBIN: acquiringBin, stan: traceAuditNumber, rrn: retrievalReference });
  return `/visadirect/v1/transactionquery?${query}`;
}

/** `unfinished` means that Visa has accepted the push, and returns the URL of its outcome. */
export type Pushed = RailAnswer | { readonly kind: 'unfinished'; readonly statusIdentifier: string };

/** Returns the meaning of the response to a push, or to the query for its outcome, for the order. */
export function readPush(status: number, body: Buffer, reference: string): Pushed {
  const fields = readObject(body);
  if (status === 200 && fields) return readOutcome(fields, reference);
  if (status === 202) return readUnfinished(fields, body);
  if (isCredentialRefused(status, body)) {
    return notAccepted(`Visa refuses our credential (HTTP ${status}): check its user, password, certificate`);
  }
  return status === 400 && fields ? readInvalid(fields) : unknown(`HTTP ${status}`);
}

type Outcome = Extract<RailAnswer, { kind: 'executed' | 'declined' | 'unknown' }>;

function readOutcome(fields: JsonObject, reference: string): Outcome {
  const { retrievalReference } = identityOf(reference);
  const named = textOf(fields, 'retrievalReferenceNumber');
  if (named !== '' && named !== retrievalReference) return unknown('Visa’s response is about another transaction');
  const code = codeOf(fields);
  if (code === APPROVED && named === '') return unknown('Visa approved without an id of the transaction');
  return isPassing(code) ? unknown(`Visa reports action code ${code}`) : outcomeOf(code);
}

/** Returns the transaction's own code, or undefined if this response says only that Visa knows the transaction. */
function codeOf(fields: JsonObject): string {
  const code = textOf(fields, 'actionCode');
  return readCode(code === DUPLICATE ? textOf(fields, 'originalActionCode') : code);
}

function readCode(text: string): string {
  return /^[A-Z0-9]{2}$/.test(text) ? text : '';
}

function outcomeOf(code: string): Outcome {
  if (code === APPROVED) return { kind: 'executed' };
  const blocked = declineReasonOf(code) ?? (isPassing(code) ? 'bank_declined' : undefined);
  const reason = `Visa reports action code ${code || 'none'}`;
  return blocked ? declined(blocked, reason) : unknown(reason);
}

const IDENTIFIER = /^[A-Za-z0-9_.:-]{1,128}$/;

function readUnfinished(fields: JsonObject | undefined, body: Buffer): Pushed {
  const bare = body.toString('utf8').trim().replace(/^"|"$/g, '');
  const statusIdentifier = fields ? textOf(fields, 'statusIdentifier') : bare;
  return IDENTIFIER.test(statusIdentifier) ? { kind: 'unfinished', statusIdentifier } : unknown('HTTP 202');
}

/** Returns true if Visa itself rejects our credentials. A proxy's 401 does not come from Visa. */
export function isCredentialRefused(status: number, body: Buffer): boolean {
  return (status === 401 || status === 403) && responseStatusOf(readObject(body), status) !== undefined;
}

function responseStatusOf(fields: JsonObject | undefined, status: number): JsonObject | undefined {
  const response = objectOf(fields, 'responseStatus');
  return textOf(response, 'status') === String(status) ? response : undefined;
}

/** The older format is a string, the newer format an object. The function keeps only whether the error is about the recipient. */
function readInvalid(fields: JsonObject): RailAnswer {
  const message = shownTextOf(fields, 'errorMessage') || shownTextOf(responseStatusOf(fields, 400), 'message');
  if (message === '') return unknown('HTTP 400');
  return /recipient/i.test(message)
    ? declined('invalid_beneficiary', 'Visa rejects the recipient’s card or name')
    : notAccepted('Visa rejects the request (HTTP 400): check the programme’s settings');
}

/** Returns the meaning of the transaction query's response for the order. */
export function readQuery(
  status: number,
  body: Buffer,
  order: Pick<PayoutOrder, 'reference' | 'money'>,
  acquiringBin: string,
): RailStatus {
  const fields = readObject(body);
  if (isCredentialRefused(status, body)) return unknown(`Visa refuses our credential (HTTP ${status})`);
  if (status === 404 && responseStatusOf(fields, 404)) return { kind: 'not_found' };
  const records = status === 200 ? readRecords(body) : undefined;
  if (!records) return unknown(`HTTP ${status}`);
  const isOurs = (record: JsonObject | undefined) => isAbout(record, order, acquiringBin);
  if (!records.every(isOurs)) return unknown('Visa lists a different transaction');
  return statusOf(
    records.filter((record) => record !== undefined),
    order.money,
  );
}

function readRecords(body: Buffer): readonly (JsonObject | undefined)[] | undefined {
  const records = readJson(body);
  return Array.isArray(records) ? records.map((record: Json) => asObject(record)) : undefined;
}

function isAbout(
  record: JsonObject | undefined,
  { reference, money }: Pick<PayoutOrder, 'reference' | 'money'>,
  acquiringBin: string,
): boolean {
  const { traceAuditNumber, retrievalReference } = identityOf(reference);
  return (
    (isReversal(record) || isOfMoney(record, money)) &&
    textOf(record, 'systemsTraceAuditNumber') === traceAuditNumber &&
    textOf(record, 'retrievalReferenceNumber') === retrievalReference &&
    textOf(record, 'acquiringBin') === acquiringBin
  );
}

const CURRENCY_NUMBERS: Readonly<Partial<Record<Currency, string>>> = { EUR: '978' };

/**
 * Both fields are optional in a record, and Visa finds it by a hash of our reference. So a record without them does not prove an
 * execution. The response to the push itself needs none.
 */
function namesMoney(record: JsonObject): boolean {
  return textOf(record, 'transactionCurrencyCode') !== '' && textOf(record, 'amountInTransactionCurrency') !== '';
}

/** Both fields are optional in a record. */
function isOfMoney(record: JsonObject | undefined, { currency, minor }: Money): boolean {
  const reported = textOf(record, 'transactionCurrencyCode');
  const amount = textOf(record, 'amountInTransactionCurrency');
  return (
    (reported === '' || reported === currency || reported === CURRENCY_NUMBERS[currency]) &&
    (amount === '' || parseAmount(amount, currency)?.minor === minor)
  );
}

const REVERSAL = /REVERSAL|CHGBK/;

/** Returns true for a reversal, which may cover only a part of the amount. */
function isReversal(record: JsonObject | undefined): boolean {
  return REVERSAL.test(textOf(record, 'transactionType'));
}

/**
 * Reads all records of one transaction. Repeated records add nothing, and a reversal follows its transaction. A reversal of
 * another amount proves neither an execution nor its reversal: the operator has to ask Visa how much the beneficiary received.
 */
function statusOf(records: readonly JsonObject[], money: Money): RailStatus {
  const own = records.filter((record) => !isReversal(record));
  const reversals = records.filter((record) => isReversal(record) && isApproved(record));
  if (!reversals.every((record) => isOfMoney(record, money))) return unknown('Visa lists a reversal of another amount');
  const isReversed = reversals.length > 0;
  const ends = own.map(endOf);
  const executed = ends.find(({ kind }) => kind === 'executed');
  if (executed) return isReversed ? { kind: 'reversed', reason: 'Visa lists a reversal or a chargeback' } : executed;
  if (isReversed || (records.length > 0 && own.length === 0))
    return unknown('Visa lists a reversal without its transaction');
  const open = ends.find(({ kind }) => kind !== 'declined');
  return open ?? ends[0] ?? { kind: 'not_found' };
}

function isApproved(record: JsonObject): boolean {
  return textOf(record, 'statusCode') === 'COMPLETED' && textOf(record, 'actionCode') === APPROVED;
}

function endOf(record: JsonObject): Outcome | { readonly kind: 'pending' } {
  switch (textOf(record, 'statusCode')) {
    case 'COMPLETED': {
      const outcome = outcomeOf(codeOf(record));
      return outcome.kind === 'executed' && !namesMoney(record)
        ? unknown('Visa’s response does not contain an amount')
        : outcome;
    }
    case 'FAILED': {
      const blocked = declineReasonOf(codeOf(record)) ?? 'unspecified';
      return declined(blocked, 'Visa reports that it failed');
    }
    case 'IN_PROGRESS':
    case 'PENDING':
      return { kind: 'pending' };
    default:
      return unknown('Visa lists it in an unknown state');
  }
}
