/** What becomes of a payout to a card: Freedom Pay's own test cards for payouts, as a table. Any other card is paid at once. */
import type { Status } from './book.ts';

export interface Ending {
  readonly status: Exclude<Status, 'process'>;
  /** Empty for what succeeds. */
  readonly code: string;
}

export interface Conduct {
  /** What is decided after a while, and not at once. */
  readonly isSlow: boolean;
  readonly ending: Ending;
}

const success: Ending = { status: 'success', code: '' };
const failure = (code: string): Ending => ({ status: 'error', code });

export const testCards: Readonly<Record<string, Conduct>> = {
  '4671593866478252': { isSlow: false, ending: success },
  '6204500338419360939': { isSlow: false, ending: success },
  '629656013969216940': { isSlow: false, ending: success },
  '62861819783765929': { isSlow: false, ending: success },
  '5325349472901311': { isSlow: false, ending: failure('10000') },
  '4556046085041740': { isSlow: false, ending: failure('10001') },
  '5543974702876045': { isSlow: false, ending: failure('8888') },
  '5507841999732294': { isSlow: true, ending: success },
  '4532676596620704': { isSlow: true, ending: failure('10001') },
};

export function conductOf(card: string): Conduct {
  return testCards[card] ?? { isSlow: false, ending: success };
}

/** As the book may hold it. */
export function masked(card: string): string {
  return `${card.slice(0, 6)}****${card.slice(-4)}`;
}
