/**
 * A provider of the hosted form as the tests hold it: its simulator, a payer who acts with it, and its own book. Each of the
 * files beside this one is such a provider; providers.ts is the table of them.
 */
import type { EnvironmentVariables } from '../../../src/main/config/config.ts';
import type { FormPage, FormPayer } from '../form-payer.ts';
import type { FormChange } from '../form-request.ts';

/** Of a book: whatever happened, with what it happened to. */
export type Entry = Readonly<Record<string, unknown>>;

/** Of the payment that a payer has begun. */
export interface PaymentNames {
  readonly reference: string;
  /** Empty before the gateway has it. */
  readonly providerReference: string;
}

export interface ProviderPlace {
  /** By which the provider reaches the gateway. */
  readonly gatewayUrl: string;
  /** An empty folder of its own. */
  readonly folder: string;
}

export interface Provider {
  /** What a gateway needs to be its client. */
  readonly variables: EnvironmentVariables;
  /** What the link to the form says, beside order and amount. */
  link(order: string): FormChange;
  /** What is typed where the form asks for it; `how`: by which card. */
  typed(order: string, how: string | undefined): Readonly<Record<string, string>>;
  /** The payer does what pays, or something else, with the provider; those who are sent back come back. */
  act(payment: PaymentNames, behaviour: string | undefined, at: PayerPlace): Promise<void>;
  /** The control surface; without a body it is asked. */
  control(path: string, body?: Readonly<Record<string, unknown>>): Promise<Entry>;
  /** The same, as soon as the provider lets it happen. */
  whenItCan(path: string, body: Readonly<Record<string, unknown>>): Promise<Entry>;
  faults(change: Readonly<Record<string, unknown>>): Promise<void>;
  /** All that happened under this reference, oldest first. */
  story(payment: PaymentNames): Promise<readonly Entry[]>;
  /** How often a payer was charged under it. */
  charges(payment: PaymentNames): Promise<number>;
  /** What went back to the payer by order of ours: how often, by the provider's own book. */
  refunds(payment: PaymentNames): Promise<number>;
  close(): Promise<void>;
}

/** Where the payer stands when they act. */
export interface PayerPlace {
  readonly payer: FormPayer;
  readonly page: FormPage;
}

export interface ProviderRow {
  readonly paymentType: 'card' | 'open_banking' | 'e_transfer' | 'instant_bank' | 'bank_transfer_iframe';
  readonly currency: 'EUR' | 'CAD' | 'BRL';
  /** How long a payer has, so that a test can have it over. */
  readonly validityMs: number;
  start(place: ProviderPlace): Promise<Provider>;
}
