/** The callbacks that deposits give rise to, before anybody writes their bytes. */
import { createHash } from 'node:crypto';
import type { Instant } from '../../foundation/clock.ts';
import type { CallbackPayload, NewCallback } from '../callbacks/callback.ts';
import type { Merchant } from '../merchants/merchant.ts';
import type { Deposit, IncomingTransfer, Mismatch, TransferId } from './deposit.ts';

/** Writes what a callback says. Pure. */
export interface DepositComposer {
  deposit(deposit: Deposit): CallbackPayload;
  event(deposit: Deposit, transfer: IncomingTransfer, mismatch: Mismatch): CallbackPayload;
}

/** With the time in it, so that a restore from a backup does not bring it again. */
function callbackIdOf({ transactionId, createdAt }: Deposit): string {
  return `deposit_${transactionId}_${createdAt.toString(36)}`;
}

function eventIdOf({ transactionId }: Deposit, { rail, transferKey }: TransferId): string {
  return `event_${transactionId}_${shortHash(`${rail}/${transferKey}`)}`;
}

/** The ids of all callbacks that there can be about a deposit for which these transfers came. */
export function depositCallbackIds(deposit: Deposit, transfers: readonly TransferId[]): string[] {
  return [callbackIdOf(deposit), ...transfers.map((transfer) => eventIdOf(deposit, transfer))];
}

/** Told once, at the final state. */
export function depositCallback(deposit: Deposit, payload: CallbackPayload, at: Instant): NewCallback {
  return {
    merchantId: deposit.merchantId,
    callbackId: callbackIdOf(deposit),
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
    callbackId: eventIdOf(deposit, transfer),
    subject: 'event',
    subjectId: deposit.orderId,
    payload,
    state: merchant.eventUrl === null ? 'not_wanted' : 'due',
    createdAt: at,
  };
}
