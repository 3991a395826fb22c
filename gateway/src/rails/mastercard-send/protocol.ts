/**
 * What Mastercard's answers prove. Pure: no network, no clock. What is asked for is in disbursement-request.ts, how it is signed
 * in oauth-signature.ts, the codes in network-codes.ts.
 *
 * Confirmed by Mastercard's description of disbursements and its pages: addresses; with `decline_details` a decline is 201 with
 * `status` DECLINED, without it 402; UNKNOWN and PENDING are not final; a reference is taken once; the list by reference and its
 * shape; the envelope of errors; what comes from the gateway in front of it has `Source` Gateway; that a field which fails is
 * named as `Source` with INVALID_INPUT_VALUE; that after a time-out, a server error or an answer that can't be read the
 * disbursement is looked up or repeated under the same reference. By pages of its sister products: that a repeated reference is
 * RESOURCE_ERROR, and one that is not known RESOURCE_UNKNOWN with 404.
 *
 * Not confirmed: the other words for fields that fail (unknown here); whether a disbursement can come to be REVERSED or CANCELLED
 * (an older description has the words: taken for money that came back, when Mastercard is asked); what ERROR means (unknown).
 * Mastercard has a way to mark a repetition, of which only the name is known: it is not used, since the reference is kept.
 */
import type { PayoutOrder, RailAnswer, RailStatus } from '../../domain/payouts/payout-rail.ts';
import { type Declined, declined, notTaken, unknown } from '../kit/payout-answers.ts';
import { asObject, fieldOf, type Json, type JsonObject, objectOf, readObject, textOf } from '../kit/provider-json.ts';
import { declineCode } from './network-codes.ts';

export function submissionPath(partnerId: string): string {
  return `/v1/partners/${partnerId}/disbursements/payment?decline_details=true`;
}

export function queryPath(partnerId: string, reference: string): string {
  return `/v1/partners/${partnerId}/disbursements?ref=${encodeURIComponent(reference)}`;
}

type Order = Pick<PayoutOrder, 'reference' | 'money'>;

/** What the answer to a POST means for the order. */
export function readSubmission(status: number, body: Buffer, order: Order): RailAnswer {
  const fields = readObject(body);
  if (status === 200 || status === 201) {
    const answer = statusOf(objectOf(fields, 'disbursement'), order);
    return answer.kind === 'reversed' ? unknown(answer.reason) : answer;
  }
  const { source, reason } = errorOf(fields);
  if (isCredentialRefused(status, body)) {
    return notTaken(`Mastercard refuses our credential (HTTP ${status}): check its consumer key and our key`);
  }
  if (status === 402 && reason === 'DECLINE') return declined('51', 'Mastercard says DECLINE');
  return status === 400 && reason === 'INVALID_INPUT_VALUE' && source !== ''
    ? refusalOf(source)
    : unknown(`HTTP ${status} ${reason}`.trim());
}

/** What is at fault with the recipient no later try would mend; any other field is ours to mend. */
function refusalOf(source: string): RailAnswer {
  const reason = `Mastercard refuses ${source}`;
  return source.startsWith('recipient') ? declined('52', reason) : notTaken(reason);
}

/** What the list by reference says of the order. */
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

/** Undefined: it is no list. */
function disbursementsOf(fields: JsonObject | undefined): readonly Json[] | undefined {
  const list = objectOf(fields, 'disbursements');
  if (textOf(list, 'resource_type') !== 'list') return undefined;
  const found = fieldOf(objectOf(list, 'data'), 'disbursement');
  if (found === undefined || found === null || found === '') return [];
  return Array.isArray(found) ? found : [found];
}

function statusOf(disbursement: JsonObject | undefined, order: Order): RailStatus & RailAnswer {
  if (!isAbout(disbursement, order)) return unknown('Mastercard tells of another disbursement than was asked for');
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
      return { kind: 'reversed', reason: `Mastercard says ${status}` };
    default:
      return unknown(`Mastercard says ${status || 'nothing that is known'}`);
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
  const reason = `Mastercard says DECLINED ${networkCode} ${statusReason}`.replace(/ +/g, ' ').trim();
  return declined(declineCode(networkCode, statusReason), reason);
}

/** What Mastercard says is kept and shown, so it may be no more than one of its words. */
function readWord(text: string): string {
  return /^[A-Z0-9_]{1,32}$/.test(text) && !/\d{8}/.test(text) ? text : '';
}

/** The first of the envelope; both empty where there is none. */
function errorOf(fields: JsonObject | undefined): { readonly source: string; readonly reason: string } {
  const errors = fieldOf(objectOf(fields, 'Errors'), 'Error');
  const first = asObject(Array.isArray(errors) ? errors[0] : errors);
  const source = textOf(first, 'Source');
  return {
    source: /^[A-Za-z][A-Za-z_.]{0,63}$/.test(source) ? source : '',
    reason: readWord(textOf(first, 'ReasonCode')),
  };
}

/** A proxy's 401 is no word of Mastercard's. */
export function isCredentialRefused(status: number, body: Buffer): boolean {
  return (status === 401 || status === 403) && errorOf(readObject(body)).source === 'Gateway';
}
