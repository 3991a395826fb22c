/**
 * How a sound payout is taken and answered, as a table; the answers given in its stead, which take nothing; and the magic
 * amounts, by which a payout picks one of either.
 */
import type { Status } from './book.ts';

export interface Conduct {
  readonly first: Status;
  /** What it becomes by itself. */
  readonly later?: Status;
  /** Why it is declined; the reason of the moment where it is not said. */
  readonly reasonCode?: number;
  /** `callback_first`: it is told before it is answered. */
  readonly reply: 'status' | 'callback_first' | 'never' | 'error_500' | 'script_error';
  /** How often what becomes of it is told; once where it is not said. `never`: nor is anything before. */
  readonly told?: 'never' | 'twice_and_late';
}

const pending = { first: 'InProcessing', reply: 'status' } as const;
const declined = { first: 'Declined', reply: 'status' } as const;

export const conducts = {
  approve: { first: 'Approved', reply: 'status' },
  decline: declined,
  decline_card: { ...declined, reasonCode: 1105 },
  decline_limit: { ...declined, reasonCode: 1135 },
  approve_later: { ...pending, later: 'Approved' },
  approve_later_untold: { ...pending, later: 'Approved', told: 'never' },
  approve_later_told_thrice: { ...pending, later: 'Approved', told: 'twice_and_late' },
  decline_later: { ...pending, later: 'Declined' },
  reverse_later: { first: 'Approved', later: 'Refunded', reply: 'status' },
  approve_after_decline: { ...declined, later: 'Approved' },
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

/** By the two digits after the point. Any other amount is approved at once. */
export const magicAmounts: Readonly<Record<string, Play>> = {
  '40': 'approve_later',
  '41': 'decline_later',
  '42': 'approve_later_untold',
  '44': 'approve_unanswered',
  '45': 'lose',
  '50': 'approve_500',
  '51': 'decline',
  '52': 'decline_card',
  '53': 'decline_limit',
  '60': 'reverse_later',
  '61': 'approve_after_decline',
  '62': 'approve_told_first',
  '63': 'approve_later_told_thrice',
};

export const payoutModes = ['by_amount', ...(Object.keys(conducts) as ConductName[]), ...untaken] as const;
export type PayoutMode = (typeof payoutModes)[number];

/** What the mode of the moment does with a payout of so many kopecks. */
export function playOf(mode: PayoutMode, kopecks: bigint): Play {
  return mode === 'by_amount' ? (magicAmounts[String(kopecks).padStart(2, '0').slice(-2)] ?? 'approve') : mode;
}
