/** The identifiers that merchants choose for what is stored: orders, payouts, users (decisions, Requests). */
import { isCardNumberAsId } from '../../domain/vault/card-number.ts';
import { isIdOfOne } from '../../foundation/identifiers.ts';

/** False for a card number: identifiers are kept, shown and reported in the clear. */
export function isMerchantsId(text: string): boolean {
  return isIdOfOne(text) && !isCardNumberAsId(text);
}
