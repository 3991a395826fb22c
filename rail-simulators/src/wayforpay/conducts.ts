/** How a sound payout is taken and answered, as a table; and the answers given in its stead, which take nothing. */

export type Status = 'InProcessing' | 'Approved' | 'Declined' | 'Refunded';

export interface Conduct {
  readonly first: Status;
  /** What it becomes by itself. */
  readonly later?: Status;
  /** `callback_first`: it is told before it is answered. */
  readonly reply: 'status' | 'callback_first' | 'never' | 'error_500' | 'script_error';
}

export const conducts = {
  approve: { first: 'Approved', reply: 'status' },
  decline: { first: 'Declined', reply: 'status' },
  approve_later: { first: 'InProcessing', later: 'Approved', reply: 'status' },
  decline_later: { first: 'InProcessing', later: 'Declined', reply: 'status' },
  reverse_later: { first: 'Approved', later: 'Refunded', reply: 'status' },
  approve_after_decline: { first: 'Declined', later: 'Approved', reply: 'status' },
  approve_told_first: { first: 'Approved', reply: 'callback_first' },
  approve_unanswered: { first: 'Approved', reply: 'never' },
  approve_500: { first: 'Approved', reply: 'error_500' },
  approve_and_say_no: { first: 'Approved', reply: 'script_error' },
} as const satisfies Record<string, Conduct>;

export type ConductName = keyof typeof conducts;

export function conductOf(name: ConductName): Conduct {
  return conducts[name];
}

/** `refuse` answers the code of the moment; `no_float` that of an empty balance. */
export const untaken = ['lose', 'say_no', 'refuse', 'no_float'] as const;

/** What is done with one payout. */
export type Play = ConductName | (typeof untaken)[number];

export function isConduct(play: Play): play is ConductName {
  return Object.hasOwn(conducts, play);
}
