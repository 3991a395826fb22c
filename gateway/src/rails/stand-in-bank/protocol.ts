/**
 * The bytes of the stand-in bank's protocol, both ways, and what each of its answers proves. Pure: no network, no clock.
 *
 * Confirmed against the protocol's own document (the README of the simulator): the shape of requests, answers and
 * notifications; that 400 `invalid`, 401 `unauthorized`, 409 `reference_reused` and 413 `too_large` mean not taken;
 * that 404 `not_found` on a GET, and no other 404, means that the bank never took the reference. Every answer the
 * document does not describe (a proxy's 401, 403, 404, 429, 503, a redirect) proves nothing and is unknown.
 */
import { createHmac } from 'node:crypto';
import type { BlockedCode } from '../../domain/payouts/payout.ts';
import type { PayoutOrder, RailAnswer, RailStatus } from '../../domain/payouts/payout-rail.ts';
import { formatAmount } from '../../foundation/money.ts';
import { Secret } from '../../foundation/secret.ts';

export const STAND_IN_BANK_METHODS: ReadonlySet<number> = new Set([
  1, 8, 9, 11, 12, 16, 17, 22, 23, 24, 26, 34, 92, 93,
]);

export const PAYOUTS_PATH = '/stand-in/v1/payouts';
export const SIGNATURE_HEADER = 'x-stand-in-signature';
export const CREDENTIAL_REFUSED = 'the bank refuses our credential (HTTP 401): check its secret';

/** Why the bank declined, as the interface's codes. A word that the document lacks is still a decline. */
const DECLINE_CODES: ReadonlyMap<string, BlockedCode> = new Map([
  ['declined_by_bank', '51'],
  ['bad_recipient', '52'],
  ['limit', '53'],
]);

export function declineCode(reason: string): BlockedCode {
  return DECLINE_CODES.get(reason) ?? '50';
}

/** A word as the protocol has them, or nothing: what a bank says is kept and shown, so it may not be just anything. */
export function readWord(value: unknown): string {
  return typeof value === 'string' && /^[a-z][a-z_.]{0,63}$/.test(value) ? value : '';
}

export function payoutPath(reference: string): string {
  return `${PAYOUTS_PATH}/${encodeURIComponent(reference)}`;
}

/** The JSON of an order, card number included: for the wire and nothing else. */
export function writePayout({ reference, method, money, remittance, beneficiary }: PayoutOrder): string {
  const revealed = Object.entries(beneficiary).map(([field, value]) => [
    field,
    value instanceof Secret ? value.reveal() : value,
  ]);
  return JSON.stringify({
    reference,
    method,
    amount: formatAmount(money),
    currency: money.currency,
    remittance,
    beneficiary: Object.fromEntries(revealed),
  });
}

/** What the answer to a POST means for the order of that reference. */
export function readSubmission(reference: string, status: number, body: Buffer): RailAnswer {
  if (status === 200) return readPayout(reference, body);
  const answer = readObject(body);
  return refusalOf(`${status} ${answer?.['error']}`, answer?.['field']) ?? unknown(status);
}

/** What the answer to a GET means for the order of that reference. */
export function readInquiry(reference: string, status: number, body: Buffer): RailStatus {
  if (status === 200) return readPayout(reference, body);
  const said = `${status} ${readObject(body)?.['error']}`;
  if (said === '404 not_found') return { kind: 'not_found' };
  return said === '401 unauthorized' ? { kind: 'unknown', reason: CREDENTIAL_REFUSED } : unknown(status);
}

/** Undefined: the bank's document does not say that such an answer means not taken. */
function refusalOf(said: string, field: unknown): RailAnswer | undefined {
  switch (said) {
    case '401 unauthorized':
      return { kind: 'not_taken', reason: CREDENTIAL_REFUSED };
    case '409 reference_reused':
      return { kind: 'not_taken', reason: 'the bank holds another payout under this reference' };
    case '413 too_large':
      return { kind: 'not_taken', reason: 'the bank finds the order too large' };
    case '400 invalid':
      return refusedField(readWord(field));
    default:
      return undefined;
  }
}

/** No later try would mend a beneficiary that the bank can't read; any other field at fault is a fault of ours. */
function refusedField(field: string): RailAnswer {
  return field.startsWith('beneficiary')
    ? { kind: 'declined', code: '52', reason: `the bank refuses ${field}` }
    : { kind: 'not_taken', reason: `the bank refuses the field ${field}` };
}

function readPayout(reference: string, body: Buffer): Exclude<RailAnswer, { kind: 'not_taken' }> {
  const answer = readObject(body);
  if (!answer) return { kind: 'unknown', reason: 'the answer is not the JSON object that was expected' };
  if (answer['reference'] !== reference) return { kind: 'unknown', reason: 'the answer is about another reference' };
  const reason = readWord(answer['reason']);
  switch (answer['status']) {
    case 'executed':
      // Undone before we knew it done: the recipient has nothing.
      return answer['reversed'] === true
        ? { kind: 'reversed', reason: 'executed, then reversed by the bank' }
        : { kind: 'executed' };
    case 'declined':
      return { kind: 'declined', code: declineCode(reason), reason };
    case 'pending':
      return { kind: 'pending' };
    default:
      return { kind: 'unknown', reason: 'the answer has a status that is not in the protocol' };
  }
}

function unknown(status: number): { readonly kind: 'unknown'; readonly reason: string } {
  return { kind: 'unknown', reason: `HTTP ${status}` };
}

/** Lowercase hex HMAC-SHA256 of a notification's raw body. */
export function notificationSignature(body: Buffer, secret: Secret): string {
  return createHmac('sha256', secret.reveal()).update(body).digest('hex');
}

/** Undefined when the bytes are no JSON object. */
export function readObject(body: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
