/** VoPay's error responses: HTTP 200, `Success` false, a number and a message. */
import type { Reply } from '../kernel/http-server.ts';

const ERRORS = {
  1000: 'Invalid Login. Please provide the required parameters',
  2000: 'Missing required parameter',
  2001: 'Invalid parameter',
  2002: 'Resource not found',
  2003: 'Resource already exists',
  2005: 'Invalid action',
  2006: 'Invalid transaction status',
  3000: 'This operation is not currently enabled for your account. Please contact VoPay business team',
  3001: 'Transaction limit exceeded',
  9998: 'Internal error',
} as const;

export type ErrorCode = keyof typeof ERRORS;

export interface Failure {
  readonly error: ErrorCode;
  /** The object that the message names. */
  readonly about?: string;
}

/** `isNumbered` selects VoPay's current format. Its former format contained only the message. */
export function failed({ error, about }: Failure, isNumbered: boolean): Reply {
  const ErrorMessage = about === undefined ? ERRORS[error] : `${ERRORS[error]}: ${about}`;
  return { status: 200, body: { Success: false, ErrorMessage, ...(isNumbered ? { ErrorCode: String(error) } : {}) } };
}
