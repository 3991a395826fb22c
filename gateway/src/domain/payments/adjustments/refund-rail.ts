/**
 * Presents a rail's refunds to the payout worker as a payout rail. Refunds are payouts, so they get the lease, the fence, the
 * reference and the queries of any payout.
 */
import { DAY_MS } from '../../../foundation/clock.ts';
import { invariant } from '../../../foundation/invariant.ts';
import type { PayoutOrder, PayoutRail, RailAnswer, RailStatus } from '../../payouts/payout-rail.ts';
import type { PaymentOrder, PaymentRail, RefundAnswer, RefundOrder } from '../payment-rail.ts';

/** Finds the payment that a rail knows by this reference, as the order for a call. */
export type FindPayment = (rail: string, reference: string) => Promise<PaymentOrder | undefined>;

/** A provider without status queries sends notifications. A query then shows only that the worker is alive. */
const SELDOM = [DAY_MS] as const;
/** Banks book refunds on banking days. */
const REFUNDED_WITHIN_MS = 5 * DAY_MS;

/** Returns undefined if the rail does not support refunds. */
export function createRefundRail(rail: PaymentRail, findPayment: FindPayment): PayoutRail | undefined {
  const { name, simulated, timeoutMs, notFoundProofMs, concurrency, refund, askRefund, repeatRefund } = rail;
  if (!refund) return undefined;
  const orderOf = (order: PayoutOrder) => refundOrder(rail, findPayment, order);
  const statusBy = (call: NonNullable<PaymentRail['askRefund']>): PayoutRail['ask'] => {
    return async (order, deadline) => {
      const wanted = await orderOf(order);
      return wanted ? statusOf(await call(wanted, deadline)) : { kind: 'unknown', reason: NOT_LOOKED_UP };
    };
  };
  const unanswerable = {
    kind: 'unknown',
    reason: `${name} has no status query for refunds: its notification reports the outcome`,
  } as const;
  return {
    name,
    methods: new Set(),
    ownPurposes: new Set(['refund'] as const),
    simulated,
    notifies: true,
    timeoutMs,
    notFoundProofMs,
    askAfterMs: askRefund || repeatRefund ? rail.askAfterMs : SELDOM,
    isReconciledByAsking: askRefund !== undefined,
    decidesWithinMs: REFUNDED_WITHIN_MS,
    concurrency,
    async send(order, deadline) {
      const wanted = await orderOf(order);
      return wanted ? answerOf(await refund(wanted, deadline)) : { kind: 'not_accepted', reason: NOT_LOOKED_UP };
    },
    ask: askRefund ? statusBy(askRefund) : async () => unanswerable,
    ...(repeatRefund ? { repeat: statusBy(repeatRefund) } : {}),
  };
}

/** `not_accepted` in response to a query proves nothing about an earlier call. */
function statusOf(answer: RefundAnswer | { readonly kind: 'not_found' }): RailStatus {
  if (answer.kind === 'not_found') return answer;
  const status = answerOf(answer);
  return status.kind === 'not_accepted' ? { ...status, kind: 'unknown' } : status;
}

const NOT_LOOKED_UP = 'the payment could not be looked up';

/** Resolves to undefined if the database is unreachable. The gateway has then sent nothing to the provider. */
async function refundOrder(
  { name, timeoutMs }: PaymentRail,
  findPayment: FindPayment,
  order: PayoutOrder,
): Promise<RefundOrder | undefined> {
  const { payment: reference, receipt: receiptKey = '', provider_payment: sealedReference = '' } = order.beneficiary;
  invariant(typeof reference === 'string', 'refund order has no payment');
  const payment = await findPayment(name, reference).catch(() => null);
  if (payment === null) return undefined;
  invariant(payment, 'the payment of a refund does not exist');
  const { money, sendUntil, writtenFrom = sendUntil } = order;
  // The provider provably received no attempt but the latest, so that was the first. A restored database may have lost an
  // attempt: the provider may have it, with its idempotency key, since the start of the recovery window.
  invariant(typeof receiptKey === 'string', 'refund order has no receipt key');
  invariant(typeof sealedReference === 'string', 'refund order has no text as the id of its payment');
  return {
    // The provider refunds the payment with these ids. They are covered by the seal of the refund, because no seal covers the
    // row of the attempt.
    payment: { ...payment, reference, providerReference: sealedReference || payment.providerReference },
    receiptKey,
    reference: order.reference,
    money,
    startedAt: Math.min(writtenFrom, sendUntil) - timeoutMs,
  };
}

function answerOf(answer: RefundAnswer): RailAnswer {
  switch (answer.kind) {
    case 'refunded':
      return { kind: 'executed' };
    case 'refused':
      return { kind: 'declined', blockedReason: 'bank_declined', reason: answer.reason };
    default:
      return answer;
  }
}
