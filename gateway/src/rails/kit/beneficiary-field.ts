/** The beneficiary's fields as a rail writes them to the wire. */
import type { PayoutOrder } from '../../domain/payouts/payout-rail.ts';
import { Secret } from '../../foundation/secret.ts';

/** Reveals a secret field, so use the text only in requests to the provider. Empty if the field is absent. */
export function beneficiaryField({ beneficiary }: Pick<PayoutOrder, 'beneficiary'>, name: string): string {
  const value = beneficiary[name] ?? '';
  return value instanceof Secret ? value.reveal() : value;
}
