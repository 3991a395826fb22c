/**
 * A form provider with drawn responses: its real connector over a transport that returns drawn responses in the provider's
 * vocabulary about the requested payment, or no response, or garbage.
 */
import type {
  PayerReturn,
  PaymentOrder,
  PaymentPayer,
  PaymentRail,
} from '../../../src/domain/payments/payment-rail.ts';
import type { Clock } from '../../../src/foundation/clock.ts';
import type { Currency } from '../../../src/foundation/currency.ts';
import type { ProviderReply, ProviderRequest } from '../../../src/rails/kit/provider-http.ts';

/** The flaw of a drawn response. With any flaw but `nothing`, the response proves no payment. */
export const FLAWS = [
  'nothing',
  'no reference',
  'other reference',
  'no amount',
  'no currency',
  'other amount',
] as const;
type Flaw = (typeof FLAWS)[number];

/** A drawn response. A word is the provider's own term for the state of a payment. */
export type DrawnReply =
  | { readonly kind: 'no_answer' | 'not_connected' }
  | { readonly kind: 'raw'; readonly status: number; readonly body: string }
  | { readonly kind: 'word'; readonly word: string; readonly flaw: Flaw };

export interface Written {
  readonly status: number;
  readonly body: unknown;
  /** True if the response reports a full payment of exactly this payment. */
  readonly isProof: boolean;
}

export interface DrawnProvider {
  readonly currency: Currency;
  /** The documented words, and an undocumented word. */
  readonly words: readonly string[];
  /** Returns the provider's id of a payment. */
  readonly providerReference: (reference: string) => string;
  readonly payer: Partial<PaymentPayer>;
  readonly returns: readonly PayerReturn['fields'][];
  rail(exchange: (request: ProviderRequest) => Promise<ProviderReply>, clock: Clock): PaymentRail;
  write(word: string, flaw: Flaw, order: PaymentOrder, request: ProviderRequest): Written;
}

/** Returns the reference that a response names, or undefined for none. */
export function namedReference({ reference }: PaymentOrder, flaw: Flaw): string | undefined {
  if (flaw === 'no reference') return undefined;
  return flaw === 'other reference' ? `${reference.slice(0, -1)}${reference.endsWith('Z') ? 'Y' : 'Z'}` : reference;
}

/** Returns the amount in minor units, or undefined for none. */
export function namedMinor({ money }: PaymentOrder, flaw: Flaw): bigint | undefined {
  if (flaw === 'no amount') return undefined;
  return flaw === 'other amount' ? money.minor + 1n : money.minor;
}
