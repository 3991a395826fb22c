/** The callbacks that deposits give rise to, before anybody writes their bytes. */
import { createHash } from 'node:crypto';
import type { Instant } from '../../foundation/clock.ts';
import type { Money } from '../../foundation/money.ts';
import type { CallbackPayload, NewCallback } from '../callbacks/callback.ts';
import type { AdjustmentPart } from '../ledger/journals.ts';
import type { Merchant } from '../merchants/merchant.ts';
import type { Deposit, IncomingTransfer, Mismatch, TransferId } from './deposit.ts';
import type { DepositAdjustment } from './deposit-adjustment.ts';

/** Writes what a callback says. Pure. */
export interface DepositComposer {
  deposit(deposit: Deposit): CallbackPayload;
  event(deposit: Deposit, transfer: IncomingTransfer, mismatch: Mismatch): CallbackPayload;
  /** `paid`: what left the merchant's balance, or is owed. `by`: the transaction that has the order now. */
  displaced(deposit: Deposit, paid: Money, by: number, at: Instant): CallbackPayload;
}

/** Writes what the event about an adjustment says; `moved` is what the merchant's balance lost or got. Pure. */
export type AdjustmentComposer = (
  deposit: Deposit,
  adjustment: DepositAdjustment,
  moved: Money,
  at: Instant,
) => CallbackPayload;

/** With the time in it, so that a restore from a backup does not bring it again. */
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

/** The ids of all callbacks that there can be about a deposit of which this is known; those of its refunds are the payouts' own. */
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
  return eventCallback(deposit, merchant, eventIdOf(deposit, transfer), payload, at);
}

/** Told to `event_url`: money that a provider took back, or gave again, after the final state. One for each time money moved. */
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

/** Sent to `event_url`: a deposit that was paid has lost its order, and its money is held. */
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
  const state = eventUrl === null ? 'not_wanted' : 'due';
  return { merchantId, callbackId, subject: 'event', subjectId: orderId, payload, state, createdAt };
}
