/** The faults a test or a demonstration can switch on in the bank, beside those of every simulator. */
import {
  type EdgeFaults,
  edgeFaultChecks,
  isCountUpTo,
  isOneOf,
  noEdgeFaults,
  type ParsedFaults,
  parseFaults,
} from '../kernel/edge-faults.ts';

const chargeModes = ['take', 'take_unanswered', 'take_500', 'refuse', 'lose'] as const;
const repeatModes = ['revise', 'refuse'] as const;
const removalModes = ['remove', 'remove_unanswered', 'paid_first', 'paid_after'] as const;
const refundModes = ['settle', 'fail', 'stay', 'settle_unanswered', 'settle_500', 'refuse', 'lose'] as const;
export const notificationModes = ['on', 'off', 'twice', 'late', 'out_of_order', 'batched', 'wrong_amount'] as const;
const payerModes = ['told', 'masked', 'not_told'] as const;
const codeModes = ['given', 'none', 'broken'] as const;

export interface Faults extends EdgeFaults {
  /** What becomes of a sound charge, and how its PUT is answered. */
  charges: (typeof chargeModes)[number];
  /** What a PUT does to a charge that is there and open; some banks refuse it. */
  repeated_charges: (typeof repeatModes)[number];
  /** `paid_first`, `paid_after`: a payer pays at the very moment. */
  removals: (typeof removalModes)[number];
  refunds: (typeof refundModes)[number];
  notifications: (typeof notificationModes)[number];
  /** Whether a Pix says who paid it. */
  payer: (typeof payerModes)[number];
  /** Whether a charge comes with its `pixCopiaECola`; a broken one has wrong check digits. */
  code: (typeof codeModes)[number];
  /** How long a Pix that came is not yet seen in its charge. */
  listing_delay_ms: number;
}

export const noFaults: Readonly<Faults> = {
  ...noEdgeFaults,
  charges: 'take',
  repeated_charges: 'revise',
  removals: 'remove',
  refunds: 'settle',
  notifications: 'on',
  payer: 'told',
  code: 'given',
  listing_delay_ms: 0,
};

export function parsePixFaults(value: unknown): ParsedFaults<Faults> {
  return parseFaults<Faults>(value, {
    ...edgeFaultChecks,
    charges: isOneOf(chargeModes),
    repeated_charges: isOneOf(repeatModes),
    removals: isOneOf(removalModes),
    refunds: isOneOf(refundModes),
    notifications: isOneOf(notificationModes),
    payer: isOneOf(payerModes),
    code: isOneOf(codeModes),
    listing_delay_ms: isCountUpTo(600_000),
  });
}
