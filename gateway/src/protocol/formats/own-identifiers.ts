/** The ids that merchants choose for stored objects: orders, payouts, users (decisions, Requests). */
import { isCardNumberAsId } from '../../domain/vault/card-number.ts';
import { isIdOfOne } from '../../foundation/identifiers.ts';

/** Rejects a card number, because the gateway stores, shows and reports ids in clear text. */
export function isMerchantsId(text: string): boolean {
  return isIdOfOne(text) && !isCardNumberAsId(text);
}
