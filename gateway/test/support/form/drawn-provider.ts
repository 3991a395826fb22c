/**
 * A provider of the hosted form with drawn responses: its real connector over an exchange that returns drawn responses,
 * in the provider's own vocabulary about the requested payment, or no response, or nonsense.
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

/** The flaw of a drawn response; with any flaw except `nothing` the response does not prove a payment. */
export const FLAWS = [
  'nothing',
  'no reference',
  'other reference',
  'no amount',
  'no currency',
  'other amount',
] as const;
type Flaw = (typeof FLAWS)[number];

/** A drawn response; a word is the provider's own for a payment's state. */
export type DrawnReply =
  | { readonly kind: 'no_answer' | 'not_connected' }
  | { readonly kind: 'raw'; readonly status: number; readonly body: string }
  | { readonly kind: 'word'; readonly word: string; readonly flaw: Flaw };

export interface Written {
  readonly status: number;
  readonly body: unknown;
  /** True when it reports a full payment of this very payment. */
  readonly isProof: boolean;
}

export interface DrawnProvider {
  readonly currency: Currency;
  /** The documented words, and an undocumented one. */
  readonly words: readonly string[];
  /** The provider's id of every payment. */
  readonly providerReference: (reference: string) => string;
  readonly payer: Partial<PaymentPayer>;
  readonly returns: readonly PayerReturn['fields'][];
  rail(exchange: (request: ProviderRequest) => Promise<ProviderReply>, clock: Clock): PaymentRail;
  write(word: string, flaw: Flaw, order: PaymentOrder, request: ProviderRequest): Written;
}

/** The reference that a response names; undefined for none. */
export function namedReference({ reference }: PaymentOrder, flaw: Flaw): string | undefined {
  if (flaw === 'no reference') return undefined;
  return flaw === 'other reference' ? `${reference.slice(0, -1)}${reference.endsWith('Z') ? 'Y' : 'Z'}` : reference;
}

/** In minor units; undefined for none. */
export function namedMinor({ money }: PaymentOrder, flaw: Flaw): bigint | undefined {
  if (flaw === 'no amount') return undefined;
  return flaw === 'other amount' ? money.minor + 1n : money.minor;
}
