/**
 * Payments in Canadian dollars by Interac money request. The rail sends a request once and must never repeat it blindly: it
 * queries by our reference. vocabulary.ts and payment-answer.ts decide what a response means. README.md has the rules.
 */
import type { PaymentAnswer, PaymentOrder, PaymentRail, PaymentStatus } from '../../domain/payments/payment-rail.ts';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import type { VoPayAnswer, VoPayApi } from './api.ts';
import { VOPAY, type VoPayConfiguration } from './configuration.ts';
import { type Flag, flagOf, meaningOf, messageStep } from './payment-answer.ts';
import {
  cancellation,
  confirmation,
  type FoundRequest,
  isDuplicateFlag,
  lookUp,
  moneyRequest,
  type OpenedRequest,
  readFound,
  readOpened,
} from './protocol.ts';
import { textOf } from './read-fields.ts';
import { askRefund, refundPayment } from './refund-payment.ts';
import { stageOf } from './vocabulary.ts';

export const VOPAY_CONCURRENCY = 8;

interface Parts {
  readonly api: VoPayApi;
  readonly clock: Clock;
}

export function createVoPayPaymentRail(
  { simulated }: Pick<VoPayConfiguration, 'simulated'>,
  api: VoPayApi,
  clock: Clock,
): PaymentRail {
  const parts: Parts = { api, clock };
  return {
    name: VOPAY,
    paymentType: 'e_transfer',
    currencies: new Set(['CAD']),
    simulated,
    // A call may consist of three requests, and around midnight each of them is sent twice.
    timeoutMs: 30 * SECOND_MS,
    notFoundProofMs: 10 * MINUTE_MS,
    askAfterMs: [30 * SECOND_MS, MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS],
    concurrency: VOPAY_CONCURRENCY,
    validityMs: 24 * HOUR_MS,
    decidesWithinMs: DAY_MS,
    // No other account knows our shared secret.
    newsNeedProviderReference: false,
    returnActs: false,
    needs: ['firstName', 'lastName', 'email'],
    target: 'email',
    frameOrigins: [],
    start: (order, _card, deadline) => start(parts, order, deadline),
    handleReturn: (order, _returned, deadline) => handleReturn(parts, order, deadline),
    ask: (order, deadline) => ask(parts, order, deadline),
    cancel: (order, deadline) => cancel(parts, order, deadline),
    refund: (order, deadline) => refundPayment(parts, order, deadline),
    askRefund: (order, deadline) => askRefund(parts, order, deadline),
  };
}

async function start(parts: Parts, order: PaymentOrder, deadline: Deadline): Promise<PaymentAnswer> {
  const called = await parts.api.call(moneyRequest(order), deadline);
  switch (called.kind) {
    case 'done': {
      const opened = readOpened(called.fields);
      if (!opened) return { kind: 'unknown', reason: 'VoPay’s response does not contain a transaction' };
      return sent(parts, order, opened, deadline);
    }
    case 'not_connected':
      return { kind: 'not_accepted', reason: called.reason };
    case 'no_answer':
      return { kind: 'unknown', reason: called.reason };
    case 'failed':
      return refusedAtFirst(parts, order, called, deadline);
  }
}

/** Returns the outcome of a send. If the request has already ended, it queries the reason. */
async function sent(
  parts: Parts,
  order: PaymentOrder,
  { transactionId, stage, flag }: OpenedRequest,
  deadline: Deadline,
): Promise<PaymentAnswer> {
  if (isDuplicateFlag(flag)) {
    const confirmed = await confirm(parts, transactionId, 'flagged', deadline);
    return messageStep(transactionId, confirmed);
  }
  if (stage === 'unsent' || stage === 'waiting') return messageStep(transactionId, flag === '' ? 'clear' : 'held');
  return known(await ask(parts, { ...order, providerReference: transactionId }, deadline));
}

async function refusedAtFirst(
  parts: Parts,
  order: PaymentOrder,
  { meaning, reason }: Extract<VoPayAnswer, { kind: 'failed' }>,
  deadline: Deadline,
): Promise<PaymentAnswer> {
  if (meaning.kind === 'credentials' || meaning.kind === 'account') return { kind: 'not_accepted', reason };
  if (meaning.kind !== 'refused') return { kind: 'unknown', reason };
  const proof = await ask(parts, order, deadline);
  if (proof.kind !== 'not_found') return proof;
  const { refusal, canRetry } = meaning;
  return { kind: 'refused', refusal, canRetry, detail: reason, providerReference: '' };
}

/** The payer leaves for no other page, so a return only makes the gateway query the provider. */
async function handleReturn(parts: Parts, order: PaymentOrder, deadline: Deadline): Promise<PaymentAnswer> {
  return known(await ask(parts, order, deadline));
}

function known(status: PaymentStatus): PaymentAnswer {
  return status.kind === 'not_found' ? { kind: 'unknown', reason: 'VoPay does not find it yet' } : status;
}

async function ask(parts: Parts, order: PaymentOrder, deadline: Deadline): Promise<PaymentStatus> {
  const looked = await look(parts, order, deadline);
  if (looked.kind !== 'found') return looked;
  const { found } = looked;
  const flag = flagOf(order);
  const isToConfirm = found.stage === 'unsent' && (flag === 'flagged' || flag === '');
  const confirmed = isToConfirm ? await confirm(parts, found.transactionId, flag, deadline) : flag;
  return meaningOf(found, confirmed, isLate(parts, order));
}

type Looked =
  | { readonly kind: 'found'; readonly found: FoundRequest }
  | Extract<PaymentStatus, { kind: 'not_found' | 'unknown' }>;

async function look({ api }: Parts, order: PaymentOrder, deadline: Deadline): Promise<Looked> {
  const called = await api.call(lookUp(order), deadline);
  if (called.kind === 'done') {
    const found = readFound(called.fields, order);
    return found
      ? { kind: 'found', found }
      : { kind: 'unknown', reason: 'VoPay’s response is about another transaction' };
  }
  // A transaction that VoPay has numbered exists, whatever VoPay says about the number later.
  const isMissing = called.kind === 'failed' && called.meaning.kind === 'not_found' && order.providerReference === '';
  return isMissing ? { kind: 'not_found' } : { kind: 'unknown', reason: called.reason };
}

/** VoPay cannot confirm a request that is not flagged, or is confirmed already. Both are treated as confirmed. */
async function confirm({ api }: Parts, transactionId: string, flag: Flag, deadline: Deadline): Promise<Flag> {
  const called = await api.call(confirmation(transactionId), deadline);
  if (called.kind === 'done') return 'clear';
  const cannotBe = called.kind === 'failed' && ['wrong_state', 'refused'].includes(called.meaning.kind);
  return cannotBe ? 'clear' : flag;
}

async function cancel(parts: Parts, order: PaymentOrder, deadline: Deadline): Promise<PaymentStatus> {
  const looked = await look(parts, order, deadline);
  if (looked.kind !== 'found') return looked;
  const { found } = looked;
  const { transactionId: providerReference, stage } = found;
  if (stage !== 'unsent' && stage !== 'waiting') return meaningOf(found, flagOf(order), isLate(parts, order));
  const called = await parts.api.call(cancellation(providerReference, stage), deadline);
  if (called.kind !== 'done') return afterRefusal(parts, order, called, deadline);
  const cancelled = textOf(called.fields, 'TransactionID');
  if (cancelled !== '' && cancelled !== providerReference)
    return { kind: 'unknown', reason: 'VoPay cancelled another transaction' };
  const status = textOf(called.fields, 'TransactionStatus');
  switch (stageOf(status)) {
    case 'ended':
      return {
        kind: 'refused',
        refusal: isLate(parts, order) ? 'expired' : 'cancelled_by_payer',
        canRetry: true,
        detail: status,
        providerReference,
      };
    case 'cancelling':
      return { kind: 'pending', isAuthorised: false, keep: order.kept, providerReference };
    default:
      return { kind: 'unknown', reason: `VoPay reports ${status || 'nothing'} about the cancelled request` };
  }
}

/** The payer may have paid at the last moment. While the request waits for the payer, its cancellation is not done. */
async function afterRefusal(
  parts: Parts,
  order: PaymentOrder,
  { reason }: Exclude<VoPayAnswer, { kind: 'done' }>,
  deadline: Deadline,
): Promise<PaymentStatus> {
  const looked = await look(parts, order, deadline);
  if (looked.kind !== 'found') return { kind: 'unknown', reason };
  const status = meaningOf(looked.found, flagOf(order), isLate(parts, order));
  return status.kind === 'step' ? { kind: 'unknown', reason } : status;
}

function isLate({ clock }: Parts, { expiresAt }: PaymentOrder): boolean {
  return clock.now() >= expiresAt;
}
