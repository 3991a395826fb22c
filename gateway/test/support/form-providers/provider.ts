/**
 * A provider of the hosted form for the tests: its simulator, a payer who acts at it, and its own book. The
 * `form-provider-under-test.ts` of a rail's folder is such a provider; providers.ts has the table.
 */
import type { EnvironmentVariables } from '../../../src/main/config/config.ts';
import type { FormPage, FormPayer } from '../form/form-payer.ts';
import type { FormChange } from '../form/form-request.ts';

/** An entry of a book: an event and its object. */
export type Entry = Readonly<Record<string, unknown>>;

/** The names of the payment that a payer has begun. */
export interface PaymentNames {
  readonly reference: string;
  /** Empty until the provider returns the reference. */
  readonly providerReference: string;
}

export interface ProviderPlace {
  /** The gateway's address for the provider. */
  readonly gatewayUrl: string;
  /** An empty folder that only this provider uses. */
  readonly folder: string;
}

export interface Provider {
  /** The variables of a gateway that is its client. */
  readonly variables: EnvironmentVariables;
  /** The origin of its pages for payers. */
  readonly pages: string;
  /** More parameters of the link to the form, besides order and amount. */
  link(order: string): FormChange;
  /** The input for the form's fields; `how` selects the card. */
  typed(order: string, how: string | undefined): Readonly<Record<string, string>>;
  /** The payer pays or does something else at the provider, and follows its way back to the form. */
  act(payment: PaymentNames, behaviour: string | undefined, at: PayerPlace): Promise<void>;
  /** Calls the control surface: a POST with a body, a GET without one. */
  control(path: string, body?: Readonly<Record<string, unknown>>): Promise<Entry>;
  /** The same, repeated until the provider allows it. */
  whenItCan(path: string, body: Readonly<Record<string, unknown>>): Promise<Entry>;
  faults(change: Readonly<Record<string, unknown>>): Promise<void>;
  /** All entries under this reference, oldest first. */
  story(payment: PaymentNames): Promise<readonly Entry[]>;
  /** The number of charges under it. */
  charges(payment: PaymentNames): Promise<number>;
  /** The number of refunds by our order in the provider's own book. */
  refunds(payment: PaymentNames): Promise<number>;
  close(): Promise<void>;
}

/** The payer's current page when they act. */
export interface PayerPlace {
  readonly payer: FormPayer;
  readonly page: FormPage;
}

export interface ProviderRow<Delays = never> {
  readonly paymentType: 'card' | 'open_banking' | 'e_transfer' | 'instant_bank' | 'bank_transfer_iframe';
  readonly currency: 'EUR' | 'CAD' | 'BRL';
  /** The length of a payer's time, so that a test can let it end. */
  readonly validityMs: number;
  /** `delays`: those of its own actions. If undefined, they are short. */
  start(place: ProviderPlace, delays?: Delays): Promise<Provider>;
}
