/**
 * Instant bank payments in reais. The rail creates a charge at the bank, and the payer scans its BR Code or pastes it
 * into any bank's app. The payer never returns to us; the bank's callback or our query reports the payment.
 * protocol.ts, refund-messages.ts and payment-answer.ts decide what a response means.
 *
 * The rail accepts a rejection only if the bank then has no such charge. Some banks reject a second PUT. Believing that
 * rejection would abandon the first charge, whose code a payer may already have.
 *
 * Confirmed: see those files. Not confirmed: how soon after its PUT a charge is found, how long a bank takes, how many
 * concurrent requests it allows. The numbers below are cautious.
 */
import type { PaymentAnswer, PaymentOrder, PaymentRail, PaymentStatus } from '../../domain/payments/payment-rail.ts';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import { messageText } from '../kit/message-text.ts';
import { isIndefinite } from '../kit/provider-http.ts';
import { type ChargeReply, getCharge, PIX_CONCURRENCY, type PixApi, putCharge, removeCharge } from './api.ts';
import { PIX, type PixConfiguration } from './configuration.ts';
import { meaningOf } from './payment-answer.ts';
import { writeCharge } from './protocol.ts';
import { identifierOf } from './reference.ts';
import { askRefund, refundPayment } from './refund-payment.ts';
import type { Problem } from './refusals.ts';

interface Parts {
  readonly configuration: PixConfiguration;
  readonly bank: PixApi;
  readonly clock: Clock;
}

export function createPixPaymentRail(configuration: PixConfiguration, bank: PixApi, clock: Clock): PaymentRail {
  const parts: Parts = { configuration, bank, clock };
  return {
    name: PIX,
    paymentType: 'instant_bank',
    currencies: new Set(['BRL']),
    simulated: configuration.simulated,
    // One call may be three requests: a token, the charge, and the query that proves a rejection.
    timeoutMs: 20 * SECOND_MS,
    notFoundProofMs: 5 * MINUTE_MS,
    // The callback arrives within seconds of the payment. Queries cover a lost callback.
    askAfterMs: [
      10 * SECOND_MS,
      20 * SECOND_MS,
      30 * SECOND_MS,
      MINUTE_MS,
      2 * MINUTE_MS,
      5 * MINUTE_MS,
      15 * MINUTE_MS,
    ],
    concurrency: PIX_CONCURRENCY,
    validityMs: 24 * HOUR_MS,
    decidesWithinMs: 4 * HOUR_MS,
    // Each notification only makes the gateway query the bank, which shows us only our charges.
    newsNeedProviderReference: false,
    returnActs: false,
    needs: ['cpf', 'firstName', 'lastName'],
    target: 'cpf',
    frameOrigins: [],
    start: (order, _card, deadline) => start(parts, order, deadline),
    handleReturn: async (order, _returned, deadline) => known(await ask(parts, order, deadline)),
    ask: (order, deadline) => ask(parts, order, deadline),
    async cancel(order, deadline) {
      const reply = await removeCharge(bank, identifierOf(order.reference), deadline);
      // The charge was paid at the last moment, or removed before.
      return reply.kind === 'refused' ? ask(parts, order, deadline) : statusOf(reply, order, parts);
    },
    refund: (order, deadline) => refundPayment(bank, order, deadline),
    askRefund: (order, deadline) => askRefund(bank, order, deadline),
  };
}

async function start(parts: Parts, order: PaymentOrder, deadline: Deadline): Promise<PaymentAnswer> {
  const { configuration, bank, clock } = parts;
  const seconds = Math.floor((order.expiresAt - clock.now()) / SECOND_MS);
  if (seconds < 1) return { kind: 'not_accepted', reason: 'the payer’s time is over' };
  const body = chargeBody(order, configuration.chave, seconds);
  const reply = await putCharge(bank, identifierOf(order.reference), body, deadline);
  if (reply.kind === 'not_sent') return { kind: 'not_accepted', reason: reply.reason };
  if (reply.kind === 'charge' || reply.kind === 'unknown') return known(statusOf(reply, order, parts));
  const proof = await ask(parts, order, deadline);
  if (proof.kind !== 'not_found') return proof;
  // The bank may still process this request, or an earlier request.
  if (reply.kind === 'refused' && isIndefinite(reply.problem.status))
    return { kind: 'unknown', reason: reply.problem.reason };
  return reply.kind === 'refused' ? refusalOf(reply.problem) : { kind: 'not_accepted', reason: 'HTTP 404' };
}

async function ask(parts: Parts, order: PaymentOrder, deadline: Deadline): Promise<PaymentStatus> {
  return statusOf(await getCharge(parts.bank, identifierOf(order.reference), deadline), order, parts);
}

function statusOf(reply: ChargeReply, order: PaymentOrder, { configuration, clock }: Parts): PaymentStatus {
  switch (reply.kind) {
    case 'charge': {
      const isExpired = clock.now() >= order.expiresAt;
      return meaningOf(reply.charge, order, { city: configuration.city, isExpired });
    }
    case 'not_found':
    case 'unknown':
      return reply;
    case 'not_sent':
      return { kind: 'unknown', reason: reply.reason };
    case 'refused':
      return { kind: 'unknown', reason: reply.problem.reason };
  }
}

/** A charge that the bank does not have (yet) is unknown, unless the caller needs proof. */
function known(status: PaymentStatus): PaymentAnswer {
  return status.kind === 'not_found' ? { kind: 'unknown', reason: 'the bank has no such charge' } : status;
}

function chargeBody(order: PaymentOrder, chave: string, expiresInSeconds: number): string {
  const { money, payer } = order;
  const name = `${payer.firstName} ${payer.lastName}`.trim();
  const debtor = payer.cpf === '' || name === '' ? null : { cpf: payer.cpf, name };
  return writeCharge({ money, chave, expiresInSeconds, debtor, text: messageText(order) });
}

/** A problem with the payer's data is a refusal. Any other problem is ours. */
function refusalOf({ properties, reason }: Problem): PaymentAnswer {
  return properties.some((property) => /\bdevedor\b/.test(property))
    ? { kind: 'refused', refusal: 'payer_details', canRetry: true, detail: reason, providerReference: '' }
    : { kind: 'not_accepted', reason };
}
