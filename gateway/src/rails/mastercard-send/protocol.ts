/**
 * Decides what Mastercard's responses prove. Pure: no network, no clock. payout-request.ts has the request, signature.ts the
 * signature, vocabulary.ts the codes.
 *
 * Confirmed by Mastercard's description of disbursements and its pages: the URLs. With `decline_details` a decline is 201 with
 * `status` DECLINED, without it 402. UNKNOWN and PENDING are not final. Mastercard accepts a reference once. Also the list by
 * reference and its format, and the envelope of errors. Errors of the gateway in front of it have `Source` Gateway. An invalid
 * field is named as `Source` with INVALID_INPUT_VALUE. After a timeout, a server error or an unreadable response, the
 * disbursement is queried or repeated with the same reference. Confirmed by pages of its sister products: a repeated reference
 * is RESOURCE_ERROR, and an unknown one RESOURCE_UNKNOWN with 404.
 *
 * Not confirmed: the other codes for invalid fields (unknown here). Not confirmed: whether a disbursement can become REVERSED
 * or CANCELLED. An older description has these statuses, and the code reads them in responses to queries as money that came
 * back. Not confirmed: the meaning of ERROR (unknown). Its guide repeats a request without a response with the header
 * `Repeat-Flag`. The rail does not send it: it queries the disbursement first, and keeps the reference.
 */
import type { PayoutOrder, RailAnswer, RailStatus } from '../../domain/payouts/payout-rail.ts';
import { asObject, fieldOf, type Json, type JsonObject, objectOf, readObject, textOf } from '../kit/provider-json.ts';
import { type Declined, declined, notAccepted, unknown } from '../kit/rail-answers.ts';
import { declineReasonOf } from './vocabulary.ts';

export function submissionPath(partnerId: string): string {
  return `/v1/partners/${partnerId}/disbursements/payment?decline_details=true`;
}

export function queryPath(partnerId: string, reference: string): string {
  return `/v1/partners/${partnerId}/disbursements?ref=${encodeURIComponent(reference)}`;
}

type Order = Pick<PayoutOrder, 'reference' | 'money'>;

/** Returns the meaning of a POST's response for the order. */
export function readSubmission(status: number, body: Buffer, order: Order): RailAnswer {
  const fields = readObject(body);
  if (status === 200 || status === 201) {
    const answer = statusOf(objectOf(fields, 'disbursement'), order);
    return answer.kind === 'reversed' ? unknown(answer.reason) : answer;
  }
  const { source, reason } = errorOf(fields);
  if (isCredentialRefused(status, body)) {
    return notAccepted(`Mastercard refuses our credential (HTTP ${status}): check its consumer key and our key`);
  }
  if (status === 402 && reason === 'DECLINE') return declined('bank_declined', 'Mastercard reports DECLINE');
  return status === 400 && reason === 'INVALID_INPUT_VALUE' && source !== ''
    ? refusalOf(source)
    : unknown(`HTTP ${status} ${reason}`.trim());
}

/** A retry cannot correct an invalid recipient. We must correct any other invalid field. */
function refusalOf(source: string): RailAnswer {
  const reason = `Mastercard refuses ${source}`;
  return source.startsWith('recipient') ? declined('invalid_beneficiary', reason) : notAccepted(reason);
}

/** Returns the meaning of the list by reference for the order. */
export function readQuery(status: number, body: Buffer, order: Order): RailStatus {
  const fields = readObject(body);
  const error = errorOf(fields);
  if (isCredentialRefused(status, body)) return unknown(`Mastercard refuses our credential (HTTP ${status})`);
  if (status === 404 && error.reason === 'RESOURCE_UNKNOWN') return { kind: 'not_found' };
  const found = status === 200 ? disbursementsOf(fields) : undefined;
  if (!found) return unknown(`HTTP ${status} ${error.reason}`.trim());
  const [disbursement, ...others] = found;
  if (others.length > 0) return unknown('Mastercard has several disbursements under one reference');
  return disbursement === undefined ? { kind: 'not_found' } : statusOf(asObject(disbursement), order);
}

/** Returns undefined if the response is not a list. */
function disbursementsOf(fields: JsonObject | undefined): readonly Json[] | undefined {
  const list = objectOf(fields, 'disbursements');
  if (textOf(list, 'resource_type') !== 'list') return undefined;
  const found = fieldOf(objectOf(list, 'data'), 'disbursement');
  if (found === undefined || found === null || found === '') return [];
  return Array.isArray(found) ? found : [found];
}

function statusOf(disbursement: JsonObject | undefined, order: Order): RailStatus & RailAnswer {
  if (!isAbout(disbursement, order)) return unknown('Mastercard’s response is about another disbursement');
  const status = readWord(textOf(disbursement, 'status'));
  switch (status) {
    case 'APPROVED':
      return { kind: 'executed' };
    case 'DECLINED':
      return declineOf(disbursement);
    case 'UNKNOWN':
    case 'PENDING':
      return { kind: 'pending' };
    case 'REVERSED':
    case 'CANCELLED':
      return { kind: 'reversed', reason: `Mastercard reports ${status}` };
    default:
      return unknown(`Mastercard reports ${status || 'an unknown status'}`);
  }
}

function isAbout(disbursement: JsonObject | undefined, { reference, money }: Order): boolean {
  const amount = objectOf(disbursement, 'disbursement_amount');
  return (
    textOf(disbursement, 'disbursement_reference') === reference &&
    textOf(amount, 'value') === String(money.minor) &&
    textOf(amount, 'currency') === money.currency
  );
}

function declineOf(disbursement: JsonObject | undefined): Declined {
  const transactions = fieldOf(objectOf(objectOf(disbursement, 'transaction_history'), 'data'), 'transaction');
  const last = asObject(Array.isArray(transactions) ? transactions.at(-1) : transactions);
  const networkCode = readWord(textOf(last, 'network_status_code'));
  const statusReason = readWord(textOf(last, 'status_reason'));
  const reason = `Mastercard reports DECLINED ${networkCode} ${statusReason}`.replace(/ +/g, ' ').trim();
  return declined(declineReasonOf(networkCode, statusReason), reason);
}

/** Accepts only a code of Mastercard, because the gateway keeps and shows it. */
function readWord(text: string): string {
  return /^[A-Z0-9_]{1,32}$/.test(text) && !/\d{8}/.test(text) ? text : '';
}

/** Returns the first error of the envelope. Both are empty if there is none. */
function errorOf(fields: JsonObject | undefined): { readonly source: string; readonly reason: string } {
  const errors = fieldOf(objectOf(fields, 'Errors'), 'Error');
  const first = asObject(Array.isArray(errors) ? errors[0] : errors);
  const source = textOf(first, 'Source');
  return {
    source: /^[A-Za-z][A-Za-z_.]{0,63}$/.test(source) ? source : '',
    reason: readWord(textOf(first, 'ReasonCode')),
  };
}

/** A proxy's 401 does not come from Mastercard. */
export function isCredentialRefused(status: number, body: Buffer): boolean {
  return (status === 401 || status === 403) && errorOf(readObject(body)).source === 'Gateway';
}
