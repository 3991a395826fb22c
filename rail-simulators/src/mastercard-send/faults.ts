/** The faults a test or a demonstration can switch on in Mastercard, beside those of every simulator. */
import {
  type EdgeFaults,
  edgeFaultChecks,
  isOneOf,
  noEdgeFaults,
  type ParsedFaults,
  parseFaults,
} from '../kernel/edge-faults.ts';

/** How a sound disbursement is taken and answered. */
const answerModes = ['all', 'take_unanswered', 'take_500', 'take_garbled', 'lose'] as const;
/** How it ends; with `later`, UNKNOWN or PENDING stand first. */
const endings = [
  'by_amount',
  'approve',
  'decline',
  'unknown_then_approve',
  'unknown_then_decline',
  'pending_then_approve',
  'approve_then_reverse',
] as const;
const queryModes = ['answer', 'not_yet', 'empty'] as const;

export interface Faults extends EdgeFaults {
  answers: (typeof answerModes)[number];
  disbursements: (typeof endings)[number];
  /** Why they are declined. */
  network_code: string;
  status_reason: string;
  /** What a request is said to be wrong in; empty: nothing. */
  invalid_source: string;
  /** False: a decline is 402, whatever the client asks for. */
  decline_details: boolean;
  queries: (typeof queryModes)[number];
}

export const noFaults: Readonly<Faults> = {
  ...noEdgeFaults,
  answers: 'all',
  disbursements: 'by_amount',
  network_code: '05',
  status_reason: 'DECLINED',
  invalid_source: '',
  decline_details: true,
  queries: 'answer',
};

const isText = (shape: RegExp) => (value: unknown) => typeof value === 'string' && shape.test(value);

export function parseMastercardSendFaults(value: unknown): ParsedFaults<Faults> {
  return parseFaults<Faults>(value, {
    ...edgeFaultChecks,
    answers: isOneOf(answerModes),
    disbursements: isOneOf(endings),
    network_code: isText(/^[A-Z0-9]{0,2}$/),
    status_reason: isText(/^[A-Z_]{1,32}$/),
    invalid_source: isText(/^[a-z_.]{0,64}$/),
    decline_details: isOneOf([true, false]),
    queries: isOneOf(queryModes),
  });
}
