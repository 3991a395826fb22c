/**
 * Runs work on a payment's money at the deposits that have it. An operator may have credited the money to another order, even
 * of a different merchant. The function finds these places first, because the store locks their merchants together, and again
 * if the money has moved since.
 */

import type { MerchantId } from '../../../foundation/identifiers.ts';
import { invariant } from '../../../foundation/invariant.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import { type MerchantDirectory, merchantOf } from '../../merchants/merchant-directory.ts';
import type { AttemptKey } from '../attempts/payment-attempt.ts';
import type { AdjustmentStore, ReceiptPlace } from './adjustment-store.ts';

interface PlacesParts {
  readonly store: Pick<AdjustmentStore, 'findPlaces'>;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
}

/** A receipt moves at most once, and a payment has few receipts. */
const RUNS = 5;

export async function atMoneyHolders<Outcome extends { readonly kind: string }>(
  { store, merchants }: PlacesParts,
  payment: AttemptKey,
  work: (places: readonly ReceiptPlace[], merchants: ReadonlyMap<MerchantId, Merchant>) => Promise<Outcome>,
): Promise<Exclude<Outcome, { readonly kind: 'moved' }>> {
  for (let run = 1; run <= RUNS; run += 1) {
    const places = await store.findPlaces(payment);
    const known = new Map<MerchantId, Merchant>();
    for (const merchantId of new Set([payment.merchantId, ...places.map((place) => place.merchantId)])) {
      known.set(merchantId, await merchantOf(merchants, merchantId));
    }
    const outcome = await work(places, known);
    if (isThere(outcome)) return outcome;
  }
  invariant(false, 'holders of a payment changed during every retry');
}

function isThere<Outcome extends { readonly kind: string }>(
  outcome: Outcome,
): outcome is Exclude<Outcome, { readonly kind: 'moved' }> {
  return outcome.kind !== 'moved';
}
