/** The faults a test or a demonstration can switch on in Epoint, beside those of every simulator. */
import {
  type EdgeFaults,
  edgeFaultChecks,
  isOneOf,
  noEdgeFaults,
  type ParsedFaults,
  parseFaults,
} from '../kernel/edge-faults.ts';
import { tellingModes } from '../kernel/telling.ts';
import { type PayoutMode, payoutModes } from './conducts.ts';

const callbackModes = [...tellingModes, 'wrong_amount', 'forged', 'multipart'] as const;
const statusModes = ['by_either', 'by_transaction', 'server_error'] as const;

export interface Faults extends EdgeFaults {
  payouts: PayoutMode;
  /** Why payouts fail: a bank's code, or none. */
  code: string;
  /** By what get-status finds a payout. */
  status: (typeof statusModes)[number];
  /** Of payouts; that a card was registered is always told. */
  callbacks: (typeof callbackModes)[number];
}

export const noFaults: Readonly<Faults> = {
  ...noEdgeFaults,
  payouts: 'by_amount',
  code: '100',
  status: 'by_either',
  callbacks: 'off',
};

export function parseEpointFaults(value: unknown): ParsedFaults<Faults> {
  return parseFaults<Faults>(value, {
    ...edgeFaultChecks,
    payouts: isOneOf(payoutModes),
    code: (code) => typeof code === 'string' && /^(?:[0-9A-Z]{3})?$/.test(code),
    status: isOneOf(statusModes),
    callbacks: isOneOf(callbackModes),
  });
}
