/** A payer as rails are told of one: nothing is known but what a test says. */
import type { PaymentPayer } from '../../src/domain/deposits/payment-rail.ts';

export function testPayer(known: Partial<PaymentPayer>): PaymentPayer {
  return {
    userId: '',
    firstName: '',
    lastName: '',
    email: '',
    phone: '',
    country: '',
    address: '',
    city: '',
    postCode: '',
    region: '',
    cpf: '',
    bankId: '',
    language: 'en',
    ip: '203.0.113.7',
    browser: {
      userAgent: '',
      acceptHeader: '',
      screenWidth: 0,
      screenHeight: 0,
      colorDepth: 0,
      timeZoneOffset: 0,
      hasJavaScript: false,
    },
    ...known,
  };
}
