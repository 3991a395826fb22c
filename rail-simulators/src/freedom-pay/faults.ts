/** The faults a test or a demonstration can switch on in Freedom Pay, beside those of every simulator. */
import {
  type EdgeFaults,
  edgeFaultChecks,
  isBoolean,
  isOneOf,
  noEdgeFaults,
  type ParsedFaults,
  parseFaults,
} from '../kernel/edge-faults.ts';
import { tellingModes } from '../kernel/telling.ts';
import { type ConductName, conducts } from './cards.ts';
import type { Signing } from './signature.ts';

/** How a payout that is sound is taken and answered. */
const payoutModes = [
  'by_amount',
  'take',
  'take_unanswered',
  'take_500',
  'take_and_say_no',
  'told_before_reply',
  'lose',
  'say_no',
  'refuse',
  'not_activated',
] as const;
const statusModes = ['answer', 'not_yet', 'number_zero', 'say_no'] as const;
const wordings = ['example', 'list'] as const;
const signings: readonly Signing[] = ['right', 'wrong', 'none'];
const notificationModes = [...tellingModes, 'wrong_amount', 'forged'] as const;

export interface Faults extends EdgeFaults {
  payouts: (typeof payoutModes)[number];
  /** What becomes of those that are taken. */
  outcomes: 'by_card' | ConductName;
  statuses: (typeof statusModes)[number];
  /** With which word a payout that was paid is answered: that of the example, or that of the list beside it. */
  wording: (typeof wordings)[number];
  /** Of answers. */
  signatures: Signing;
  /** Nothing is left to pay out of. */
  empty: boolean;
  notifications: (typeof notificationModes)[number];
  /** Whether the client is told of what failed. */
  tell_failures: boolean;
}

export const noFaults: Readonly<Faults> = {
  ...noEdgeFaults,
  payouts: 'by_amount',
  outcomes: 'by_card',
  statuses: 'answer',
  wording: 'example',
  signatures: 'right',
  empty: false,
  notifications: 'on',
  tell_failures: false,
};

export function parseFreedomPayFaults(value: unknown): ParsedFaults<Faults> {
  return parseFaults<Faults>(value, {
    ...edgeFaultChecks,
    payouts: isOneOf(payoutModes),
    outcomes: isOneOf(['by_card', ...Object.keys(conducts)]),
    statuses: isOneOf(statusModes),
    wording: isOneOf(wordings),
    signatures: isOneOf(signings),
    empty: isBoolean,
    notifications: isOneOf(notificationModes),
    tell_failures: isBoolean,
  });
}
