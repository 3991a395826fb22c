/**
 * By what Visa knows a payout: a trace audit number of six digits and a retrieval reference number of twelve, beside what is the
 * same for all of ours (acquiring BIN, card acceptor, terminal). Both follow from our reference, so they are there before the
 * first call, and the same ones in every later call. Pure.
 *
 * Confirmed by Visa's OpenAPI description: lengths. By its notes for developers: that those five are what a transaction is told
 * apart by, and that one that can't be found is sent again with exactly the same five; by its support: that a repetition is
 * recognised for 24 hours. Visa recommends a retrieval reference number that begins with day and hour and ends in the trace audit
 * number; nobody could tell that hour again after a restart or a restore. So the numbers are a hash of our reference. Its
 * 59 bits distinguish ten million payouts, with one chance of collision in twenty thousand; a transaction of another amount is never taken
 * for ours (protocol.ts). Visa also asks for a trace audit number that is unique within a day: six digits that follow from the
 * payout alone can't be.
 *
 * A payout that was sent under a reference of the older shape keeps the numbers that were made of its transaction id.
 */
import { createHash } from 'node:crypto';
import { isPayoutReference, partsOf } from '../kit/own-reference.ts';

export interface TransactionIdentity {
  /** Six digits, none of them a leading zero: Visa takes it as a number and gives it back as text. */
  readonly traceAuditNumber: string;
  /** Twelve digits. */
  readonly retrievalReference: string;
  /** At most sixteen letters and digits, for the recipient's bank. */
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
