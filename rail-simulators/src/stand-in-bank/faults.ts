/** The faults a test or a demonstration can switch on in the bank, beside those of every simulator. */
import {
  type EdgeFaults,
  edgeFaultChecks,
  isBoolean,
  isOneOf,
  noEdgeFaults,
  type ParsedFaults,
  parseFaults,
} from '../provider-server/edge-faults.ts';

export const notificationModes = ['on', 'off', 'twice', 'wrong_signature', 'wrong_amount'] as const;
export type NotificationMode = (typeof notificationModes)[number];

export interface Faults extends EdgeFaults {
  /** False: a repeated reference executes again. */
  dedupe: boolean;
  notifications: NotificationMode;
}

export const noFaults: Readonly<Faults> = { ...noEdgeFaults, dedupe: true, notifications: 'on' };

export function parseBankFaults(value: unknown): ParsedFaults<Faults> {
  return parseFaults<Faults>(value, {
    ...edgeFaultChecks,
    dedupe: isBoolean,
    notifications: isOneOf(notificationModes),
  });
}
