/** Parses and checks the form fields of a payout request. The card number only selects the conduct and is then discarded. */
import { toCents, toText } from '../kernel/amounts.ts';
import { isHttpUrl } from '../kernel/fields.ts';
import { type ConductName, conductOf, masked } from './cards.ts';
import type { Failure } from './errors.ts';
import type { Fields } from './signature.ts';

export interface PayoutRequest {
  readonly orderId: string;
  readonly amount: string;
  readonly description: string;
  readonly maskedCard: string;
  readonly holder: string;
  readonly postLink: string;
  /** The conduct, which the card selects. */
  readonly conduct: ConductName;
}

const NEEDED = ['pg_order_id', 'pg_amount', 'pg_description', 'pg_payment_to', 'pg_salt'] as const;

export function readPayout(fields: Fields): PayoutRequest | Failure {
  const text = (name: string) => fields[name] ?? '';
  const missing = NEEDED.find((name) => text(name) === '');
  if (missing !== undefined) return { error: 9403, about: missing };
  const [postLink, card, amount] = [text('pg_post_link'), text('pg_payment_to'), text('pg_amount')];
  const tiyn = /^\d{1,10}(?:\.|$)/.test(amount) ? toCents(amount) : undefined;
  if (postLink === '') return { error: 9993 };
  if (!isHttpUrl(postLink) || postLink.length > 255) return { error: 9403, about: 'pg_post_link' };
  if (tiyn === undefined) return { error: 9403, about: 'pg_amount' };
  if ((fields['pg_currency'] ?? 'KZT') !== 'KZT') return { error: 9403, about: 'pg_currency' };
  if (!/^[A-Za-z0-9]{1,50}$/.test(text('pg_order_id'))) return { error: 9403, about: 'pg_order_id' };
  if (!/^\d{13,20}$/.test(card)) return { error: 9403, about: 'pg_payment_to' };
  return {
    orderId: text('pg_order_id'),
    amount: toText(tiyn),
    description: text('pg_description'),
    maskedCard: masked(card),
    holder: text('pg_card_name'),
    postLink,
    conduct: conductOf(card),
  };
}
