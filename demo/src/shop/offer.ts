/** The offers of the demo's shop: a product for each payment type, with a newcomer's options. All data here is invented. */
import type { Fields } from '../merchant-signatures.ts';

/** An input at the simulated bank, and its result. */
export type Try = readonly [what: string, outcome: string];

export interface Offer {
  /** The wire's name: the form's parameter, and the last part of the link. */
  readonly paymentType: string;
  readonly title: string;
  readonly item: string;
  readonly amount: string;
  readonly currency: string;
  /** The parameters of the form, except those above and the merchant's own. */
  readonly fields: Fields;
  /** One line about the steps once the form is open. */
  readonly todo: string;
  readonly tries: readonly Try[];
  /**
   * The page of the payer's bank to open in a second tab, relative to its simulator's address; absent when the form
   * leads there.
   */
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
