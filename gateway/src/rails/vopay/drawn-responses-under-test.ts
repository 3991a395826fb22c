/** Drawn responses of VoPay. */

import { type DrawnProvider, namedMinor, namedReference } from '../../../test/support/form/drawn-provider.ts';
import { Secret } from '../../foundation/secret.ts';
import { createVoPayApi } from './api.ts';
import { createVoPayPaymentRail } from './payment-rail.ts';

const PAID = ['successful', 'settled', 'complete'];
const OPEN = ['pending', 'requested', 'sent', 'in progress', 'request fulfilled', 'received', 'cancellation requested'];
const ENDED = ['failed', 'declined', 'cancelled', 'expired'];
const ERRORS = ['1000', '2000', '2002', '2003', '2005', '3000', '3001', '9999'];

export const drawnVoPay: DrawnProvider = {
  currency: 'CAD',
  words: [...PAID, ...OPEN, ...ENDED, ...ERRORS, 'whatever'],
  providerReference: () => '123',
  payer: { firstName: 'Jo', lastName: 'Do', email: 'jo@example.com' },
  returns: [{}, { status: 'successful' }],
  rail(exchange, clock) {
    const account = {
      accountId: 'gateway',
      key: new Secret('key'),
      sharedSecret: new Secret('shared-secret'),
    };
    const api = createVoPayApi(account, { http: { exchange }, hooks: { onCredentialRefused: () => {} }, clock });
    return createVoPayPaymentRail({ simulated: true }, api, clock);
  },
  write(word, flaw, order, { path }) {
    if (ERRORS.includes(word)) return { status: 200, body: { Success: 'false', ErrorCode: word }, isProof: false };
    const minor = namedMinor(order, flaw);
    const body = {
      Success: 'true',
      TransactionID: '123',
      TransactionStatus: word,
      ClientReferenceNumber: namedReference(order, flaw),
      ...(minor === undefined ? {} : { Amount: `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}` }),
      ...(flaw === 'no currency' ? {} : { Currency: 'CAD' }),
    };
    const isAnswerAboutOne = path.startsWith('/interac/money-request/transaction?');
    return { status: 200, body, isProof: isAnswerAboutOne && PAID.includes(word) && flaw === 'nothing' };
  },
};
