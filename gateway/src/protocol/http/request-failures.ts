/**
 * The responses to requests that fail outside an endpoint's own rules: unreadable, unroutable, overloaded, or a bug. A table
 * maps each exception to status and text. It must reveal nothing about a bug (decisions 18 and 19).
 */
import { OutcomeUnknown, Overloaded } from '../../foundation/commit-errors.ts';
import { errorCode } from '../../foundation/error-code.ts';
import { MalformedBody } from './json-body.ts';
import { UnsupportedContentType } from './received-body.ts';

export interface RequestFailure {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Content-Encoding is an encoding other than `identity`. */
export class CompressedBody extends Error {
  override readonly name = 'CompressedBody';
}

/** The message is ambiguous: a proxy may interpret the host or the body differently than this server. */
export class AmbiguousRequest extends Error {
  override readonly name = 'AmbiguousRequest';
}

export const FAILURES = {
  body: { status: 400, text: 'Invalid body' },
  path: { status: 400, text: 'Invalid path' },
  request: { status: 400, text: 'Invalid request' },
  unknownPath: { status: 404, text: 'Invalid path' },
  method: { status: 405, text: 'Invalid request method' },
  slow: { status: 408, text: 'Request time-out' },
  size: { status: 413, text: 'Invalid body size' },
  contentType: { status: 415, text: 'Invalid content type' },
  contentEncoding: { status: 415, text: 'Invalid content encoding' },
  headers: { status: 431, text: 'Invalid headers' },
  overloaded: { status: 429, text: 'Too many requests', headers: { 'retry-after': '1' } },
} as const satisfies Record<string, RequestFailure>;

/** The failures by the `code` of an exception from fastify or from Node's parser. */
const BY_CODE: Readonly<Record<string, RequestFailure>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: FAILURES.size,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: FAILURES.contentType,
  FST_ERR_CTP_INVALID_TYPE: FAILURES.contentType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: FAILURES.body,
  FST_ERR_CTP_EMPTY_JSON_BODY: FAILURES.body,
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: FAILURES.contentType,
  FST_ERR_BAD_URL: FAILURES.path,
  FST_ERR_MAX_PARAM_LENGTH: FAILURES.path,
  HPE_HEADER_OVERFLOW: FAILURES.headers,
  ERR_HTTP_REQUEST_TIMEOUT: FAILURES.slow,
};

/** Returns undefined for a bug and for an unknown outcome. The server returns an empty 500 for both. */
export function failureOf(error: unknown): RequestFailure | undefined {
  if (error instanceof MalformedBody) return FAILURES.body;
  if (error instanceof UnsupportedContentType) return FAILURES.contentType;
  if (error instanceof AmbiguousRequest) return FAILURES.request;
  if (error instanceof CompressedBody) return FAILURES.contentEncoding;
  if (error instanceof Overloaded) return FAILURES.overloaded;
  if (error instanceof OutcomeUnknown) return undefined;
  const code = errorCode(error) ?? '';
  return Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
}
