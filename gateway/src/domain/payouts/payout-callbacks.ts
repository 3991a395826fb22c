/** Decides which callbacks a payout causes. It does not format their bytes. */
import type { Instant } from '../../foundation/clock.ts';
import type { CallbackPayload, CallbackSubject, NewCallback } from '../callbacks/callback.ts';
import { firstState } from '../callbacks/callback-transitions.ts';
import type { Merchant } from '../merchants/merchant.ts';
import type { Payout } from './payout.ts';
import { ADJUSTMENT_KINDS, type AdjustmentKind, type NewAdjustment } from './payout-store.ts';

/** The effect of a refund on its deposit. */
type RefundEventKind = 'refunded' | 'refund_undone';

/** Composes the payloads of callbacks. Pure. */
export interface PayoutComposer {
  payout(payout: Payout): CallbackPayload;
  event(payout: Payout, adjustment: NewAdjustment): CallbackPayload;
  /** Returns the event of a deposit that a refund causes. */
  refund(payout: Payout, kind: RefundEventKind, at: Instant): CallbackPayload;
}

/**
 * Derived from the payout, so that one result never has two ids. The id includes the time: after a restore, transaction ids
 * repeat, and a merchant would mistake the new payout's callback for a known one.
 */
function callbackIdOf(subject: CallbackSubject, { transactionId, acceptedAt }: Payout): string {
  return `${subject}_${transactionId}_${acceptedAt.toString(36)}`;
}

/** The event of the deposit for each adjustment of its refund. A contradiction moves no money and causes no event. */
const REFUND_EVENTS: Readonly<Partial<Record<AdjustmentKind, RefundEventKind>>> = {
  reversed: 'refund_undone',
  late_execution: 'refunded',
};

/** Returns the ids of all callbacks that a payout can have. */
export function callbackIdsOf(payout: Payout): string[] {
  const ofRefunds: readonly string[] = ['refunded', 'refund_undone'];
  const kinds = payout.purpose === 'refund' ? ofRefunds : ADJUSTMENT_KINDS;
  return [callbackIdOf('payout', payout), ...kinds.map((kind) => eventIdOf(payout, kind))];
}

function eventIdOf(payout: Payout, kind: string): string {
  return `${callbackIdOf('event', payout)}_${kind}`;
}

/** The gateway's own payouts cause no payout callback. An executed refund causes an event of its deposit, a return none. */
export function callbacksOfEnd(final: Payout, at: Instant, merchant: Merchant, compose: PayoutComposer): NewCallback[] {
  if (final.purpose === 'return') return [];
  if (final.purpose === 'refund')
    return final.state === 'success' ? [refundEvent(final, 'refunded', at, merchant, compose)] : [];
  const id = callbackIdOf('payout', final);
  // Even a merchant without a URL gets a due callback. Its delivery then records that there was no URL.
  const isWanted = merchant.settings.payout_callback === 'on';
  return [newCallback(final, 'payout', id, compose.payout(final), at, isWanted)];
}

/** Merchants update their own books by these events. If no money moved here, only the operator is alerted. */
export function callbacksAfterEnd(
  payout: Payout,
  adjustment: NewAdjustment,
  hasMoved: boolean,
  merchant: Merchant,
  compose: PayoutComposer,
): NewCallback[] {
  const { kind, at } = adjustment;
  if (payout.purpose === 'return') return [];
  if (payout.purpose === 'refund') {
    const event = hasMoved ? REFUND_EVENTS[kind] : undefined;
    return event ? [refundEvent(payout, event, at, merchant, compose)] : [];
  }
  const isWanted = merchant.eventUrl !== null && (hasMoved || (kind === 'contradicted' && payout.state !== 'pending'));
  const payload = compose.event(payout, adjustment);
  return [newCallback(payout, 'event', eventIdOf(payout, kind), payload, at, isWanted)];
}

function refundEvent(
  payout: Payout,
  kind: RefundEventKind,
  at: Instant,
  { eventUrl }: Merchant,
  compose: PayoutComposer,
): NewCallback {
  const payload = compose.refund(payout, kind, at);
  const subjectId = payout.beneficiary.fields['order'] ?? payout.payoutId;
  return { ...newCallback(payout, 'event', eventIdOf(payout, kind), payload, at, eventUrl !== null), subjectId };
}

function newCallback(
  { merchantId, payoutId }: Payout,
  subject: CallbackSubject,
  callbackId: string,
  payload: CallbackPayload,
  createdAt: Instant,
  isWanted: boolean,
): NewCallback {
  const state = firstState(isWanted);
  return { merchantId, callbackId, subject, subjectId: payoutId, payload, state, createdAt };
}
