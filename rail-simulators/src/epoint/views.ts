/** Epoint's representation of a payout, in a response and in a callback. */
import { jsonNumber } from '../kernel/fields.ts';
import type { CardEntry, PayoutEntry } from './book.ts';

const MESSAGES = {
  new: 'Gözləyir',
  success: 'Təsdiq edildi',
  failed: 'Əməliyyat rədd edildi',
  returned: 'Geri qaytarıldı',
};

/** Returns the direct response to a payout. It has no order_id, and a code only for a failure. */
export function payoutView(payout: PayoutEntry): object {
  const { status, code, transaction } = payout;
  const message = MESSAGES[status];
  return status === 'failed'
    ? { status, code, message, transaction }
    : { status, message, ...bankFields(payout), amount: jsonNumber(payout.amount) };
}

/** Returns the response to a status query, in which a failed payout is an `error`. */
export function statusView(payout: PayoutEntry): object {
  const { status, code, orderId } = payout;
  const said = status === 'failed' ? 'error' : status;
  return {
    status: said,
    code: status === 'failed' ? code : '',
    message: MESSAGES[status],
    order_id: orderId,
    ...bankFields(payout),
    amount: jsonNumber(payout.amount),
    other_attr: null,
  };
}

/** `amount` replaces the true amount. */
export function callbackView(payout: PayoutEntry, amount = payout.amount): object {
  const { status, code, orderId } = payout;
  return {
    order_id: orderId,
    status,
    code: status === 'success' ? '000' : code,
    message: MESSAGES[status],
    ...bankFields(payout),
    operation_code: '100',
    amount: jsonNumber(amount),
    card_id: payout.cardId,
    other_attr: null,
  };
}

export function registeredView({ cardId, mask }: CardEntry): object {
  const card = { card_id: cardId, card_mask: mask, card_name: 'TEST USER' };
  return { status: 'success', code: '000', message: MESSAGES.success, operation_code: '001', ...card };
}

function bankFields({ transaction, cardMask, status }: PayoutEntry): object {
  return {
    transaction,
    bank_transaction: `b-${transaction}`,
    bank_response: MESSAGES[status],
    ...(status === 'success' ? { rrn: '123456789012' } : {}),
    card_mask: cardMask,
    card_name: 'TEST USER',
  };
}
