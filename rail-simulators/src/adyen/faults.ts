/** The faults a test or a demonstration can switch on in Adyen, beside those of every simulator. */
import {
  type EdgeFaults,
  edgeFaultChecks,
  isBoolean,
  isCountUpTo,
  isOneOf,
  noEdgeFaults,
  type ParsedFaults,
  parseFaults,
} from '../kernel/edge-faults.ts';

export const webhookModes = [
  'on',
  'off',
  'twice',
  'late',
  'out_of_order',
  'before_reply',
  'wrong_amount',
  'forged',
] as const;
export type WebhookMode = (typeof webhookModes)[number];

export interface Faults extends EdgeFaults {
  /** How many of the next requests to the API are carried out and not answered. */
  unanswered: number;
  /** How many are carried out and answered 500. */
  answer_500_after: number;
  /** How many are neither carried out nor answered. */
  lost: number;
  webhooks: WebhookMode;
  /** False: what is authorised is not captured. */
  captures: boolean;
  /** What becomes of a refund. */
  refunds: 'succeed' | 'refuse' | 'fail_later';
}

export const noFaults: Readonly<Faults> = {
  ...noEdgeFaults,
  unanswered: 0,
  answer_500_after: 0,
  lost: 0,
  webhooks: 'on',
  captures: true,
  refunds: 'succeed',
};

const count = isCountUpTo(1_000_000);

export function parseAdyenFaults(value: unknown): ParsedFaults<Faults> {
  return parseFaults<Faults>(value, {
    ...edgeFaultChecks,
    unanswered: count,
    answer_500_after: count,
    lost: count,
    webhooks: isOneOf(webhookModes),
    captures: isBoolean,
    refunds: isOneOf(['succeed', 'refuse', 'fail_later']),
  });
}
