/** How a sound payout is taken and answered, as a table; and the answers given in its stead, which take nothing. */

export type Status = 'new' | 'success' | 'failed' | 'returned';

export interface Conduct {
  readonly first: Status;
  /** What it becomes by itself. */
  readonly later?: Status;
  /** `callback_first`: it is told before it is answered. `error`: by a word that denies it. */
  readonly reply: 'status' | 'callback_first' | 'never' | 'error_500' | 'error';
}

export const conducts = {
  pay: { first: 'success', reply: 'status' },
  fail: { first: 'failed', reply: 'status' },
  pay_later: { first: 'new', later: 'success', reply: 'status' },
  fail_later: { first: 'new', later: 'failed', reply: 'status' },
  return_later: { first: 'success', later: 'returned', reply: 'status' },
  pay_told_first: { first: 'success', reply: 'callback_first' },
  pay_unanswered: { first: 'success', reply: 'never' },
  pay_500: { first: 'success', reply: 'error_500' },
  pay_and_say_no: { first: 'success', reply: 'error' },
} as const satisfies Record<string, Conduct>;

export type ConductName = keyof typeof conducts;

export function conductOf(name: ConductName): Conduct {
  return conducts[name];
}

/** `say_no`: `error`, as of a request at fault. */
export const untaken = ['lose', 'say_no', 'server_error'] as const;

/** What is decided of a payout. */
export type Fate = ConductName | (typeof untaken)[number];

export function isConduct(mode: Fate): mode is ConductName {
  return Object.hasOwn(conducts, mode);
}
