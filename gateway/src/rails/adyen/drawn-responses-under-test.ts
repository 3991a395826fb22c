/** Drawn responses of Adyen. */

import { type DrawnProvider, namedMinor, namedReference } from '../../../test/support/form/drawn-provider.ts';
import { Secret } from '../../foundation/secret.ts';
import { createAdyenPaymentRail } from './payment-rail.ts';

const base64 = (fields: object) => Buffer.from(JSON.stringify(fields)).toString('base64');
const TOKEN = base64({ threeDSServerTransID: 'a', acsTransID: 'b', messageVersion: '2.2.0' });
const url = 'https://bank.example/';
const cres = base64({ threeDSServerTransID: 'a', acsTransID: 'b', messageType: 'CRes', transStatus: 'Y' });

const ACTIONS: Readonly<Record<string, object>> = {
  RedirectShopper: { type: 'redirect', method: 'GET', url },
  IdentifyShopper: {
    type: 'threeDS2',
    subtype: 'fingerprint',
    token: base64({ threeDSServerTransID: 'a', threeDSMethodUrl: url }),
    paymentData: 'data',
  },
  ChallengeShopper: {
    type: 'threeDS2',
    subtype: 'challenge',
    token: base64({ threeDSServerTransID: 'a', acsTransID: 'b', messageVersion: '2.2.0', acsURL: url }),
    authorisationToken: TOKEN,
  },
};

export const drawnAdyen: DrawnProvider = {
  currency: 'EUR',
  words: ['Authorised', 'Refused', 'Error', 'Cancelled', 'Pending', 'Received', ...Object.keys(ACTIONS), 'Whatever'],
  providerReference: () => 'PSP1',
  payer: { email: 'j@example.com' },
  returns: [{}, { redirectResult: 'junk' }, { redirectResult: '<script>' }, { cres }, { threeDSMethodData: 'junk' }],
  rail: (exchange, clock) =>
    createAdyenPaymentRail(
      {
        url: 'https://checkout-test.adyen.com/v72',
        apiKey: new Secret('key'),
        merchantAccount: 'GatewayECOM',
        hmacKeys: [],
        simulated: true,
      },
      { http: { exchange }, hooks: { onCredentialRefused: () => {} }, clock },
    ),
  write(word, flaw, order) {
    const minor = namedMinor(order, flaw);
    const amount = { ...(flaw === 'no currency' ? {} : { currency: 'EUR' }), value: Number(minor) };
    const body = {
      resultCode: word,
      pspReference: 'PSP1',
      merchantReference: namedReference(order, flaw),
      ...(minor === undefined ? {} : { amount }),
      action: ACTIONS[word],
    };
    return { status: 200, body, isProof: word === 'Authorised' && flaw === 'nothing' };
  },
};
