/** A payer as rails receive it: only the fields that a test sets, and an IP address of a documentation network. */

import { NOBODY } from '../../../src/domain/payments/attempts/ask-payments.ts';
import type { PaymentPayer } from '../../../src/domain/payments/payment-rail.ts';

export function testPayer(known: Partial<PaymentPayer>): PaymentPayer {
  return { ...NOBODY, ip: '203.0.113.7', ...known };
}
