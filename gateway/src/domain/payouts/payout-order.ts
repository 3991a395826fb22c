/** Builds the order that a rail sends or asks about from a payout. */
import type { Instant } from '../../foundation/clock.ts';
import type { Secret } from '../../foundation/secret.ts';
import type { Payout } from './payout.ts';
import type { PayoutOrder } from './payout-rail.ts';
import { remittanceOf } from './remittance.ts';

/** The attempt of the order. */
export interface AttemptOfOrder {
  readonly reference: string;
  readonly sendUntil: Instant;
  readonly writtenFrom?: Instant;
}

/** `opened`: the payout's vault record. Without it, the order holds the masked account. */
export function orderOf(
  payout: Payout,
  attempt: AttemptOfOrder,
  opened: Readonly<Record<string, Secret>> = {},
  delayed = false,
): PayoutOrder {
  const { purpose, method, money, beneficiary } = payout;
  return {
    ...attempt,
    ...{ purpose, method, money, delayed },
    remittance: remittanceOf(payout),
    beneficiary: { account: beneficiary.accountShown, ...beneficiary.fields, ...opened },
  };
}
