/** Card payments through Adyen. */
import { join } from 'node:path';
import { cardRefusedFor, madeUpCard } from '../../../rail-simulators/src/adyen/cards.ts';
import { gatewayVariables } from '../../../rail-simulators/src/adyen/gateway-variables.ts';
import { signatureOf } from '../../../rail-simulators/src/adyen/notifications.ts';
import { DemoFailure } from '../demo-failure.ts';
import { CUSTOMER } from '../shop/offer.ts';
import type { Provider } from './provider.ts';

const TOO_LITTLE_MONEY = '12';

export const adyen: Provider = {
  name: 'Adyen',
  kind: {
    name: 'Adyen simulator',
    program: 'adyen',
    server: 'adyen-simulator',
    probe: '/control/summary',
    variables: { url: 'ADYEN_URL', port: 'ADYEN_PORT', secret: 'ADYEN_CONTROL_SECRET' },
  },
  usualPort: '4030',
  otherPorts: {},
  controlSecret: 'adyen-control-secret',
  variables: ({ ADYEN_PORT }) => gatewayVariables(`http://127.0.0.1:${ADYEN_PORT}`),
  environment: ({ adyen: known }, { gatewayUrl, dataDir }) => ({
    ADYEN_MERCHANT_ACCOUNT: known?.merchantAccount ?? '',
    ADYEN_API_KEY: known?.apiKey.reveal() ?? '',
    ADYEN_HMAC_KEY: known?.hmacKeys[0]?.reveal() ?? '',
    ADYEN_WEBHOOK_URL: `${gatewayUrl}/rail-notifications/adyen`,
    ADYEN_BOOK: join(dataDir, 'adyen.jsonl'),
  }),
  async remember(at, payments) {
    for (const { providerReference: pspReference, reference, currency, value } of payments) {
      const { status } = await at.ask('/control/remember', { pspReference, reference, currency, value });
      if (status !== 200)
        throw new DemoFailure(`The Adyen simulator did not accept a payment of the history: ${status}`);
    }
  },
  chargeback({ adyen: known }, { providerReference, reference, currency, value }) {
    const item = {
      pspReference: `${providerReference.slice(0, -1)}C`,
      originalReference: providerReference,
      merchantAccountCode: known?.merchantAccount ?? '',
      merchantReference: reference,
      amount: { currency, value },
      eventCode: 'CHARGEBACK',
      success: 'true',
    };
    const hmacSignature = signatureOf(item, known?.hmacKeys[0]?.reveal() ?? '');
    const shown = { reason: 'the cardholder does not recognise the payment (demo)', additionalData: { hmacSignature } };
    const body = { live: 'false', notificationItems: [{ NotificationRequestItem: { ...item, ...shown } }] };
    return { path: '/rail-notifications/adyen', body };
  },
  offer: {
    paymentType: 'card',
    title: 'Payment card',
    item: 'Field notebook',
    amount: '19.00',
    currency: 'USD',
    fields: {
      ...CUSTOMER,
      country: 'US',
      ip: '203.0.113.7',
      custom: 'gift wrap',
      address: '1 Main Street',
      city: 'Springfield',
      post_code: '12345',
      region: 'IL',
    },
    todo: 'Type one of these cards, with any month to come and any three digits.',
    tries: [
      ['4111 1111 1111 1111', 'paid immediately'],
      ['5454 5454 5454 5454', 'the bank asks for a code, 123456'],
      [grouped(cardRefusedFor(TOO_LITTLE_MONEY)), 'refused: too little money'],
      [grouped(madeUpCard('1', '03')), 'paid after a few seconds'],
    ],
  },
};

function grouped(number: string): string {
  return number.replace(/\d{4}(?=\d)/g, '$& ');
}
