/**
 * By what Visa knows a payout: a trace audit number of six digits and a retrieval reference number of twelve, beside what is the
 * same for all of ours (acquiring BIN, card acceptor, terminal). Both follow from our reference, so they are there before the
 * first call, and the same ones in every later call. Pure.
 *
 * Confirmed by Visa's OpenAPI description: lengths; that the trace audit number is unique within a day. By its notes for
 * developers: that those five are what a transaction is told apart by, and that one that can't be found is sent again with exactly
 * the same five. Visa recommends a retrieval reference number that begins with day and hour and ends in the trace audit number;
 * nobody could tell that hour again after a restart, and so few digits come twice too soon. So the transaction id is spread over
 * both numbers, and the rest of them is made from our reference as a whole, in which no id of an older database comes twice.
 */
import { createHash } from 'node:crypto';
import { partsOf } from '../own-reference.ts';

export interface TransactionIdentity {
  /** Six digits, none of them a leading zero: Visa takes it as a number and gives it back as text. */
  readonly traceAuditNumber: string;
  /** Twelve digits. */
  readonly retrievalReference: string;
  /** At most sixteen digits, for the recipient's bank. */
  readonly senderReference: string;
}

const FIRST_TRACE = 100_000n;
const TRACES = 900_000n;
const SIX_DIGITS = 1_000_000n;

export function identityOf(reference: string): TransactionIdentity {
  const { transactionId } = partsOf(reference);
  const id = BigInt(transactionId);
  const digest = createHash('sha256').update(reference).digest().readBigUInt64BE();
  return {
    traceAuditNumber: String(FIRST_TRACE + (id % TRACES)),
    retrievalReference: sixDigits(id / TRACES) + sixDigits(digest),
    senderReference: transactionId,
  };
}

function sixDigits(number: bigint): string {
  return String(number % SIX_DIGITS).padStart(6, '0');
}
