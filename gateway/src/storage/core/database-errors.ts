/** Lists the SQLSTATEs of transient PostgreSQL failures, in one table. Every other failure is a bug or a rejection. */
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

/** Codes of the socket under the connection, and the messages of pg when a connection breaks. */
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

/** The facts behind a batch's plans changed before the write. It is rolled back; like a deadlock, this is transient. */
export class FactsChanged extends Error {
  override readonly name = 'FactsChanged';
}

/** Returns true when a retry may succeed. The failed attempt may still have taken effect. */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof FactsChanged ||
    isConnectionFailure(error) ||
    isServerLost(error) ||
    isDuplicateEntry(error) ||
    Object.hasOwn(TRANSIENT, errorCode(error) ?? '')
  );
}

/** Returns true if another session held a lock for longer than `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return errorCode(error) === '55P03';
}

/** Another transaction wrote the next history entry of the payout since it was read. */
function isDuplicateEntry(error: unknown): boolean {
  return errorCode(error) === '23505' && names(error, 'payout_history');
}

/** Returns true when the connection is lost or stuck and cannot be used again. */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = errorCode(error) ?? '';
  return (
    CONNECTION_CODES.has(code) ||
    /^(?:08|57P|25006$)/.test(code) ||
    (code === '' && CONNECTION_MESSAGES.test(error.message))
  );
}

/** Citus reports the loss of a server during a transaction as an internal error with this text. */
const LOST_DURING_TRANSACTION = /^failure on connection marked as essential/;

/** Returns true if a cluster's coordinator lost another server. The coordinator's own connections still work. */
export function isServerLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = errorCode(error) ?? '';
  const isReported = code.startsWith('08') && (error as { severity?: string }).severity === 'ERROR';
  return isReported || (code === 'XX000' && LOST_DURING_TRANSACTION.test(error.message));
}

/** Returns true if a statement violated a minimum of ledger_accounts: the money that it needed is not there. */
export function isFloorBroken(error: unknown): boolean {
  return errorCode(error) === '23514' && names(error, 'ledger_accounts');
}

/** Another server of a cluster reports only a message, with the names of its shards. */
export function names(error: unknown, object: string): boolean {
  const { table, constraint, message = '' } = error as { table?: string; constraint?: string; message?: string };
  return table === object || constraint === object || new RegExp(`"${object}(?:_pkey)?_\\d+"`).test(message);
}
