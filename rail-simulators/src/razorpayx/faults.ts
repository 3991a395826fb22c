/** The faults a test or a demonstration can switch on in RazorpayX, beside those of every simulator. */
import {
  type EdgeFaults,
  edgeFaultChecks,
  isOneOf,
  noEdgeFaults,
  type ParsedFaults,
  parseFaults,
} from '../kernel/edge-faults.ts';
import { tellingModes } from '../kernel/telling.ts';
import { type ConductName, conducts } from './conducts.ts';
import { type Reason, reasons } from './reasons.ts';

/** How a payout that is sound is taken and answered. */
const callModes = [
  'take',
  'take_unanswered',
  'take_500',
  'processed_before_reply',
  'lose',
  'lose_500',
  'throttle',
  'refuse_address',
] as const;
const listModes = ['answer', 'not_yet', 'throttle', 'answer_500'] as const;
const repetitionModes = ['latest', 'first'] as const;
const floats = ['enough', 'empty'] as const;
const notificationModes = [...tellingModes, 'wrong_amount', 'forged', 'foreign_reference'] as const;

export interface Faults extends EdgeFaults {
  calls: (typeof callModes)[number];
  lists: (typeof listModes)[number];
  /** What becomes of the payouts that are taken from now on. */
  payouts: 'by_amount' | ConductName;
  /** Why those fail or are reversed that do. */
  fail_reason: Reason;
  /** What a second request under one key is answered with: the payout as it is, or as it was. */
  repetitions: (typeof repetitionModes)[number];
  float: (typeof floats)[number];
  notifications: (typeof notificationModes)[number];
}

export const noFaults: Readonly<Faults> = {
  ...noEdgeFaults,
  calls: 'take',
  lists: 'answer',
  payouts: 'by_amount',
  fail_reason: 'beneficiary_bank_rejected',
  repetitions: 'latest',
  float: 'enough',
  notifications: 'on',
};

export function parseRazorpayXFaults(value: unknown): ParsedFaults<Faults> {
  return parseFaults<Faults>(value, {
    ...edgeFaultChecks,
    calls: isOneOf(callModes),
    lists: isOneOf(listModes),
    payouts: isOneOf(['by_amount', ...Object.keys(conducts)]),
    fail_reason: isOneOf(reasons),
    repetitions: isOneOf(repetitionModes),
    float: isOneOf(floats),
    notifications: isOneOf(notificationModes),
  });
}
