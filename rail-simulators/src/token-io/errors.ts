/** Token.io's error responses, in its envelope. */
import type { Answer } from '../kernel/http-server.ts';

export interface Refusal {
  readonly status: number;
  readonly errorCode: string;
  readonly message: string;
  /** The fields that the error names. */
  readonly paths?: readonly string[];
}

export function errorAnswer({ status, ...error }: Refusal): Answer {
  return { status, body: { error: { ...error, tokenTraceId: 'simulated' } } };
}

export const missing = (path: string): Refusal => fieldError('Field.Expected', path, 'is expected');
export const malformed = (path: string): Refusal => fieldError('Field.InvalidFormat', path, 'has an invalid format');
export const invalid = (path: string): Refusal => fieldError('Field.Invalid', path, 'is invalid');
export const notUnique = (path: string): Refusal => fieldError('Field.NotUnique', path, 'is not unique');

export const UNAUTHORIZED: Refusal = {
  status: 401,
  errorCode: 'Unauthenticated',
  message: 'The request does not have valid authentication credentials',
};

export const notFound = (what: string): Refusal => {
  return { status: 404, errorCode: 'Resource.NotFound', message: `${what} was not found` };
};

export const failedPrecondition = (message: string): Refusal => {
  return { status: 400, errorCode: 'FAILED_PRECONDITION', message };
};

export const BANK_FEATURE_NOT_SUPPORTED: Refusal = {
  status: 400,
  errorCode: 'Bank.FeatureNotSupported',
  message: 'The bank does not support this kind of payment',
};

export const INTERNAL: Refusal = { status: 500, errorCode: 'InternalServerError', message: 'Internal error' };
export const UNAVAILABLE: Refusal = { status: 503, errorCode: 'UNAVAILABLE', message: 'Service is unavailable' };

function fieldError(errorCode: string, path: string, what: string): Refusal {
  return { status: 400, errorCode, message: `\`${path}\` ${what}`, paths: [path] };
}
