/** What a rail must be able to do to bring deposits in: give each payer an address to pay to. */
import type { Currency } from '../../foundation/currency.ts';
import type { PaymentType } from '../methods/payment-type.ts';

/** The addresses that a rail can give out. */
export interface AddressSpace {
  /** How many there are. */
  readonly capacity: number;
  /** The address of a number from 0 to `capacity` − 1; different for each. */
  addressOf(number: number): string;
}

export interface DepositRail extends AddressSpace {
  readonly name: string;
  readonly paymentType: PaymentType;
  readonly currency: Currency;
  readonly simulated: boolean;
  /** Whom the payer sees as the recipient. */
  readonly beneficiary: string;
  /** How long the payer has, and how long after that money still counts. */
  readonly validityMs: number;
  readonly graceMs: number;
}
