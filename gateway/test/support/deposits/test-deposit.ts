/** A deposit for a test: pending, of merchant M1, created at the initial time of the test clock. */
import type { Deposit } from '../../../src/domain/deposits/deposit.ts';
import { DAY_MS } from '../../../src/foundation/clock.ts';
import { WIRE_START } from '../merchants/wire-merchants.ts';

export function testDeposit(change: Partial<Deposit> = {}): Deposit {
  return {
    merchantId: 'M1',
    transactionId: 1001,
    uuid: '6f0c8a51-0000-4000-8000-000000000001',
    orderId: 'N17',
    paymentType: 'spei',
    money: { currency: 'MXN', minor: 10_000n },
    amountText: '100.00',
    payer: { userId: 'u1', firstName: 'José', lastName: 'Muñoz' },
    rail: 'in_memory',
    payTo: '646180499000000003',
    beneficiary: 'Shop',
    state: 'pending',
    failReason: null,
    received: 0n,
    fee: 0n,
    createdAt: WIRE_START,
    expiresAt: WIRE_START + DAY_MS,
    closesAt: WIRE_START + 4 * DAY_MS,
    finishedAt: null,
    displacedBy: null,
    ...change,
  };
}
