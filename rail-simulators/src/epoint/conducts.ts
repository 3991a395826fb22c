/**
 * The conducts of a payout, as a table: how the simulator accepts and responds to a valid request. Also the responses that
 * accept nothing.
 */

export type Status = 'new' | 'success' | 'failed' | 'returned';

export interface Conduct {
  readonly first: Status;
  /** The later status, if it changes by itself. */
  readonly later?: Status;
  /** `callback_first` means that the callback precedes the response, `error` that the response denies the payout. */
  readonly reply: 'status' | 'callback_first' | 'never' | 'error_500' | 'error';
}

export const CONDUCTS = {
  pay: { first: 'success', reply: 'status' },
  fail: { first: 'failed', reply: 'status' },
  pay_later: { first: 'new', later: 'success', reply: 'status' },
  fail_later: { first: 'new', later: 'failed', reply: 'status' },
  return_later: { first: 'success', later: 'returned', reply: 'status' },
  pay_notified_first: { first: 'success', reply: 'callback_first' },
  pay_unanswered: { first: 'success', reply: 'never' },
  pay_500: { first: 'success', reply: 'error_500' },
  pay_and_answer_error: { first: 'success', reply: 'error' },
} as const satisfies Record<string, Conduct>;

export type ConductName = keyof typeof CONDUCTS;

export function conductOf(name: ConductName): Conduct {
  return CONDUCTS[name];
}

/** `answer_error` returns `error`, as for an invalid request. */
export const UNACCEPTED = ['lose', 'answer_error', 'server_error'] as const;

/** The decision about a payout. */
export type Fate = ConductName | (typeof UNACCEPTED)[number];

export function isConduct(mode: Fate): mode is ConductName {
  return Object.hasOwn(CONDUCTS, mode);
}
