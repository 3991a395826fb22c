/**
 * The conducts of a payout, as a table: how the simulator accepts and responds to a valid request. Also the responses that
 * accept nothing.
 */

export type Status = 'InProcessing' | 'Approved' | 'Declined' | 'Refunded';

export interface Conduct {
  readonly first: Status;
  /** The later status, if it changes by itself. */
  readonly later?: Status;
  /** `callback_first` means that the callback precedes the response. */
  readonly reply: 'status' | 'callback_first' | 'never' | 'error_500' | 'script_error';
}

export const CONDUCTS = {
  approve: { first: 'Approved', reply: 'status' },
  decline: { first: 'Declined', reply: 'status' },
  approve_later: { first: 'InProcessing', later: 'Approved', reply: 'status' },
  decline_later: { first: 'InProcessing', later: 'Declined', reply: 'status' },
  reverse_later: { first: 'Approved', later: 'Refunded', reply: 'status' },
  approve_after_decline: { first: 'Declined', later: 'Approved', reply: 'status' },
  approve_notified_first: { first: 'Approved', reply: 'callback_first' },
  approve_unanswered: { first: 'Approved', reply: 'never' },
  approve_500: { first: 'Approved', reply: 'error_500' },
  approve_and_answer_error: { first: 'Approved', reply: 'script_error' },
} as const satisfies Record<string, Conduct>;

export type ConductName = keyof typeof CONDUCTS;

export function conductOf(name: ConductName): Conduct {
  return CONDUCTS[name];
}

/** `refuse` returns the current fault's code, `no_float` the code for an empty balance. */
export const UNACCEPTED = ['lose', 'answer_error', 'refuse', 'no_float'] as const;

/** The processing of one payout. */
export type Play = ConductName | (typeof UNACCEPTED)[number];

export function isConduct(play: Play): play is ConductName {
  return Object.hasOwn(CONDUCTS, play);
}
