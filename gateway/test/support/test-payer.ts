/** A payer as rails are told of one: nothing is known but what a test says, and an address of a test network. */

import { NOBODY } from '../../src/domain/payments/ask-payments.ts';
import type { PaymentPayer } from '../../src/domain/payments/payment-rail.ts';

export function testPayer(known: Partial<PaymentPayer>): PaymentPayer {
  return { ...NOBODY, ip: '203.0.113.7', ...known };
}
