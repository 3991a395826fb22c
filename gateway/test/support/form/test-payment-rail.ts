/** A payment rail and a form session for tests. Each test sets the fields that matter to it. */

import type { FormSession } from '../../../src/domain/payments/form-session.ts';
import type { PaymentRail } from '../../../src/domain/payments/payment-rail.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/foundation/clock.ts';

type Stated = 'name' | 'paymentType' | 'start' | 'handleReturn' | 'ask';

export function testPaymentRail(change: Pick<PaymentRail, Stated> & Partial<PaymentRail>): PaymentRail {
  return {
    currencies: new Set(['EUR']),
    simulated: true,
    timeoutMs: 10 * SECOND_MS,
    notFoundProofMs: MINUTE_MS,
    askAfterMs: [5 * SECOND_MS],
    concurrency: 4,
    validityMs: HOUR_MS,
    decidesWithinMs: HOUR_MS,
    newsNeedProviderReference: false,
    returnActs: false,
    target: null,
    needs: [],
    frameOrigins: [],
    ...change,
  };
}

/** A signed session for 100 EUR with the order N1, valid for an hour. */
export function testFormSession(
  change: Pick<FormSession, 'merchantId' | 'sessionId' | 'createdAt'> & Partial<FormSession>,
): FormSession {
  return {
    orderId: 'N1',
    money: { currency: 'EUR', minor: 10_000n },
    amountText: '100',
    isSigned: true,
    visitorHash: null,
    language: 'en',
    paymentType: null,
    parameters: {},
    transactionId: null,
    expiresAt: change.createdAt + HOUR_MS,
    ...change,
  };
}
