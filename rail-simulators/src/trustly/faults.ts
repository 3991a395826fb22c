/** The faults a test or a demonstration can switch on in Trustly, beside those of every simulator. */
import {
  type EdgeFaults,
  edgeFaultChecks,
  isBoolean,
  isOneOf,
  noEdgeFaults,
  type ParsedFaults,
  parseFaults,
} from '../kernel/edge-faults.ts';
import type { Hash } from './signed-texts.ts';

export const notificationModes = [
  'on',
  'off',
  'credits_off',
  'twice',
  'late',
  'out_of_order',
  'wrong_amount',
  'forged',
  'foreign_key',
] as const;

/** How a call that is sound is taken and answered. */
export const callModes = ['take', 'take_unanswered', 'take_500', 'lose', 'refuse', 'error_620', 'foreign_key'] as const;
export type CallMode = (typeof callModes)[number];

const depositModes = [...callModes, 'paid_before_reply'] as const;

const hashes: readonly Hash[] = ['RS256', 'SHA1'];

export interface Faults extends EdgeFaults {
  notifications: (typeof notificationModes)[number];
  deposits: (typeof depositModes)[number];
  refunds: CallMode;
  /** By which hash Trustly signs. */
  hash: Hash;
  /** Whether the client is told from which account a payer paid; at Trustly only who asks for it is. */
  tell_account: boolean;
}

export const noFaults: Readonly<Faults> = {
  ...noEdgeFaults,
  notifications: 'on',
  deposits: 'take',
  refunds: 'take',
  hash: 'RS256',
  tell_account: false,
};

export function parseTrustlyFaults(value: unknown): ParsedFaults<Faults> {
  return parseFaults<Faults>(value, {
    ...edgeFaultChecks,
    notifications: isOneOf(notificationModes),
    deposits: isOneOf(depositModes),
    refunds: isOneOf(callModes),
    hash: isOneOf(hashes),
    tell_account: isBoolean,
  });
}
