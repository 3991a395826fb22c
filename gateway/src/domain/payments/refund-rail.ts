/**
 * A rail that gives payments back, as the worker knows rails: refunds are payouts, so they have the lease, the fence, the
 * reference and the asking of any payout.
 */
import { DAY_MS } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import { REFUND_METHOD } from '../payouts/payout.ts';
import type { PayoutOrder, PayoutRail, RailAnswer } from '../payouts/payout-rail.ts';
import type { PaymentOrder, PaymentRail, RefundAnswer, RefundOrder } from './payment-rail.ts';

/** The payment that a rail knows under this reference, as the rail is told of it at every call. */
export type FindPayment = (rail: string, reference: string) => Promise<PaymentOrder | undefined>;

/** Where the provider can't be asked it tells by itself, and a question is worth no more than a sign of life. */
const SELDOM = [DAY_MS] as const;
/** Banks book refunds on bank days. */
const REFUNDED_WITHIN_MS = 5 * DAY_MS;

/** Undefined: the rail gives nothing back. */
export function createRefundRail(rail: PaymentRail, findPayment: FindPayment): PayoutRail | undefined {
  const { name, simulated, timeoutMs, notFoundProofMs, concurrency, refund, askRefund } = rail;
  if (!refund) return undefined;
  const orderOf = (order: PayoutOrder) => refundOrder(rail, findPayment, order);
  return {
    name,
    methods: new Set([REFUND_METHOD]),
    simulated,
    notifies: true,
    timeoutMs,
    notFoundProofMs,
    askAfterMs: askRefund ? rail.askAfterMs : SELDOM,
    decidesWithinMs: REFUNDED_WITHIN_MS,
    concurrency,
    async send(order, deadline) {
      const wanted = await orderOf(order);
      return wanted ? answerOf(await refund(wanted, deadline)) : { kind: 'not_taken', reason: NOT_LOOKED_UP };
    },
    async ask(order, deadline) {
      if (!askRefund) return { kind: 'unknown', reason: `${name} can’t be asked about a refund: it tells by itself` };
      const wanted = await orderOf(order);
      if (!wanted) return { kind: 'unknown', reason: NOT_LOOKED_UP };
      const answer = await askRefund(wanted, deadline);
      if (answer.kind === 'not_found') return answer;
      // What was not taken by a question says nothing of what an earlier call began.
      const status = answerOf(answer);
      return status.kind === 'not_taken' ? { ...status, kind: 'unknown' } : status;
    },
  };
}

const NOT_LOOKED_UP = 'the payment could not be looked up';

/** Undefined: the database is out of reach, and the provider was told nothing. */
async function refundOrder(
  { name, timeoutMs }: PaymentRail,
  findPayment: FindPayment,
  order: PayoutOrder,
): Promise<RefundOrder | undefined> {
  const { payment: reference, receipt: receiptKey = '' } = order.beneficiary;
  invariant(typeof reference === 'string', 'a refund names its payment');
  const payment = await findPayment(name, reference).catch(() => null);
  if (payment === null) return undefined;
  invariant(payment, 'a refund of a payment that does not exist');
  const { money, sendUntil, writtenFrom = sendUntil } = order;
  // Of all attempts but the latest it is proved that the provider never got them, so that one was the first. A restore may
  // have forgotten one: the provider may hold it, and its idempotency key, since the start of the time in doubt.
  invariant(typeof receiptKey === 'string', 'a receipt is named by a text');
  return {
    payment,
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
      return { kind: 'declined', code: '51', reason: answer.reason };
    default:
      return answer;
  }
}
