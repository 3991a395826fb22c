/**
 * Card payments through Adyen. This module sequences the calls; protocol.ts decides what a response proves. Adyen has no query
 * by our reference: an attempt has one request and one idempotency key throughout. An outcome that is not final is `unknown`,
 * and only a webhook, a cancelled challenge or the operator ends it. README.md has the rules, and what is not confirmed.
 */
import { createHash } from 'node:crypto';
import type {
  NoEffect,
  PaymentAnswer,
  PaymentOrder,
  PaymentRail,
  RefundAnswer,
  RefundOrder,
} from '../../domain/payments/payment-rail.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import { invariant } from '../../foundation/invariant.ts';
import type { ProviderReply } from '../kit/provider-http.ts';
import { notAccepted, unknown } from '../kit/rail-answers.ts';
import { type AdyenCalls, type AdyenParts, isCredentialError, isUnanswered, post, reasonOf } from './api.ts';
import { ADYEN, type AdyenConfiguration } from './configuration.ts';
import { type KeptStep, payerStepOf, readKept, WAITING, writeKept } from './kept-step.ts';
import {
  DETAILS_PATH,
  PAYMENTS_PATH,
  refundsPath,
  writeChallengeResult,
  writeFingerprint,
  writePayment,
  writeRefund,
  writeReturned,
} from './payment-request.ts';
import { ADYEN_CURRENCIES, type Reading, readDetails, readPayment } from './protocol.ts';
import { adyenWallets } from './wallets.ts';

export const ADYEN_CONCURRENCY = 32;
/** Each response contains Adyen's own state of the payment, which may be long. */
export const ADYEN_LARGEST_ANSWER_BYTES = 512 * 1024;

const VALIDITY_MS = 30 * MINUTE_MS;

export function createAdyenPaymentRail(configuration: AdyenConfiguration, parts: AdyenParts): PaymentRail {
  const calls: AdyenCalls = { ...parts, configuration };
  return {
    name: ADYEN,
    paymentType: 'card',
    currencies: ADYEN_CURRENCIES,
    simulated: configuration.simulated,
    timeoutMs: 50 * SECOND_MS,
    // Never used: this rail does not return `not_found`.
    notFoundProofMs: 30 * DAY_MS,
    // The first query follows the end of the payer’s time (README.md).
    askAfterMs: [VALIDITY_MS + 2 * MINUTE_MS, HOUR_MS],
    concurrency: ADYEN_CONCURRENCY,
    validityMs: VALIDITY_MS,
    // Webhooks arrive within minutes; Adyen repeats a lost one for hours.
    decidesWithinMs: 4 * HOUR_MS,
    // No other system knows the key of our webhooks.
    newsNeedProviderReference: false,
    returnActs: true,
    needs: ['email'],
    target: null,
    frameOrigins: [],
    wallets: adyenWallets(configuration, parts.http),
    start: async (order, card, deadline) => {
      invariant(card, 'card payment has no card');
      const body = () => writePayment(order, card, configuration);
      return settle(calls, order, await pay(calls, order, body, deadline), deadline);
    },
    handleReturn: async (order, { fields }, deadline) => {
      const step = readKept(order.kept);
      if (!step) return knownStatus(order);
      const body = writeReturned(step, fields);
      // The fields do not belong to this step: a late return of an earlier step, or forged.
      if (body === undefined) return NOT_OF_THIS_STEP;
      return handleReturn(calls, order, await passOn(calls, order, step, body, deadline), deadline);
    },
    ask: async (order) => knownStatus(order),
    cancel: async (order, deadline) => {
      const step = readKept(order.kept);
      if (!step) return knownStatus(order);
      if (step.stage !== 'challenge') return stepAnswer(order, step, order.providerReference);
      const body = writeChallengeResult(step, NOT_AUTHENTICATED);
      return proved(await handleReturn(calls, order, await passOn(calls, order, step, body, deadline), deadline));
    },
    refund: (order, deadline) => refund(calls, order, deadline),
    repeatRefund: (order, deadline) => repeatRefund(calls, order, deadline),
  };
}

const NOT_AUTHENTICATED = 'N';
const NOT_OF_THIS_STEP = { kind: 'no_effect', reason: 'the return does not belong to this step' } as const;
const REFUND_REPEATABLE_MS = 3 * DAY_MS;

async function pay(calls: AdyenCalls, order: PaymentOrder, write: () => string, deadline: Deadline): Promise<Reading> {
  const parts = { order, number: 1, simulated: calls.configuration.simulated };
  const isOpen = (reply: ProviderReply) => isUnanswered(reply) && reply.kind !== 'not_connected';
  const key = order.reference;
  const { reply, mayHaveBeenAccepted } = await post(calls, PAYMENTS_PATH, key, write, isOpen, deadline);
  if (reply.kind !== 'answered')
    return reply.kind === 'not_connected' && !mayHaveBeenAccepted ? notAccepted(reply.reason) : unknown(reply.reason);
  const reading = readPayment(reply.status, reply.body, parts);
  const isOnlyAnError = reading.kind === 'not_accepted' || (reading.kind === 'refused' && reply.status !== 200);
  return isOnlyAnError && mayHaveBeenAccepted ? unknown('an earlier attempt got no response') : reading;
}

/** Passes the result of the payer's step on. After a request that Adyen may have executed, only a result proves anything. */
async function passOn(
  calls: AdyenCalls,
  order: PaymentOrder,
  step: KeptStep,
  body: string,
  deadline: Deadline,
): Promise<Reading | NoEffect> {
  const parts = { order, number: step.number + 1, simulated: calls.configuration.simulated };
  const key = stepKey(order, step, body);
  const { reply, mayHaveBeenAccepted } = await post(calls, DETAILS_PATH, key, () => body, isUnanswered, deadline);
  const reading =
    reply.kind === 'answered'
      ? readDetails(reply.status, reply.body, parts)
      : ({ kind: reply.kind === 'not_connected' ? 'no_effect' : 'unknown', reason: reply.reason } as const);
  return reading.kind === 'no_effect' && mayHaveBeenAccepted ? unknown('an earlier attempt got no response') : reading;
}

async function handleReturn(
  calls: AdyenCalls,
  order: PaymentOrder,
  reading: Reading | NoEffect,
  deadline: Deadline,
): Promise<PaymentAnswer | NoEffect> {
  return reading.kind === 'no_effect' ? reading : settle(calls, order, reading, deadline);
}

/** Converts a reading to the gateway's response. Forwards a fingerprint immediately if no bank needs to see the browser. */
async function settle(
  calls: AdyenCalls,
  order: PaymentOrder,
  reading: Reading,
  deadline: Deadline,
): Promise<PaymentAnswer> {
  if (reading.kind === 'in_progress') return unknown('Adyen is still processing this request');
  if (reading.kind !== 'next') return reading;
  const { step, providerReference } = reading;
  if (step.stage !== 'fingerprint' || (step.url !== '' && step.serverTransId !== ''))
    return stepAnswer(order, step, providerReference || order.providerReference);
  if (step.number > 1) return unknown('Adyen requests a fingerprint again');
  const body = writeFingerprint(step, step.url === '' ? 'U' : 'N');
  const passed = await passOn(calls, order, step, body, deadline);
  // No page shows this step, so the payer cannot send its result again. Without it, nothing is authorised.
  return passed.kind === 'no_effect' ? deadEnd(order, passed) : settle(calls, order, passed, deadline);
}

async function refund(calls: AdyenCalls, order: RefundOrder, deadline: Deadline): Promise<RefundAnswer> {
  const { payment, reference } = order;
  if (payment.providerReference === '')
    return { kind: 'not_accepted', reason: 'Adyen’s reference of the payment is unknown' };
  const write = () => writeRefund(order, calls.configuration);
  const path = refundsPath(payment.providerReference);
  const { reply, mayHaveBeenAccepted } = await post(calls, path, reference, write, isUnanswered, deadline);
  if (reply.kind === 'answered' && reply.status === 201) return { kind: 'pending' };
  if (mayHaveBeenAccepted || isUnanswered(reply))
    return reply.kind === 'not_connected' && !mayHaveBeenAccepted
      ? notAccepted(reply.reason)
      : unknown(reasonOf(reply));
  return isCredentialError(reply) ? notAccepted(reasonOf(reply)) : { kind: 'refused', reason: reasonOf(reply) };
}

async function repeatRefund(
  calls: AdyenCalls,
  order: RefundOrder,
  deadline: Deadline,
): Promise<Exclude<RefundAnswer, { kind: 'not_accepted' }>> {
  if (calls.clock.now() >= order.startedAt + REFUND_REPEATABLE_MS)
    return unknown('Adyen may no longer have the refund’s key: its webhook will report the outcome');
  const answer = await refund(calls, order, deadline);
  // After an earlier request that Adyen may have accepted, the rejection of a later request proves nothing.
  return answer.kind === 'refused' || answer.kind === 'not_accepted' ? unknown(answer.reason) : answer;
}

/** Adyen has the payer's step and rejects its result. Nothing was authorised before it. */
function deadEnd({ providerReference }: PaymentOrder, { reason }: NoEffect): PaymentAnswer {
  return { kind: 'refused', refusal: 'declined', canRetry: true, detail: reason, providerReference };
}

/**
 * Returns the idempotency key of a step. All results of a native step share one key, so that Adyen executes only one of them. A
 * redirect's result is text that the payer can write, so each text has its own key. Otherwise an invalid text could take the
 * place of the bank's.
 */
function stepKey({ reference }: PaymentOrder, { stage, number }: KeptStep, body: string): string {
  const key = `${reference}.${number}`;
  return stage === 'redirect' ? `${key}.${createHash('sha256').update(body).digest('hex').slice(0, 16)}` : key;
}

type Proved = Exclude<PaymentAnswer, { kind: 'not_accepted' }> | NoEffect;

/** Returns the state of the payment as far as the rail knows it without querying Adyen. */
function knownStatus({ kept, providerReference }: PaymentOrder): Exclude<Proved, NoEffect> {
  return kept === WAITING
    ? { kind: 'pending', isAuthorised: false, keep: WAITING, providerReference }
    : unknown('Adyen has no status query for payments: its webhook will report the outcome');
}

function stepAnswer(order: PaymentOrder, step: KeptStep, providerReference: string) {
  return { kind: 'step', step: payerStepOf(step, order.returnUrl), keep: writeKept(step), providerReference } as const;
}

function proved(answer: PaymentAnswer | NoEffect): Proved {
  return answer.kind === 'not_accepted' ? unknown(answer.reason) : answer;
}
