/** The callbacks that deposits give rise to, before anybody writes their bytes. */
import { createHash } from 'node:crypto';
import type { Instant } from '../../foundation/clock.ts';
import type { CallbackPayload, NewCallback } from '../callbacks/callback.ts';
import type { Merchant } from '../merchants/merchant.ts';
import type { Deposit, IncomingTransfer } from './deposit.ts';

/** Told once, at the final state. The id has the time in it, so that a restore from a backup does not bring it again. */
export function depositCallback(deposit: Deposit, payload: CallbackPayload, at: Instant): NewCallback {
  return {
    merchantId: deposit.merchantId,
    callbackId: `deposit_${deposit.transactionId}_${deposit.createdAt.toString(36)}`,
    subject: 'deposit',
    subjectId: deposit.orderId,
    payload,
    state: 'due',
    createdAt: at,
  };
}

/** A webhook id is plain letters and digits, a transfer's key whatever its bank wrote. */
function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}

/** Told to `event_url`: money that came beside the final state. One for each transfer. */
export function depositEvent(
  deposit: Deposit,
  merchant: Merchant,
  transfer: IncomingTransfer,
  payload: CallbackPayload,
  at: Instant,
): NewCallback {
  return {
    merchantId: deposit.merchantId,
    callbackId: `event_${deposit.transactionId}_${shortHash(`${transfer.rail}/${transfer.transferKey}`)}`,
    subject: 'event',
    subjectId: deposit.orderId,
    payload,
    state: merchant.eventUrl === null ? 'not_wanted' : 'due',
    createdAt: at,
  };
}
