/** The faults a test or a demonstration can switch on in Visa, beside those of every simulator. */
import { defineFaults, type FaultsOf, textLike } from '../kernel/fault-table.ts';

export const faultTable = defineFaults({
  /** How a sound push is taken and answered. */
  answers: ['all', 'take_unanswered', 'take_500', 'lose'],
  /** When it is done: before the answer, or after Visa's own time with the identifier of its outcome in JSON or bare. */
  timing: ['at_once', 'late_json', 'late_text'],
  /** How the pushes that are taken from now on end: `by_amount`, or two letters and digits. */
  action_code: textLike('by_amount', /^(?:by_amount|[A-Z0-9]{2})$/),
  /** Whether what was paid is undone by itself. */
  reversals: ['none', 'later'],
  /** What is said of a push to this card's issuer: `restricted` fails its validation. */
  validation: ['sound', 'restricted', 'broken'],
  queries: ['answer', 'not_yet', 'not_yet_404'],
  /** Whether messages may come in the clear. */
  encryption: ['optional', 'required'],
});

export type Faults = FaultsOf<typeof faultTable>;
export const { noFaults } = faultTable;
