/** A form attempt for tests: the first attempt of its deposit, started at the initial time of the test clock. */
import type { PaymentAttempt } from '../../../src/domain/payments/attempts/payment-attempt.ts';
import { SECOND_MS } from '../../../src/foundation/clock.ts';
import { WIRE_START } from '../merchants/wire-merchants.ts';

export function testAttempt(change: Partial<PaymentAttempt> = {}): PaymentAttempt {
  return {
    merchantId: 'M1',
    transactionId: 1001,
    attempt: 1,
    rail: 'in_memory',
    paymentType: 'card',
    reference: '1001-AbCd1234',
    providerReference: '',
    kept: '',
    receipts: [],
    state: 'starting',
    step: null,
    isAuthorised: false,
    refusal: null,
    canRetry: false,
    detail: '',
    startedAt: WIRE_START,
    sendUntil: WIRE_START + 10 * SECOND_MS,
    askAt: WIRE_START + 15 * SECOND_MS,
    asks: 0,
    openReturns: 0,
    finishedAt: null,
    ...change,
  };
}
