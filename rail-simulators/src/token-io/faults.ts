/** The faults a test or a demonstration can switch on in Token.io, beside those of every simulator. */
import {
  type EdgeFaults,
  edgeFaultChecks,
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
  'wrong_amount',
  'forged',
  'foreign_key',
  'foreign_member',
] as const;

/** How an order that is sound is taken and answered. */
export const orderModes = ['take', 'take_unanswered', 'take_500', 'lose', 'refuse', 'refuse_503', 'error_200'] as const;
export type OrderMode = (typeof orderModes)[number];

const paymentModes = [...orderModes, 'refuse_bank', 'slow_bank', 'told_before_reply'] as const;

const refundOutcomes = ['completed', 'rejected', 'no_final_status'] as const;

export interface Faults extends EdgeFaults {
  webhooks: (typeof webhookModes)[number];
  payments: (typeof paymentModes)[number];
  refunds: OrderMode;
  /** What becomes of refunds that are taken. */
  refund_outcome: (typeof refundOutcomes)[number];
}

export const noFaults: Readonly<Faults> = {
  ...noEdgeFaults,
  webhooks: 'on',
  payments: 'take',
  refunds: 'take',
  refund_outcome: 'completed',
};

export function parseTokenIoFaults(value: unknown): ParsedFaults<Faults> {
  return parseFaults<Faults>(value, {
    ...edgeFaultChecks,
    webhooks: isOneOf(webhookModes),
    payments: isOneOf(paymentModes),
    refunds: isOneOf(orderModes),
    refund_outcome: isOneOf(refundOutcomes),
  });
}
