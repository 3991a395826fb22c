/** A field of the recipient as it goes over the wire. */
import type { PayoutOrder } from '../../domain/payouts/payout-rail.ts';
import { Secret } from '../../foundation/secret.ts';

/** Revealed where it is secret, so for what is written to the provider and nothing else; empty where there is none. */
export function beneficiaryField({ beneficiary }: Pick<PayoutOrder, 'beneficiary'>, name: string): string {
  const value = beneficiary[name] ?? '';
  return value instanceof Secret ? value.reveal() : value;
}
