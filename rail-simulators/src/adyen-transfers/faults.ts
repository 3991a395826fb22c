/** The faults a test or a demonstration can switch on in Adyen, beside those of every simulator. */
import {
  type EdgeFaults,
  edgeFaultChecks,
  isOneOf,
  noEdgeFaults,
  type ParsedFaults,
  parseFaults,
} from '../kernel/edge-faults.ts';
import { tellingModes } from '../kernel/telling.ts';
import { type Conduct, conductNames } from './conducts.ts';

/** How a sound request is taken and answered. */
const answerModes = ['all', 'take_unanswered', 'take_500', 'lose', 'at_work', 'forbidden'] as const;
const listModes = ['answer', 'not_yet'] as const;
const webhookModes = [...tellingModes, 'before_reply', 'wrong_amount', 'forged'] as const;

export interface Faults extends EdgeFaults {
  answers: (typeof answerModes)[number];
  /** What becomes of the transfers that are taken from now on. */
  transfers: 'by_amount' | Conduct;
  /** Why they are refused, fail or come back. */
  reason: string;
  funds: 'enough' | 'none';
  lists: (typeof listModes)[number];
  webhooks: (typeof webhookModes)[number];
}

export const noFaults: Readonly<Faults> = {
  ...noEdgeFaults,
  answers: 'all',
  transfers: 'by_amount',
  reason: 'declined',
  funds: 'enough',
  lists: 'answer',
  webhooks: 'on',
};

export function parseAdyenTransfersFaults(value: unknown): ParsedFaults<Faults> {
  return parseFaults<Faults>(value, {
    ...edgeFaultChecks,
    answers: isOneOf(answerModes),
    transfers: isOneOf(['by_amount', ...conductNames]),
    reason: (reason) => typeof reason === 'string' && /^[A-Za-z]{1,64}$/.test(reason),
    funds: isOneOf(['enough', 'none']),
    lists: isOneOf(listModes),
    webhooks: isOneOf(webhookModes),
  });
}
