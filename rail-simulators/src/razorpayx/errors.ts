/** RazorpayX's error responses. */
import type { Reply } from '../kernel/http-server.ts';

interface ErrorText {
  readonly status: number;
  readonly description: string;
  readonly reason: string | null;
  readonly source: string | null;
}

const ERRORS = {
  unknown_client: { status: 401, description: 'Authentication failed', reason: 'NA', source: 'NA' },
  no_key: {
    status: 400,
    description: 'The idempotency key is required in the header X-Payout-Idempotency',
    reason: 'null',
    source: 'business',
  },
  other_body: {
    status: 400,
    description: 'Different request body sent for the same Idempotency Header',
    reason: null,
    source: null,
  },
  no_money: {
    status: 400,
    description: 'Your account does not have enough balance to carry out the payout operation.',
    reason: 'insufficient_funds',
    source: 'business',
  },
  foreign_address: {
    status: 400,
    description: 'Transactions from this IP are not allowed for this account',
    reason: null,
    source: 'business',
  },
  throttled: { status: 429, description: 'Too many requests', reason: 'NA', source: 'NA' },
} as const satisfies Readonly<Record<string, ErrorText>>;

type ErrorName = keyof typeof ERRORS;

export function failed(name: ErrorName): Reply {
  const { status, ...text } = ERRORS[name];
  return errorReply(status, text, name === 'no_key' ? { field: 'X-Payout-Idempotency' } : {});
}

export function invalidInput(field: string, description: string): Reply {
  return errorReply(400, { description, reason: 'input_validation_failed', source: 'business' }, { field });
}

export const SERVER_ERROR: Reply = {
  status: 500,
  body: {
    error: {
      code: 'SERVER_ERROR',
      description: 'We are facing some trouble completing your request at the moment. Please try again shortly.',
      source: 'internal',
      step: 'NA',
      reason: 'server_error',
      metadata: {},
    },
  },
};

function errorReply(status: number, text: Omit<ErrorText, 'status'>, more: object): Reply {
  return { status, body: { error: { code: 'BAD_REQUEST_ERROR', ...text, step: 'NA', metadata: {}, ...more } } };
}
