/**
 * The outcomes of a payout to a card, and Freedom Pay's test cards for payouts, as tables. A payout to any other card is paid
 * immediately.
 */

export type Status = 'success' | 'error' | 'process';

export interface Ending {
  readonly status: Exclude<Status, 'process'>;
  /** Empty for a success. */
  readonly code: string;
}

export interface Conduct {
  /** True if the outcome is decided later. */
  readonly isSlow: boolean;
  readonly ending: Ending;
}

const SUCCESS: Ending = { status: 'success', code: '' };
const failure = (code: string): Ending => ({ status: 'error', code });

export const CONDUCTS = {
  paid: { isSlow: false, ending: SUCCESS },
  paid_later: { isSlow: true, ending: SUCCESS },
  unavailable: { isSlow: false, ending: failure('10000') },
  declined: { isSlow: false, ending: failure('10001') },
  declined_later: { isSlow: true, ending: failure('10001') },
  wrong_card: { isSlow: false, ending: failure('10005') },
  too_often: { isSlow: false, ending: failure('10006') },
  failed: { isSlow: false, ending: failure('8888') },
} as const satisfies Readonly<Record<string, Conduct>>;

export type ConductName = keyof typeof CONDUCTS;

const TEST_CARDS: Readonly<Record<string, ConductName>> = {
  '4671593866478252': 'paid',
  '6204500338419360939': 'paid',
  '629656013969216940': 'paid',
  '62861819783765929': 'paid',
  '5325349472901311': 'unavailable',
  '4556046085041740': 'declined',
  '5543974702876045': 'failed',
  '5507841999732294': 'paid_later',
  '4532676596620704': 'declined_later',
};

export function conductOf(card: string): ConductName {
  return TEST_CARDS[card] ?? 'paid';
}

/** Returns the form of the number that the book may store. */
export function masked(card: string): string {
  return `${card.slice(0, 6)}****${card.slice(-4)}`;
}
