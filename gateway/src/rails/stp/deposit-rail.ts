/** SPEI deposits through STP: a separate CLABE for each deposit, and the payer's time (decisions 33 and 36). */
import type { DepositRail } from '../../domain/deposits/deposit-rail.ts';
import { HOUR_MS } from '../../foundation/clock.ts';
import { clabeCapacity, composeClabe } from './clabe.ts';
import { STP, type StpConfiguration } from './configuration.ts';

export function createStpDepositRail({ clabePrefix, beneficiary, simulated }: StpConfiguration): DepositRail {
  return {
    name: STP,
    paymentType: 'spei',
    currency: 'MXN',
    simulated,
    beneficiary,
    capacity: Number(clabeCapacity(clabePrefix)),
    addressOf: (number) => composeClabe(clabePrefix, BigInt(number)),
    validityMs: 24 * HOUR_MS,
    graceMs: 72 * HOUR_MS,
  };
}
