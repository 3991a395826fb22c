/** The products of the demo's shop: one per payment type, with a reader's options. All data is invented. */
import type { Fields } from '../merchant-signatures.ts';

/** An input at the simulated bank, and its result. */
export type Try = readonly [what: string, outcome: string];

export interface Offer {
  /** The payment type in the API: a parameter of the form, and the last part of the link. */
  readonly paymentType: string;
  readonly title: string;
  readonly item: string;
  readonly amount: string;
  readonly currency: string;
  /** The other parameters of the form, without the merchant's own. */
  readonly fields: Fields;
  /** One line about the steps once the form is open. */
  readonly todo: string;
  readonly tries: readonly Try[];
  /**
   * The page of the payer's bank to open in a second tab, relative to its simulator's URL. Absent if the form redirects there.
   */
  readonly bank?: { readonly name: string; readonly path: string };
}

/** A product, and the origin of its provider's simulator. */
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
