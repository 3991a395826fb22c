/** The faults a test or a demonstration can switch on in DT One, beside those of every simulator. */
import {
  type EdgeFaults,
  edgeFaultChecks,
  isOneOf,
  noEdgeFaults,
  type ParsedFaults,
  parseFaults,
} from '../kernel/edge-faults.ts';
import { tellingModes } from '../kernel/telling.ts';
import { type ConductName, conducts, type Why, whys } from './conducts.ts';

/** How a transaction that is sound is taken and answered. */
const callModes = [
  'take',
  'take_unanswered',
  'take_500',
  'completed_before_reply',
  'lose',
  'lose_503',
  'throttle',
] as const;
const lookUpModes = ['answer', 'stale', 'unidentified', 'none', 'throttle', 'answer_500'] as const;
const queryModes = ['answer', 'not_yet', 'not_yet_404', 'throttle', 'answer_500'] as const;
const floats = ['enough', 'refused', 'rejected'] as const;
const notificationModes = [...tellingModes, 'forged', 'lying', 'foreign_reference'] as const;

export interface Faults extends EdgeFaults {
  calls: (typeof callModes)[number];
  look_ups: (typeof lookUpModes)[number];
  queries: (typeof queryModes)[number];
  /** What becomes of the transactions that are made from now on. */
  transactions: 'by_amount' | ConductName;
  /** Why those are rejected or declined that are. */
  why: Why;
  /** How too little money is said, where there is. */
  float: (typeof floats)[number];
  notifications: (typeof notificationModes)[number];
}

export const noFaults: Readonly<Faults> = {
  ...noEdgeFaults,
  calls: 'take',
  look_ups: 'answer',
  queries: 'answer',
  transactions: 'by_amount',
  why: '',
  float: 'enough',
  notifications: 'on',
};

export function parseDtOneFaults(value: unknown): ParsedFaults<Faults> {
  return parseFaults<Faults>(value, {
    ...edgeFaultChecks,
    calls: isOneOf(callModes),
    look_ups: isOneOf(lookUpModes),
    queries: isOneOf(queryModes),
    transactions: isOneOf(['by_amount', ...Object.keys(conducts)]),
    why: isOneOf(whys),
    float: isOneOf(floats),
    notifications: isOneOf(notificationModes),
  });
}
