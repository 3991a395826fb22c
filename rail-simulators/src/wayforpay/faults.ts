/** The faults a test or a demonstration can switch on in WayForPay, beside those of every simulator. */
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
import { type PayoutMode, payoutModes } from './conducts.ts';
import { reasons } from './reasons.ts';

const callbackModes = [...tellingModes, 'wrong_amount', 'forged'] as const;
const statusModes = ['answer', 'not_yet', 'say_no'] as const;
const signingModes = ['by_kind', 'general'] as const;

export interface Faults extends EdgeFaults {
  payouts: PayoutMode;
  /** False: a reference that comes again is carried out again. */
  dedupe: boolean;
  /** Why payouts are declined and refused. */
  reason_code: number;
  /** How CHECK_STATUS is answered. */
  status: (typeof statusModes)[number];
  callbacks: (typeof callbackModes)[number];
  /** Whether what is said of payouts is signed as clients have it, or as of any other order. */
  signing: (typeof signingModes)[number];
}

export const noFaults: Readonly<Faults> = {
  ...noEdgeFaults,
  payouts: 'by_amount',
  dedupe: true,
  reason_code: 1139,
  status: 'answer',
  callbacks: 'on',
  signing: 'by_kind',
};

export function parseWayForPayFaults(value: unknown): ParsedFaults<Faults> {
  return parseFaults<Faults>(value, {
    ...edgeFaultChecks,
    payouts: isOneOf(payoutModes),
    dedupe: isBoolean,
    reason_code: (code) => Number.isInteger(code) && reasons.has(Number(code)),
    status: isOneOf(statusModes),
    callbacks: isOneOf(callbackModes),
    signing: isOneOf(signingModes),
  });
}
