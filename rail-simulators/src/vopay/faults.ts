/** The faults a test or a demonstration can switch on in VoPay, beside those of every simulator. */
import {
  type EdgeFaults,
  edgeFaultChecks,
  isBoolean,
  isOneOf,
  noEdgeFaults,
  type ParsedFaults,
  parseFaults,
} from '../kernel/edge-faults.ts';

/** How something that is sound is taken and answered. */
export const callModes = [
  'take',
  'take_unanswered',
  'take_500',
  'take_and_say_no',
  'lose',
  'say_no',
  'refuse',
  'over_limit',
  'not_enabled',
] as const;
export type CallMode = (typeof callModes)[number];

const requestModes = [...callModes, 'paid_before_reply', 'fail_at_once'] as const;
const payoutModes = [...callModes, 'deposited_before_reply'] as const;
const cancellationModes = ['take', 'take_unanswered', 'refuse', 'paid_first'] as const;
const lookUpModes = ['answer', 'not_yet', 'say_no'] as const;
const repetitionModes = ['replay', 'refuse'] as const;
const wordings = ['usual', 'events'] as const;
export const notificationModes = [
  'on',
  'off',
  'twice',
  'late',
  'out_of_order',
  'wrong_amount',
  'forged',
  'foreign_reference',
] as const;

export interface Faults extends EdgeFaults {
  money_requests: (typeof requestModes)[number];
  refunds: CallMode;
  payouts: (typeof payoutModes)[number];
  /** Nothing is left to pay out of. */
  empty: boolean;
  confirmations: CallMode;
  cancellations: (typeof cancellationModes)[number];
  look_ups: (typeof lookUpModes)[number];
  /** What a second request under one IdempotencyKey gets. */
  repetitions: (typeof repetitionModes)[number];
  /** The words of the description, or those of the list of events. */
  wording: (typeof wordings)[number];
  /** By how many minutes the day at VoPay is ahead of UTC. */
  day_shift_min: number;
  /** Whether a failure has its number. */
  numbered: boolean;
  notifications: (typeof notificationModes)[number];
}

export const noFaults: Readonly<Faults> = {
  ...noEdgeFaults,
  money_requests: 'take',
  refunds: 'take',
  payouts: 'take',
  empty: false,
  confirmations: 'take',
  cancellations: 'take',
  look_ups: 'answer',
  repetitions: 'replay',
  wording: 'usual',
  day_shift_min: 0,
  numbered: true,
  notifications: 'on',
};

export function parseVoPayFaults(value: unknown): ParsedFaults<Faults> {
  return parseFaults<Faults>(value, {
    ...edgeFaultChecks,
    money_requests: isOneOf(requestModes),
    refunds: isOneOf(callModes),
    payouts: isOneOf(payoutModes),
    empty: isBoolean,
    confirmations: isOneOf(callModes),
    cancellations: isOneOf(cancellationModes),
    look_ups: isOneOf(lookUpModes),
    repetitions: isOneOf(repetitionModes),
    wording: isOneOf(wordings),
    day_shift_min: (minutes) => Number.isInteger(minutes) && Math.abs(Number(minutes)) <= 1_440,
    numbered: isBoolean,
    notifications: isOneOf(notificationModes),
  });
}
