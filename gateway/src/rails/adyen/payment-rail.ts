/**
 * Card payments through Adyen. What an answer proves is decided in protocol.ts.
 *
 * **After a time-out.** Adyen has no question "what became of my reference". So that nobody is charged twice, and nothing
 * is credited that was not paid:
 * - An attempt is one reference, one `/payments` and one idempotency key (the reference), for ever. `start` repeats the very
 *   same request under that key within its own time, while the card is in memory; Adyen carries it out once and gives the
 *   first answer again. Nothing else here ever sends a card. What the payer brought back goes out under a key of its own for
 *   each step, repeated likewise.
 * - A definite 4xx to what the payer brought back proves that this step was not carried out (`no_effect`), and nothing about
 *   the payment before it: the payer may act again until their time is over. Anybody can bring back nonsense.
 * - What is then still open is `unknown`: neither refused nor `not_taken`, both of which would let the payer be charged by
 *   another attempt. `not_taken` is said only when no try of the call can have arrived, or when Adyen refused the first one
 *   by an error that it documents as "before it was carried out"; after an unanswered try even that proves nothing.
 * - `ask` sends nothing and knows nothing: it says `unknown` (or `pending`, where Adyen said so). Never `not_found`, since
 *   nobody looked; never the payer's step, since a return of theirs may be with Adyen already, its answer lost, and whoever
 *   is shown the step again could give it up and be charged by another attempt. So it is not worth asking before the payer's
 *   time is over (`askAfterMs`). What ends such an attempt is the AUTHORISATION webhook, in either sense, which Adyen
 *   repeats for 30 days.
 * - Until `goOn` passes the payer's step on, a native flow (fingerprint, challenge) authorises nothing: one that is abandoned
 *   costs nobody anything.
 * - `cancel` ends an abandoned challenge for certain: it passes on that the payer was not authenticated, under the same key
 *   as `goOn` would. Where the answer of a `goOn` was lost, Adyen gives that answer (it may be `paid`); where the bank has
 *   told Adyen otherwise, Adyen decides. At a fingerprint and at a redirect nothing can be passed on that would not be
 *   another act of the payer's, so there it is the payer's `step` still, for the gateway to give up: nobody else would ever
 *   end it. Adyen's own cancellation is not asked for: what is authorised is captured at once, and a word about a
 *   cancellation that overtakes the one about the payment does more harm.
 * - An attempt that no webhook ends is one that Adyen most likely never got. Nothing proves it, so at its deadline it comes to
 *   the operator, who finds it or does not find it in Adyen's Customer Area.
 *
 * **Refunds** are answered `received`; REFUND, REFUND_FAILED and REFUNDED_REVERSED tell the end. One without an answer is
 * `unknown`. Asking about it is the same request under the same key, which is safe for as long as Adyen keeps keys (by its
 * pages a week at least): within half of that it is repeated, and later nothing is sent.
 *
 * Not confirmed: Adyen's own time limits and how many requests at once it allows; that a `transStatus` of ours weighs
 * nothing against the bank's own (RReq), which is why an abandoned challenge is told as `N`.
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
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import { invariant } from '../../foundation/invariant.ts';
import { isCredentialRefused, isIndefinite } from '../kit/http-status.ts';
import type { ProviderHttp, ProviderReply } from '../kit/provider-http.ts';
import type { RailHooks } from '../kit/rail-hooks.ts';
import { ADYEN_CURRENCIES } from './amounts.ts';
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
import { type Reading, readDetails, readPayment } from './protocol.ts';
import { repeatUntilAnswered } from './repeated-request.ts';
import { requestHeaders } from './request-headers.ts';

export const ADYEN_CONCURRENCY = 32;
/** Adyen's own state of a payment comes back in each answer and may be long. */
export const ADYEN_LARGEST_ANSWER_BYTES = 512 * 1024;

const VALIDITY_MS = 30 * MINUTE_MS;

export interface AdyenPaymentRailParts {
  readonly http: Pick<ProviderHttp, 'exchange'>;
  readonly hooks: RailHooks;
  readonly clock: Clock;
}

export function createAdyenPaymentRail(configuration: AdyenConfiguration, parts: AdyenPaymentRailParts): PaymentRail {
  const rail = new Calls(configuration, parts);
  return {
    name: ADYEN,
    paymentType: 'card',
    currencies: ADYEN_CURRENCIES,
    simulated: configuration.simulated,
    timeoutMs: 50 * SECOND_MS,
    // Never used: this rail does not say `not_found`.
    notFoundProofMs: 30 * DAY_MS,
    // Past the payer's time; see above.
    askAfterMs: [VALIDITY_MS + 2 * MINUTE_MS, HOUR_MS],
    concurrency: ADYEN_CONCURRENCY,
    validityMs: VALIDITY_MS,
    // Webhooks come within minutes; a lost one is repeated for hours.
    decidesWithinMs: 4 * HOUR_MS,
    // The key of our webhooks is ours alone.
    newsNeedProviderReference: false,
    needs: ['email'],
    target: null,
    frameOrigins: [],
    start: async (order, card, deadline) => {
      invariant(card, 'a card payment has a card');
      const body = () => writePayment(order, card, configuration);
      return rail.settle(order, await rail.pay(order, body, deadline), deadline);
    },
    goOn: async (order, { fields }, deadline) => {
      const step = readKept(order.kept);
      if (!step) return standingOf(order);
      const body = writeReturned(step, fields);
      // Not what this step brings back: a late return of an earlier one, or somebody's invention.
      if (body === undefined) return NOT_OF_THIS_STEP;
      return rail.goOn(order, await rail.passOn(order, step, body, deadline), deadline);
    },
    ask: async (order) => standingOf(order),
    cancel: async (order, deadline) => {
      const step = readKept(order.kept);
      if (!step) return standingOf(order);
      if (step.stage !== 'challenge') return stepAnswer(order, step, order.providerReference);
      const body = writeChallengeResult(step, NOT_AUTHENTICATED);
      return proved(await rail.goOn(order, await rail.passOn(order, step, body, deadline), deadline));
    },
    refund: (order, deadline) => rail.refund(order, deadline),
    askRefund: (order, deadline) => rail.askRefund(order, deadline),
  };
}

const NOT_AUTHENTICATED = 'N';
const NOT_OF_THIS_STEP = { kind: 'no_effect', reason: 'what came back is not of this step' } as const;
const REFUND_REPEATABLE_MS = 3 * DAY_MS;

/** The calls themselves; each makes one answer of as many tries as it takes. */
class Calls {
  readonly #configuration: AdyenConfiguration;
  readonly #parts: AdyenPaymentRailParts;

  constructor(configuration: AdyenConfiguration, parts: AdyenPaymentRailParts) {
    this.#configuration = configuration;
    this.#parts = parts;
  }

  async pay(order: PaymentOrder, write: () => string, deadline: Deadline): Promise<Reading> {
    const parts = { order, number: 1, simulated: this.#configuration.simulated };
    const isOpen = (reply: ProviderReply) => isUnanswered(reply) && reply.kind !== 'not_connected';
    const key = order.reference;
    const { reply, mayHaveBeenTaken } = await this.#post(PAYMENTS_PATH, key, write, isOpen, deadline);
    if (reply.kind !== 'answered')
      return reply.kind === 'not_connected' && !mayHaveBeenTaken ? notTaken(reply.reason) : unknown(reply.reason);
    const reading = readPayment(reply.status, reply.body, parts);
    const isOnlyAnError = reading.kind === 'not_taken' || (reading.kind === 'refused' && reply.status !== 200);
    return isOnlyAnError && mayHaveBeenTaken ? unknown('an earlier try was not answered') : reading;
  }

  /** Passes on what came of the payer's step. After a try that may have been carried out, only a result proves anything. */
  async passOn(order: PaymentOrder, step: KeptStep, body: string, deadline: Deadline): Promise<Reading | NoEffect> {
    const parts = { order, number: step.number + 1, simulated: this.#configuration.simulated };
    const key = stepKey(order, step, body);
    const { reply, mayHaveBeenTaken } = await this.#post(DETAILS_PATH, key, () => body, isUnanswered, deadline);
    const reading =
      reply.kind === 'answered'
        ? readDetails(reply.status, reply.body, parts)
        : ({ kind: reply.kind === 'not_connected' ? 'no_effect' : 'unknown', reason: reply.reason } as const);
    return reading.kind === 'no_effect' && mayHaveBeenTaken ? unknown('an earlier try was not answered') : reading;
  }

  async goOn(order: PaymentOrder, reading: Reading | NoEffect, deadline: Deadline): Promise<PaymentAnswer | NoEffect> {
    return reading.kind === 'no_effect' ? reading : this.settle(order, reading, deadline);
  }

  /** The gateway's answer; a fingerprint that no bank wants to see is passed on at once. */
  async settle(order: PaymentOrder, reading: Reading, deadline: Deadline): Promise<PaymentAnswer> {
    if (reading.kind === 'in_progress') return unknown('Adyen is still at work on this request');
    if (reading.kind !== 'next') return reading;
    const { step, providerReference } = reading;
    if (step.stage !== 'fingerprint' || (step.url !== '' && step.serverTransId !== ''))
      return stepAnswer(order, step, providerReference || order.providerReference);
    if (step.number > 1) return unknown('Adyen asks for a fingerprint again');
    const body = writeFingerprint(step, step.url === '' ? 'U' : 'N');
    const passed = await this.passOn(order, step, body, deadline);
    // No page shows this step, so nobody can ever pass it on again; and without it nothing is authorised.
    return passed.kind === 'no_effect' ? deadEnd(order, passed) : this.settle(order, passed, deadline);
  }

  async refund(order: RefundOrder, deadline: Deadline): Promise<RefundAnswer> {
    const { payment, reference } = order;
    if (payment.providerReference === '')
      return { kind: 'not_taken', reason: 'Adyen’s reference of the payment is not known' };
    const write = () => writeRefund(order, this.#configuration);
    const path = refundsPath(payment.providerReference);
    const { reply, mayHaveBeenTaken } = await this.#post(path, reference, write, isUnanswered, deadline);
    if (reply.kind === 'answered' && reply.status === 201) return { kind: 'pending' };
    if (mayHaveBeenTaken || isUnanswered(reply))
      return reply.kind === 'not_connected' && !mayHaveBeenTaken ? notTaken(reply.reason) : unknown(reasonOf(reply));
    return isCredentialError(reply) ? notTaken(reasonOf(reply)) : { kind: 'refused', reason: reasonOf(reply) };
  }

  async askRefund(order: RefundOrder, deadline: Deadline): Promise<Exclude<RefundAnswer, { kind: 'not_taken' }>> {
    if (this.#parts.clock.now() >= order.startedAt + REFUND_REPEATABLE_MS)
      return unknown('Adyen may have forgotten the key of the refund: its webhook will tell');
    const answer = await this.refund(order, deadline);
    // Where an earlier try was taken, no refusal of a later one says anything.
    return answer.kind === 'refused' || answer.kind === 'not_taken' ? unknown(answer.reason) : answer;
  }

  async #post(
    path: string,
    idempotencyKey: string,
    write: () => string,
    isOpen: (reply: ProviderReply) => boolean,
    deadline: Deadline,
  ) {
    const { http, clock, hooks } = this.#parts;
    const request = () => ({
      verb: 'POST' as const,
      path,
      headers: requestHeaders(this.#configuration.apiKey, idempotencyKey),
      body: write(),
    });
    const repeated = await repeatUntilAnswered(request, { http, clock, isOpen }, deadline);
    if (isCredentialError(repeated.reply)) hooks.onCredentialRefused(ADYEN);
    return repeated;
  }
}

/** Nothing is proved: no answer, a failure of Adyen's own, or the first of two equal requests still at work. */
function isUnanswered(reply: ProviderReply): boolean {
  if (reply.kind !== 'answered') return true;
  if (reply.status < 400) return reply.status !== 200 && reply.status !== 201;
  return (
    reply.status >= 500 || isIndefinite(reply.status) || /"errorCode"\s*:\s*"704"/.test(reply.body.toString('utf8'))
  );
}

function isCredentialError(reply: ProviderReply): boolean {
  return reply.kind === 'answered' && isCredentialRefused(reply.status);
}

function reasonOf(reply: ProviderReply): string {
  return reply.kind === 'answered' ? `HTTP ${reply.status}` : reply.reason;
}

/** Adyen has the payer's step and refuses to hear of it, and nothing was authorised before it. */
function deadEnd({ providerReference }: PaymentOrder, { reason }: NoEffect): PaymentAnswer {
  return { kind: 'refused', refusal: 'declined', canRetry: true, detail: reason, providerReference };
}

/**
 * The idempotency key of a step. A native step has few results, and all share one key, so that Adyen carries out one of them.
 * What a redirect brings back is the payer's to write: each text has a key of its own, or nonsense would take the place of
 * what the bank sends after it.
 */
function stepKey({ reference }: PaymentOrder, { stage, number }: KeptStep, body: string): string {
  const key = `${reference}.${number}`;
  return stage === 'redirect' ? `${key}.${createHash('sha256').update(body).digest('hex').slice(0, 16)}` : key;
}

type Proved = Exclude<PaymentAnswer, { kind: 'not_taken' }> | NoEffect;

/** All that can be said without asking Adyen. */
function standingOf({ kept, providerReference }: PaymentOrder): Exclude<Proved, NoEffect> {
  return kept === WAITING
    ? { kind: 'pending', isAuthorised: false, keep: WAITING, providerReference }
    : unknown('Adyen can’t be asked for a payment: its webhook will tell');
}

function stepAnswer(order: PaymentOrder, step: KeptStep, providerReference: string) {
  return { kind: 'step', step: payerStepOf(step, order.returnUrl), keep: writeKept(step), providerReference } as const;
}

function proved(answer: PaymentAnswer | NoEffect): Proved {
  return answer.kind === 'not_taken' ? unknown(answer.reason) : answer;
}

const unknown = (reason: string) => ({ kind: 'unknown', reason }) as const;
const notTaken = (reason: string) => ({ kind: 'not_taken', reason }) as const;
