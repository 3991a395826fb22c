/** Freedom Pay's error responses: HTTP 200, pg_status `error`, a number and a sentence. */

export const ERRORS = {
  1100: 'The signature of the request is wrong',
  420: 'Limit',
  8888: 'The payout failed',
  9403: 'Not valid',
  9992: 'The method is not activated',
  9993: 'pg_post_link is missing',
  9998: 'The merchant was not recognised',
  9999: 'System error',
  10000: 'The service is not available',
  10001: 'Contact the issuer',
  10005: 'The data of the card are wrong',
  10006: 'Too many operations with the card',
  11068: 'Payment not found',
} as const;

export type ErrorCode = keyof typeof ERRORS;

export interface Failure {
  readonly error: ErrorCode;
  /** The field that the error names. */
  readonly about?: string;
}

/** Returns the message for a failed payout. */
export function sentenceOf(code: string): string {
  return ERRORS[Number(code) as ErrorCode] ?? '';
}
