/** What the demo's shop sells: a product for each way to pay, with what a newcomer can do there. Nothing here is anybody's. */
import type { Fields } from '../merchant-signatures.ts';

/** Something to type or to press at the simulated bank, and what comes of it. */
export type Try = readonly [what: string, outcome: string];

export interface Offer {
  /** As the wire names it: the form's parameter, and the last part of the link. */
  readonly paymentType: string;
  readonly title: string;
  readonly item: string;
  readonly amount: string;
  readonly currency: string;
  /** The parameters of the form besides those above and the merchant's own. */
  readonly fields: Fields;
  /** One line: what to do once the form is open. */
  readonly todo: string;
  readonly tries: readonly Try[];
  /** Where the payer's bank is to be opened beside the form, from its simulator's address; absent: the form leads there. */
  readonly bank?: { readonly name: string; readonly path: string };
}

/** An offer, and the origin of its provider's simulator. */
export interface Shelf {
  readonly offer: Offer;
  readonly simulatorUrl: string;
}

export interface Sale {
  readonly order: string;
  readonly offer: Offer;
}

/** The customer of every order. */
export const CUSTOMER = {
  first_name: 'Ana',
  last_name: 'Souza',
  user_id: 'customer-7',
  email: 'ana@example.com',
  phone: '+14165550123',
} as const;
