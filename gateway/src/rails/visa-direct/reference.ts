/**
 * Derives a payout's identity at Visa: a trace audit number of six digits and a retrieval reference number of twelve, in
 * addition to the values that all our payouts share (acquiring BIN, card acceptor, terminal). Both derive from our reference,
 * so they exist before the first call and are equal in every later call. Pure.
 *
 * Confirmed by Visa's OpenAPI description: the lengths. Confirmed by its notes for developers: these five values identify a
 * transaction, and one that is not found is sent again with exactly the same five. Confirmed by its support: Visa recognises a
 * repeated transaction for 24 hours. Visa recommends a retrieval reference number that begins with day and hour and ends in
 * the trace audit number. After a restart or a restore, the gateway could not compute that hour again, so the numbers are a
 * hash of our reference. Its 59 bits distinguish ten million payouts, with one chance of collision in twenty thousand. A
 * transaction with a different amount is never treated as ours (protocol.ts). Visa also asks for a trace audit number that is
 * unique within a day. Six digits that derive only from the payout cannot be unique.
 *
 * A payout that was sent under a reference of the older form keeps the numbers derived from its transaction id.
 */
import { createHash } from 'node:crypto';
import { isPayoutReference, partsOf } from '../kit/own-reference.ts';

interface TransactionIdentity {
  /** Six digits without a leading zero, because Visa accepts it as a number and returns it as a string. */
  readonly traceAuditNumber: string;
  /** A number of twelve digits. */
  readonly retrievalReference: string;
  /** A reference of at most sixteen letters and digits, for the recipient's bank. */
  readonly senderReference: string;
}

const FIRST_TRACE = 100_000n;
const TRACES = 900_000n;
const SIX_DIGITS = 1_000_000n;
const TWELVE_DIGITS = 1_000_000_000_000n;
const MOST_SENDER_REFERENCE = 16;

export function identityOf(reference: string): TransactionIdentity {
  const digest = createHash('sha256').update(reference).digest();
  if (!isPayoutReference(reference)) return identityOfOlder(reference, digest.readBigUInt64BE());
  return {
    traceAuditNumber: String(FIRST_TRACE + (digest.readBigUInt64BE(8) % TRACES)),
    retrievalReference: String(digest.readBigUInt64BE() % TWELVE_DIGITS).padStart(12, '0'),
    senderReference: reference.slice(0, MOST_SENDER_REFERENCE),
  };
}

function identityOfOlder(reference: string, digest: bigint): TransactionIdentity {
  const { transactionId } = partsOf(reference);
  const id = BigInt(transactionId);
  return {
    traceAuditNumber: String(FIRST_TRACE + (id % TRACES)),
    retrievalReference: sixDigits(id / TRACES) + sixDigits(digest),
    senderReference: transactionId,
  };
}

function sixDigits(number: bigint): string {
  return String(number % SIX_DIGITS).padStart(6, '0');
}
