/** What a deposit waits for, by the reason: English texts. */
import type { WaitTexts } from './wait-texts.ts';

/** The facts that the texts mention. */
interface DepositWaitFacts {
  readonly rail: string;
  /** With its currency. */
  readonly amount: string;
  readonly payTo: string;
  /** The step of the payer in the latest attempt; null: none. */
  readonly step: keyof typeof STEPS | null;
  /** The state of the latest attempt. Undefined if the deposit is not of the hosted form. */
  readonly attemptState: string | undefined;
  /** Why the latest attempt is where it is; empty if there is nothing to say. */
  readonly why: string;
  readonly isAuthorised: boolean;
  readonly isFinal: boolean;
  /** The merchant's policy could credit some of the held money. */
  readonly mayBeCredited: boolean;
}

const STEPS = {
  redirect: 'confirm on the bank’s page and return',
  frame: 'finish on the embedded bank page',
  post: 'authenticate with the card’s bank (3-D Secure)',
  code: 'pay with the code on their page',
  elsewhere: 'respond to a message from their bank',
};

const SETTLES = 'it succeeds when the money arrives';
const because = (text: string, why: string) => (why === '' ? text : `${text} (${why})`);

export const DEPOSIT_WAITS = {
  provider: ({ rail }) => ({
    waitsFor: `${rail}, which has not accepted it yet`,
    next: 'the gateway opens it, or it fails as expired',
    merchantCan: 'wait',
  }),
  step: ({ rail, step }) => ({
    waitsFor: `the payer, who has to ${step === null ? 'act' : STEPS[step]}`,
    next: `${SETTLES}; the gateway queries ${rail} at intervals, and abandons the attempt when the payer's time ends`,
    merchantCan: 'remind the payer, whose page shows the step',
  }),
  retry: ({ attemptState, why }) => ({
    waitsFor: because(`the payer, who may make another attempt: the last attempt was ${attemptState}`, why),
    next: 'it continues with another attempt, or fails as expired',
    merchantCan: 'wait; create a new order if the payer wants another payment type',
  }),
  decision: ({ rail, isAuthorised }) => ({
    waitsFor: `${rail}, which decides${isAuthorised ? ': the payer’s bank has agreed' : ''}`,
    next: `${rail} reports the outcome, or the gateway queries it`,
    merchantCan: 'wait; do not ship before the callback',
  }),
  silence: ({ rail, why }) => ({
    waitsFor: because(`${rail}, which received the attempt and gave no usable response`, why),
    next: 'the gateway queries it again; no other attempt may begin before a response, because both could be paid',
    merchantCan: 'wait',
  }),
  overdue: ({ rail, why }) => ({
    waitsFor: because(`the operator, who must ask ${rail}: it did not report an outcome by the deadline`, why),
    next: `the gateway queries ${rail} again; without a response, only "gateway deposit end-attempt" ends the attempt`,
    merchantCan: 'wait, or ask the operator; do not ship before the callback',
  }),
  payer: ({ amount, payTo }) => ({
    waitsFor: `the payer's transfer of ${amount} to ${payTo}`,
    next: `${SETTLES}; after the expiry, only a transfer that is already in transit is accepted`,
    merchantCan: 'remind the payer to send the full amount in one transfer',
  }),
  grace: ({ amount, payTo }) => ({
    waitsFor: `a transfer of ${amount} to ${payTo} that may be in transit: the payer's time has ended`,
    next: `${SETTLES}; otherwise it fails as expired`,
    merchantCan: 'wait; create a new order if the payer has not paid yet',
  }),
  closing: () => ({
    waitsFor: 'the gateway, which is about to close it: its time has ended',
    next: 'it fails as expired, within moments',
    merchantCan: 'wait',
  }),
  operator: ({ isFinal, mayBeCredited }) => ({
    waitsFor: 'the operator, who must decide on held money that does not match it',
    next: isFinal
      ? 'its final state stays, whatever the operator decides about the money'
      : 'the held money stays held; a matching transfer still completes the deposit, otherwise it fails as expired',
    merchantCan: `ask the operator to credit the money or to return it${
      mayBeCredited ? '; with mismatch_policy = credit the gateway credits such money immediately' : ''
    }`,
  }),
} as const satisfies Readonly<Record<string, (facts: DepositWaitFacts) => WaitTexts>>;
