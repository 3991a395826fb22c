/** The identifiers that merchants choose for what is stored: orders, payouts, users (decisions, Requests). */
import { isIdOfOne } from '../../foundation/identifiers.ts';
import { isCardNumberAsId } from './card-data.ts';

/** False for a card number: identifiers are kept, shown and reported in the clear. */
export function isMerchantsId(text: string): boolean {
  return isIdOfOne(text) && !isCardNumberAsId(text);
}
