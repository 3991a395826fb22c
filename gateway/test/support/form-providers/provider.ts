/**
 * A form provider for tests: its simulator, a payer who acts at it, and its book. Each rail has one in
 * `form-provider-under-test.ts`; providers.ts lists them.
 */
import type { EnvironmentVariables } from '../../../src/main/config/config.ts';
import type { FormPage, FormPayer } from '../form/form-payer.ts';
import type { FormChange } from '../form/form-request.ts';
import type { Entry } from '../rails/simulator-control.ts';

/** The names of the payment that a payer has begun. */
export interface PaymentNames {
  readonly reference: string;
  /** Empty until the provider returns the reference. */
  readonly providerReference: string;
}

export interface ProviderPlace {
  /** The gateway's URL for the provider. */
  readonly gatewayUrl: string;
  /** An empty folder that only this provider uses. */
  readonly folder: string;
}

export interface Provider {
  /** The environment of a gateway that is its client. */
  readonly variables: EnvironmentVariables;
  /** The origin of its pages for payers. */
  readonly pages: string;
  /** Further parameters of the link to the form, besides order and amount. */
  link(order: string): FormChange;
  /** The input for the form's fields. `how` selects the card. */
  typed(order: string, how: string | undefined): Readonly<Record<string, string>>;
  /** The payer pays, or does what `behaviour` says, at the provider, and then returns to the form. */
  act(payment: PaymentNames, behaviour: string | undefined, at: PayerPlace): Promise<void>;
  /** Calls the control surface: a POST with a body, otherwise a GET. */
  control(path: string, body?: Readonly<Record<string, unknown>>): Promise<Entry>;
  /** Repeats the call until the provider allows it. */
  whenItCan(path: string, body: Readonly<Record<string, unknown>>): Promise<Entry>;
  faults(change: Readonly<Record<string, unknown>>): Promise<void>;
  /** Returns all entries for this payment, oldest first. */
  story(payment: PaymentNames): Promise<readonly Entry[]>;
  /** Returns the number of charges for it. */
  charges(payment: PaymentNames): Promise<number>;
  /** Returns the number of refunds by our order in the provider's book. */
  refunds(payment: PaymentNames): Promise<number>;
  close(): Promise<void>;
}

/** The page on which the payer acts. */
export interface PayerPlace {
  readonly payer: FormPayer;
  readonly page: FormPage;
}

export interface ProviderRow<Delays = never> {
  readonly paymentType: 'card' | 'open_banking' | 'e_transfer' | 'instant_bank' | 'bank_transfer_iframe';
  readonly currency: 'EUR' | 'CAD' | 'BRL';
  /** The payer's time limit, so that a test can let it expire. */
  readonly validityMs: number;
  /** `delays` are those of the provider's own actions. They default to short delays. */
  start(place: ProviderPlace, delays?: Delays): Promise<Provider>;
}
