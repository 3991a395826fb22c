/** The automatic steps of a payout. As in VoPay's own sandbox, the cents of its amount select them. */
import type { Status } from './book.ts';
import type { EndingName } from './conducts.ts';

/** The step after each status. After a status without a step, the recipient decides. */
export type PayoutSteps = Readonly<Partial<Record<Status, EndingName | 'sent' | 'credited'>>>;

const SUCCEED: PayoutSteps = { pending: 'sent', requested: 'credited' };

/** By the first digit of the cents, from .01 on. Any other amount, including .00, succeeds. */
const BY_TENS: Readonly<Record<string, PayoutSteps>> = {
  '0': { pending: 'failed_at_once' },
  '1': { pending: 'sent', requested: 'no_such_account' },
  '2': { ...SUCCEED, successful: 'undone' },
  '3': { pending: 'stopped' },
  '4': { pending: 'sent', requested: 'stopped' },
  '5': { pending: 'sent' },
};

/** `amount` has two decimals, such as `10.00`. */
export function stepsOf(amount: string): PayoutSteps {
  return amount.endsWith('.00') ? SUCCEED : (BY_TENS[amount.at(-2) ?? ''] ?? SUCCEED);
}
