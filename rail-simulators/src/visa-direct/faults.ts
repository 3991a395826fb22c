/** The faults a test or a demonstration can switch on in Visa, beside those of every simulator. */
import {
  type EdgeFaults,
  edgeFaultChecks,
  isOneOf,
  noEdgeFaults,
  type ParsedFaults,
  parseFaults,
} from '../kernel/edge-faults.ts';

/** How a sound push is taken and answered. */
const answerModes = ['all', 'take_unanswered', 'take_500', 'lose'] as const;
/** When it is done: before the answer, or after Visa's own time with the identifier of its outcome in JSON or bare. */
const timings = ['at_once', 'late_json', 'late_text'] as const;
const reversalModes = ['none', 'later'] as const;
const queryModes = ['answer', 'not_yet', 'not_yet_404'] as const;

export interface Faults extends EdgeFaults {
  answers: (typeof answerModes)[number];
  timing: (typeof timings)[number];
  /** How the pushes that are taken from now on end: `by_amount`, or two letters and digits. */
  action_code: string;
  /** Whether what was paid is undone by itself. */
  reversals: (typeof reversalModes)[number];
  /** What is said of a push to this card's issuer: `restricted` fails its validation. */
  validation: 'sound' | 'restricted' | 'broken';
  queries: (typeof queryModes)[number];
  /** Whether messages may come in the clear. */
  encryption: 'optional' | 'required';
}

export const noFaults: Readonly<Faults> = {
  ...noEdgeFaults,
  answers: 'all',
  timing: 'at_once',
  action_code: 'by_amount',
  reversals: 'none',
  validation: 'sound',
  queries: 'answer',
  encryption: 'optional',
};

export function parseVisaDirectFaults(value: unknown): ParsedFaults<Faults> {
  return parseFaults<Faults>(value, {
    ...edgeFaultChecks,
    answers: isOneOf(answerModes),
    timing: isOneOf(timings),
    action_code: (code) => typeof code === 'string' && /^(?:by_amount|[A-Z0-9]{2})$/.test(code),
    reversals: isOneOf(reversalModes),
    validation: isOneOf(['sound', 'restricted', 'broken']),
    queries: isOneOf(queryModes),
    encryption: isOneOf(['optional', 'required']),
  });
}
