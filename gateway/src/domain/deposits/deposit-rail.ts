/** The port of a rail that accepts deposits: it gives each payer an address to pay to. */
import type { Currency } from '../../foundation/currency.ts';
import type { PaymentType } from '../methods/payment-type.ts';

/** The addresses that a rail can assign. */
export interface AddressSpace {
  /** The number of available addresses. */
  readonly capacity: number;
  /** Returns the address for a number from 0 to `capacity` − 1. Different numbers have different addresses. */
  addressOf(number: number): string;
}

export interface DepositRail extends AddressSpace {
  readonly name: string;
  readonly paymentType: PaymentType;
  readonly currency: Currency;
  readonly simulated: boolean;
  /** The recipient that the payer sees. */
  readonly beneficiary: string;
  /** The payer's time, and the grace period after it in which money is still accepted. */
  readonly validityMs: number;
  readonly graceMs: number;
}
