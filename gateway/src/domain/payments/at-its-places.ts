/**
 * Runs work on the money of a payment where that money is: an operator may have credited it to another order, and to another
 * merchant's. The places are found first, since their merchants are locked together, and found again when they have changed.
 */

import type { MerchantId } from '../../foundation/identifiers.ts';
import { invariant } from '../../foundation/invariant.ts';
import type { Merchant } from '../merchants/merchant.ts';
import type { MerchantDirectory } from '../merchants/merchant-directory.ts';
import type { AdjustmentStore, ReceiptPlace } from './adjustment-store.ts';
import type { AttemptKey } from './payment-attempt.ts';

interface PlacesParts {
  readonly store: Pick<AdjustmentStore, 'findPlaces'>;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
}

/** A receipt moves once in its life, and a payment has few. */
const RUNS = 5;

export async function atItsPlaces<Outcome extends { readonly kind: string }>(
  { store, merchants }: PlacesParts,
  payment: AttemptKey,
  work: (places: readonly ReceiptPlace[], merchants: ReadonlyMap<MerchantId, Merchant>) => Promise<Outcome>,
): Promise<Exclude<Outcome, { readonly kind: 'moved' }>> {
  for (let run = 1; run <= RUNS; run += 1) {
    const places = await store.findPlaces(payment);
    const known = new Map<MerchantId, Merchant>();
    for (const merchantId of new Set([payment.merchantId, ...places.map((place) => place.merchantId)])) {
      const found = await merchants.find(merchantId);
      invariant(found, 'a payment of a merchant that does not exist');
      known.set(merchantId, found.merchant);
    }
    const outcome = await work(places, known);
    if (isThere(outcome)) return outcome;
  }
  invariant(false, 'the money of a payment keeps moving');
}

function isThere<Outcome extends { readonly kind: string }>(
  outcome: Outcome,
): outcome is Exclude<Outcome, { readonly kind: 'moved' }> {
  return outcome.kind !== 'moved';
}
