/** The errors of the management API (RFC 9457), as one table. The documentation has a section for each code. */
import type { Problem } from '../../../contract/parts/answer-parts.ts';
import type { WordsRejection } from '../../domain/audit/act-words.ts';

export const PROBLEMS = {
  'invalid-request': { status: 400, title: 'The request is invalid' },
  'idempotency-key-missing': { status: 400, title: 'Every write needs an Idempotency-Key' },
  unauthenticated: { status: 401, title: 'The request has no valid credential' },
  'sign-in-failed': { status: 401, title: 'The sign-in failed' },
  forbidden: { status: 403, title: 'The credential lacks a permission' },
  'cross-site': { status: 403, title: 'The request does not come from the gateway’s own pages' },
  'step-up-required': { status: 403, title: 'The action needs a fresh confirmation' },
  'not-found': { status: 404, title: 'No such path or object' },
  'method-not-allowed': { status: 405, title: 'The path does not support this method' },
  rejected: { status: 409, title: 'The state of the object does not allow this' },
  'already-exists': { status: 409, title: 'The object already exists' },
  'in-progress': { status: 409, title: 'A request with this Idempotency-Key is still in progress' },
  'secret-not-kept': { status: 409, title: 'The request succeeded, but its secret is not stored' },
  'insufficient-funds': { status: 409, title: 'The balance is too low' },
  'changed-meanwhile': { status: 412, title: 'The object was modified' },
  'idempotency-key-reused': { status: 422, title: 'This Idempotency-Key belongs to another request' },
  'if-match-missing': { status: 428, title: 'The request needs If-Match' },
  unreadable: { status: 400, title: 'The server cannot read the request' },
  'too-large': { status: 413, title: 'The body is too large' },
  'unsupported-type': { status: 415, title: 'The body must be JSON' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly title: string }>>;

export type ProblemCode = keyof typeof PROBLEMS;

export interface ManageProblem {
  readonly code: ProblemCode;
  /** The fault of this request, and the remedy. One or two sentences. */
  readonly detail: string;
  /** A JSON pointer into the body, or the name of a parameter. */
  readonly field?: string;
}

export const INVALID_CURSOR: ManageProblem = {
  code: 'invalid-request',
  field: 'after',
  detail: 'after must be the "next" of an earlier page.',
};

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

export function problemBody({ code, detail, field }: ManageProblem, requestId: string): Problem {
  const { status, title } = PROBLEMS[code];
  return {
    type: `/manage/problems#${code}`,
    title,
    status,
    detail,
    ...(field === undefined ? {} : { field }),
    requestId,
  };
}

/** The same response for a path that does not exist, and for an object that the caller may not see. */
export const NOT_FOUND: ManageProblem = {
  code: 'not-found',
  detail: 'No such path or object, or the credential may not see it.',
};

export function notFound(detail: string, field?: string): ManageProblem {
  return { code: 'not-found', detail, ...(field === undefined ? {} : { field }) };
}

export const MERCHANT_NOT_FOUND = notFound('No merchant has this id. "gateway merchant list" lists all merchants.');

export const WRONG_PASSKEY: ManageProblem = {
  code: 'invalid-request',
  field: '/attestation',
  detail: 'The passkey does not match this site’s challenge, or it is already registered.',
};

/** Returns the problem for a text of the record that the domain rejects. The evidence of an action is its `reason` here. */
export function wordsProblem({ word, reason }: WordsRejection): ManageProblem {
  const field = word === 'reason' || word === 'by' ? word : 'reason';
  return { code: 'invalid-request', field: `/${field}`, detail: `${field} ${reason}.` };
}
