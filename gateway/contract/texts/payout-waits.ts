/** What a pending payout waits for, by the reason: English texts. */
import type { WaitTexts } from './wait-texts.ts';

/** The facts that the texts mention. */
interface PayoutWaitFacts {
  readonly rail: string;
  /** No bank has it. */
  readonly isUnsent: boolean;
  readonly attempts: number;
  /** The number of status queries. */
  readonly asks: number;
  /** The earlier rail that reported that it paid. */
  readonly paidBy: string | null;
  /** Undefined for merchants, who see no reason of the operator. */
  readonly pause: { readonly scope: string; readonly target: string; readonly reason: string } | undefined;
}

const UNSENT = 'wait, or ask the operator to cancel it: no bank has received it';
const SENT = 'wait; never repeat it under another id, because the bank may have paid it';
const RECOVERING: WaitTexts = {
  waitsFor:
    'the response of every bank that may have received it before the restore, and then the completion of its rail’s recovery',
  next: 'the gateway queries each bank. After proof that no bank received it, the gateway sends a payout from before the restore once its rail is completed, and a later payout immediately. If a bank does not respond, ask that bank yourself. If it has the payout, run "gateway payout resolve"; if no bank has it, run "gateway after-restore release"',
  merchantCan: 'wait; never repeat it under another id, because a bank may have paid it',
};

export const PAYOUT_WAITS = {
  awaiting_approval: () => ({
    waitsFor: 'the approval by one of the merchant’s approvers',
    next: 'without an approval by then, the gateway blocks the payout and releases its money',
    merchantCan: 'approve it or cancel it: no bank has received it',
  }),
  queued: ({ rail, attempts }) => ({
    waitsFor: attempts === 0 ? 'its first attempt' : `the rail ${rail}, whose bank has not accepted it yet`,
    next: `the gateway sends it to ${rail}`,
    merchantCan: UNSENT,
  }),
  sending: ({ rail }) => ({
    waitsFor: `the response of the bank behind ${rail}`,
    next: 'without a response by then, the gateway queries the bank for the outcome',
    merchantCan: 'wait; never repeat it under another id',
  }),
  at_bank: ({ rail }) => ({
    waitsFor: `the decision of the bank behind ${rail}, which accepted it`,
    next: 'the gateway queries the bank again, unless the bank notifies it first',
    merchantCan: 'wait; never repeat it under another id',
  }),
  unknown: ({ rail, asks }) => ({
    waitsFor: `its outcome: the bank behind ${rail} gave no usable response`,
    next: `the gateway queries the bank (${asks} times so far), and resends only after proof that the bank did not accept it`,
    merchantCan: SENT,
  }),
  paid_elsewhere: ({ paidBy }) => ({
    waitsFor: `its settlement: ${paidBy} reported it as paid`,
    next: 'the gateway settles it as paid, and no rail sends it',
    merchantCan: 'wait; never repeat it under another id, because it is paid',
  }),
  query_would_send: () => RECOVERING,
  recovering: () => RECOVERING,
  seal_broken: ({ isUnsent }) => ({
    waitsFor: 'the operator, because its row does not match its seal',
    next: 'the gateway checks the seal again each hour, and calls the bank only if the row matches it',
    merchantCan: isUnsent ? UNSENT : SENT,
  }),
  paused: ({ pause }) => ({
    waitsFor: `the operator, who paused ${pause ? `${pause.scope} ${pause.target}: ${pause.reason}` : 'payouts'}`,
    next: 'the gateway sends it after the operator resumes',
    merchantCan: 'wait, or ask the operator',
  }),
  rail_down: ({ rail }) => ({
    waitsFor: `the bank behind ${rail}, which keeps failing`,
    next: `the gateway sends it when ${rail} responds again, or moves it to another rail`,
    merchantCan: UNSENT,
  }),
  closed: ({ rail }) => ({
    waitsFor: `the opening hours of ${rail}`,
    next: `the gateway sends it when ${rail} opens`,
    merchantCan: UNSENT,
  }),
  rail_missing: ({ rail }) => ({
    waitsFor: `the rail ${rail}, which this gateway no longer configures`,
    next: 'nothing happens until the operator configures the rail again',
    merchantCan: 'ask the operator',
  }),
} as const satisfies Readonly<Record<string, (facts: PayoutWaitFacts) => WaitTexts>>;
