/** Builds the callbacks that deposits cause. It does not format their bytes. */
import { createHash } from 'node:crypto';
import type { Instant } from '../../foundation/clock.ts';
import type { Money } from '../../foundation/money.ts';
import type { CallbackPayload, NewCallback } from '../callbacks/callback.ts';
import { firstState } from '../callbacks/callback-transitions.ts';
import type { AdjustmentPart } from '../ledger/journals.ts';
import type { Merchant } from '../merchants/merchant.ts';
import type { Deposit, IncomingTransfer, Mismatch, TransferId } from './deposit.ts';
import type { DepositAdjustment } from './deposit-adjustment.ts';

/** Composes the payloads of callbacks. Pure. */
export interface DepositComposer {
  deposit(deposit: Deposit): CallbackPayload;
  event(deposit: Deposit, transfer: IncomingTransfer, mismatch: Mismatch): CallbackPayload;
  /** `paid` is the amount that left the merchant's balance or is now owed. `by` is the transaction that now has the order. */
  displaced(deposit: Deposit, paid: Money, by: number, at: Instant): CallbackPayload;
}

/** Composes the event of an adjustment. `moved` is the absolute change of the merchant's balance. Pure. */
export type AdjustmentComposer = (
  deposit: Deposit,
  adjustment: DepositAdjustment,
  moved: Money,
  at: Instant,
) => CallbackPayload;

/** The id includes the time, so that ids never repeat after a restore from a backup. */
function callbackIdOf({ transactionId, createdAt }: Deposit): string {
  return `deposit_${transactionId}_${createdAt.toString(36)}`;
}

function eventIdOf({ transactionId }: Deposit, { rail, transferKey }: TransferId): string {
  return `event_${transactionId}_${shortHash(`${rail}/${transferKey}`)}`;
}

function displacementIdOf({ transactionId, createdAt }: Deposit): string {
  return `event_${transactionId}_${createdAt.toString(36)}_displaced`;
}

const PARTS: readonly AdjustmentPart[] = ['first', 'rest'];

function adjustmentIdOf(
  { transactionId, createdAt }: Deposit,
  adjustment: DepositAdjustment,
  part: AdjustmentPart,
): string {
  const { attempt, kind, key } = adjustment;
  const ofPayment = adjustment.transactionId === transactionId ? '' : `${adjustment.transactionId}/`;
  const hash = shortHash(`${ofPayment}${attempt}/${kind}/${part}/${key}`);
  return `event_${transactionId}_${createdAt.toString(36)}_${hash}`;
}

/** Returns the ids of all callbacks that this deposit can have. Its refunds are payouts with their own callbacks. */
export function depositCallbackIds(
  deposit: Deposit,
  transfers: readonly TransferId[],
  adjustments: readonly DepositAdjustment[],
): string[] {
  return [
    callbackIdOf(deposit),
    displacementIdOf(deposit),
    ...transfers.map((transfer) => eventIdOf(deposit, transfer)),
    ...adjustments.flatMap((adjustment) => PARTS.map((part) => adjustmentIdOf(deposit, adjustment, part))),
  ];
}

/** Returns the callback of the final state, once per deposit. */
export function depositCallback(deposit: Deposit, payload: CallbackPayload, at: Instant): NewCallback {
  return {
    merchantId: deposit.merchantId,
    callbackId: callbackIdOf(deposit),
    subject: 'deposit',
    subjectId: deposit.orderId,
    payload,
    state: firstState(true),
    createdAt: at,
  };
}

/** A webhook id contains only letters and digits. A transfer's key may contain any characters that its bank uses. */
function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}

/** An event for `event_url`: money arrived after the final state. One per transfer. */
export function depositEvent(
  deposit: Deposit,
  merchant: Merchant,
  transfer: IncomingTransfer,
  payload: CallbackPayload,
  at: Instant,
): NewCallback {
  return eventCallback(deposit, merchant, eventIdOf(deposit, transfer), payload, at);
}

/** An event for `event_url`, one per movement: money of a payment was taken back, or returned, after the final state. */
export function adjustmentEvent(
  deposit: Deposit,
  merchant: Merchant,
  adjustment: DepositAdjustment,
  part: AdjustmentPart,
  payload: CallbackPayload,
  at: Instant,
): NewCallback {
  return eventCallback(deposit, merchant, adjustmentIdOf(deposit, adjustment, part), payload, at);
}

/** An event for `event_url`: a paid deposit lost its order, and its money is held. */
export function displacementEvent(
  deposit: Deposit,
  merchant: Merchant,
  payload: CallbackPayload,
  at: Instant,
): NewCallback {
  return eventCallback(deposit, merchant, displacementIdOf(deposit), payload, at);
}

function eventCallback(
  { merchantId, orderId }: Deposit,
  { eventUrl }: Merchant,
  callbackId: string,
  payload: CallbackPayload,
  createdAt: Instant,
): NewCallback {
  const state = firstState(eventUrl !== null);
  return { merchantId, callbackId, subject: 'event', subjectId: orderId, payload, state, createdAt };
}
