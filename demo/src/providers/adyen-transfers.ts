/** Payouts to cards in euros and dollars, by Adyen's Transfers API. */
import { join } from 'node:path';
import { CARD_EUR, MASTERCARD, VISA_CARD } from '../payout-examples.ts';
import type { Provider } from './provider.ts';

export const adyenTransfers: Provider = {
  name: 'Adyen Transfers',
  kind: {
    name: 'Adyen Transfers simulator',
    program: 'adyenTransfers',
    server: 'adyen-transfers-simulator',
    probe: '/control/summary',
    variables: { url: 'ADYEN_TRANSFERS_URL', port: 'ADYEN_TRANSFERS_PORT', secret: 'ADYEN_TRANSFERS_CONTROL_SECRET' },
  },
  usualPort: '4140',
  otherPorts: {},
  controlSecret: 'adyen-transfers-control-secret',
  variables: ({ ADYEN_TRANSFERS_PORT }) => ({
    ADYEN_TRANSFERS_URL: `http://127.0.0.1:${ADYEN_TRANSFERS_PORT}/btl/v4`,
    ADYEN_TRANSFERS_BALANCES_URL: `http://127.0.0.1:${ADYEN_TRANSFERS_PORT}/bcl/v2`,
  }),
  environment: ({ adyenTransfers: known }, { gatewayUrl, dataDir }) => ({
    ADYEN_TRANSFERS_API_KEY: known?.apiKey.reveal() ?? '',
    ADYEN_TRANSFERS_BALANCE_ACCOUNT: known?.balanceAccount ?? '',
    ADYEN_TRANSFERS_HMAC_KEY: known?.hmacKeys[0]?.reveal() ?? '',
    ADYEN_TRANSFERS_WEBHOOK_URL: `${gatewayUrl}/rail-notifications/adyen-transfers`,
    ADYEN_TRANSFERS_BOOK: join(dataDir, 'adyen-transfers.jsonl'),
  }),
  payouts: {
    examples: [
      {
        title: 'card USD (8): authorised first, paid after 2 s',
        method: 8,
        amount: '80.00',
        currency: 'USD',
        fields: { account: VISA_CARD, exp_date: '12/39', full_name: 'Maria Lopez' },
      },
      CARD_EUR,
      {
        title: 'card EUR, the alternative (93): the same, with all about the recipient',
        method: 93,
        amount: '93.00',
        currency: 'EUR',
        fields: {
          account: MASTERCARD,
          full_name: 'Greta Weber',
          customs_birthday: '29-02-1988',
          customs_phone: '+4915112345678',
          customs_email: 'greta@example.com',
          customs_address: 'Lange Gasse 7',
          customs_city: 'Ulm',
          customs_state: 'Bayern',
          customs_post_code: '89073',
          customs_user_id: 'customer-93',
          customs_country: 'DE',
        },
      },
    ],
    cents: [
      ['.42', 'is found only by asking'],
      ['.60', 'is taken back later'],
    ],
  },
};
