/** A payout as a rail is told of it, or asked about it. */
import type { Instant } from '../../foundation/clock.ts';
import type { Secret } from '../../foundation/secret.ts';
import type { Payout } from './payout.ts';
import type { PayoutOrder } from './payout-rail.ts';
import { remittanceOf } from './remittance.ts';

/** The attempt that the order is about. */
export interface AttemptOfOrder {
  readonly reference: string;
  readonly sendUntil: Instant;
  readonly writtenFrom?: Instant;
}

/** `opened`: what the vault keeps of it; without it the account is what may be shown of one. */
export function orderOf(
  payout: Payout,
  attempt: AttemptOfOrder,
  opened: Readonly<Record<string, Secret>> = {},
  delayed = false,
): PayoutOrder {
  const { method, money, beneficiary } = payout;
  return {
    ...attempt,
    ...{ method, money, delayed },
    remittance: remittanceOf(payout),
    beneficiary: { account: beneficiary.accountShown, ...beneficiary.fields, ...opened },
  };
}
