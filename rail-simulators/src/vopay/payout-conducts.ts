/** What becomes of a payout by itself: VoPay's own sandbox decides by the cents of its amount, and so does this simulator. */
import type { Status } from './book.ts';
import type { EndingName } from './conducts.ts';

/** What follows a status; without one nothing does, and the recipient decides. */
export type PayoutSteps = Readonly<Partial<Record<Status, EndingName | 'sent' | 'credited'>>>;

const succeed: PayoutSteps = { pending: 'sent', requested: 'credited' };

/** By the first digit of the cents, from .01 on; .00 and what is not here succeeds. */
const byTens: Readonly<Record<string, PayoutSteps>> = {
  '0': { pending: 'failed_at_once' },
  '1': { pending: 'sent', requested: 'no_such_account' },
  '2': { ...succeed, successful: 'undone' },
  '3': { pending: 'stopped' },
  '4': { pending: 'sent', requested: 'stopped' },
  '5': { pending: 'sent' },
};

/** `amount`: `10.00`. */
export function stepsOf(amount: string): PayoutSteps {
  return amount.endsWith('.00') ? succeed : (byTens[amount.at(-2) ?? ''] ?? succeed);
}
