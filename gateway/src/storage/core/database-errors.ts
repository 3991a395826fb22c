/** Which failures of PostgreSQL pass by themselves, by SQLSTATE. One table; everything else is a bug or a refusal. */
import { errorCode } from '../../foundation/error-code.ts';

const TRANSIENT: Readonly<Record<string, string>> = {
  '40001': 'serialization failure',
  '40P01': 'deadlock',
  '55P03': 'lock not available',
  '57014': 'statement cancelled or timed out',
  '57P01': 'server is shutting down',
  '57P02': 'server crashed and recovers',
  '57P03': 'server is starting',
  '53000': 'out of resources',
  '53100': 'disk full',
  '53200': 'out of memory',
  '53300': 'too many connections',
  '25P03': 'idle in transaction too long',
  '25006': 'a standby, or a primary that is one now: the next connection may meet its successor',
};

/** Codes of the socket under the connection, and what pg itself says when one goes away under it. */
const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'ENOTCONN',
  'EAI_AGAIN',
  'ENOTFOUND',
]);
const CONNECTION_MESSAGES =
  /connection terminated|connection timeout|timeout exceeded when trying to connect|client was closed|not queryable|query read timeout|cannot use a pool after/i;

/** Ours: what a batch was decided on had changed when it was written. Rolled back, and transient like a deadlock. */
export class FactsChanged extends Error {
  override readonly name = 'FactsChanged';
}

/** True when trying again later may succeed. It says nothing about whether the failed try took effect. */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof FactsChanged ||
    isConnectionFailure(error) ||
    isEntryTaken(error) ||
    Object.hasOwn(TRANSIENT, errorCode(error) ?? '')
  );
}

/** Somebody else wrote the next entry of a payout's history since it was read. */
function isEntryTaken(error: unknown): boolean {
  return errorCode(error) === '23505' && (error as { table?: string }).table === 'payout_history';
}

/** True when the connection itself is lost or stuck: nothing more can be said over it. */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = errorCode(error) ?? '';
  return (
    CONNECTION_CODES.has(code) ||
    /^(?:08|57P|25006$)/.test(code) ||
    (code === '' && CONNECTION_MESSAGES.test(error.message))
  );
}

/** One of the floors of ledger_accounts: the money that the statement counted on is not there. */
export function isFloorBroken(error: unknown): boolean {
  return errorCode(error) === '23514' && (error as { table?: string }).table === 'ledger_accounts';
}
