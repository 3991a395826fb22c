/** An example of each callback and event for a test receiver. It refers to no payment. */
import { formatUtc, type Instant, MINUTE_MS } from '../../foundation/clock.ts';
import type { CallbackPayload, CallbackSubject } from './callback.ts';

export const TRIGGERS = [
  'payout.success',
  'payout.blocked',
  'deposit.success',
  'deposit.fail',
  'payout.reversed',
  'payout.late_execution',
  'payout.contradicted',
  'deposit.late',
  'deposit.twice',
  'deposit.refunded',
  'deposit.refund_undone',
  'deposit.charged_back',
  'deposit.chargeback_undone',
  'deposit.debited',
  'deposit.displaced',
] as const;
export type Trigger = (typeof TRIGGERS)[number];

interface ExampleMessage {
  readonly subject: CallbackSubject;
  readonly payload: CallbackPayload;
}

const SUCCESS = { status: 'Success', code: '0', description: 'Completed' };
const BLOCKED = { status: 'Blocked', code: '51', description: 'Declined by the bank' };

export function exampleMessage(trigger: Trigger, merchantId: string, id: string, now: Instant): ExampleMessage {
  switch (trigger) {
    case 'payout.success':
      return { subject: 'payout', payload: payoutPayload(merchantId, id) };
    case 'payout.blocked':
      return { subject: 'payout', payload: { ...payoutPayload(merchantId, id), ...BLOCKED } };
    case 'deposit.success':
      return { subject: 'deposit', payload: depositPayload(merchantId, id, now) };
    case 'deposit.fail': {
      const failed = { co_inv_st: 'fail', co_amount: '0.00', co_to_wlt: '0.00' };
      return { subject: 'deposit', payload: { ...depositPayload(merchantId, id, now), ...failed } };
    }
    default:
      return { subject: 'event', payload: eventPayload(trigger, merchantId, id, now) };
  }
}

function payoutPayload(merchant: string, payout_id: string): CallbackPayload {
  return { merchant, payout_id, ...SUCCESS, amount: '10.00', currency: 'EUR' };
}

function depositPayload(merchant: string, order: string, now: Instant): CallbackPayload {
  const times = { co_inv_crt: formatUtc(now - 5 * MINUTE_MS), co_inv_prc: formatUtc(now) };
  return {
    co_inv_id: '1001',
    ...times,
    co_inv_st: 'success',
    co_order_no: order,
    co_merchant_id: merchant,
    co_merchant_uuid: merchant,
    co_amount: '100.00',
    co_cur: 'EUR',
    co_base_amount: '100.00',
    co_base_currency: 'EUR',
    co_to_wlt: '98.50',
  };
}

type EventTrigger = Exclude<Trigger, 'payout.success' | 'payout.blocked' | 'deposit.success' | 'deposit.fail'>;

function eventPayload(type: EventTrigger, merchant: string, id: string, now: Instant): CallbackPayload {
  const occurred_at = formatUtc(now);
  if (type.startsWith('payout.')) {
    const { status, code } = type === 'payout.late_execution' ? BLOCKED : SUCCESS;
    return { type, merchant, payout_id: id, status, code, amount: '10.00', currency: 'EUR', occurred_at, detail: '' };
  }
  const state = type === 'deposit.late' ? 'fail' : 'success';
  const money = { status: state, amount: '100.00', currency: 'EUR', occurred_at };
  const deposit = { type, merchant, order: id, transaction_id: '1001', ...money };
  if (type === 'deposit.displaced') return { ...deposit, displaced_by: '1002' };
  if (type === 'deposit.late' || type === 'deposit.twice') return { ...deposit, tracking_key: 'TRACKING1001' };
  return { ...deposit, reference: '8815658961765250', detail: '' };
}
