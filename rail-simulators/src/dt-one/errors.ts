/** DT One's error responses: an HTTP status, a number and a sentence. */
import type { Reply } from '../kernel/http-server.ts';

const ERRORS = {
  1000400: { status: 400, message: 'Bad request' },
  1000401: { status: 401, message: 'Unauthorized' },
  1000429: { status: 429, message: 'Too many requests' },
  1003001: { status: 404, message: 'Product is not available in your account' },
  1003002: { status: 400, message: 'Amount is out of range' },
  1003003: { status: 400, message: 'Unit is not the one of the product' },
  1005003: { status: 400, message: 'Credit party mobile number is invalid' },
  1006001: { status: 400, message: 'Insufficient balance' },
  1007001: { status: 400, message: 'Transaction external ID has already been used' },
  1008004: { status: 404, message: 'Transaction not found' },
  1009001: { status: 500, message: 'Unexpected error' },
  1009503: { status: 503, message: 'Service unavailable, try again later' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

export function failed(code: ErrorCode): Reply {
  const { status, message } = ERRORS[code];
  return { status, body: { errors: [{ code: Number(code), message }] } };
}
