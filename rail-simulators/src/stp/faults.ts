/** The faults a test or a demonstration can switch on in STP, beside those of every simulator. */
import {
  type EdgeFaults,
  edgeFaultChecks,
  isOneOf,
  noEdgeFaults,
  type ParsedFaults,
  parseFaults,
} from '../kernel/edge-faults.ts';

export const notificationModes = ['on', 'off', 'twice', 'late', 'out_of_order', 'wrong_amount'] as const;
export type NotificationMode = (typeof notificationModes)[number];

/** What becomes of an order, and how its registration is answered. */
export const orderModes = [
  'settle',
  'cancel',
  'return',
  'return_told',
  'stay',
  'settle_unanswered',
  'settle_500',
  'refuse',
  'lose',
] as const;
export type OrderMode = (typeof orderModes)[number];

export const stateWords = ['codes', 'words'] as const;

export interface Faults extends EdgeFaults {
  notifications: NotificationMode;
  orders: OrderMode;
  /** Which of the two vocabularies that clients show a state change is told in. */
  state_words: (typeof stateWords)[number];
}

export const noFaults: Readonly<Faults> = {
  ...noEdgeFaults,
  notifications: 'on',
  orders: 'settle',
  state_words: 'codes',
};

export function parseStpFaults(value: unknown): ParsedFaults<Faults> {
  return parseFaults<Faults>(value, {
    ...edgeFaultChecks,
    notifications: isOneOf(notificationModes),
    orders: isOneOf(orderModes),
    state_words: isOneOf(stateWords),
  });
}
