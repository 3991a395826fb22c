/** Open banking through Token.io. */
import { join } from 'node:path';
import { gatewayVariables } from '../../../rail-simulators/src/token-io/gateway-variables.ts';
import { CUSTOMER } from '../shop/offer.ts';
import type { Provider } from './provider.ts';

export const tokenIo: Provider = {
  name: 'Token.io',
  kind: {
    name: 'Token.io simulator',
    program: 'tokenIo',
    server: 'token-io-simulator',
    probe: '/control/summary',
    variables: { url: 'TOKEN_IO_URL', port: 'TOKEN_IO_PORT', secret: 'TOKEN_IO_CONTROL_SECRET' },
  },
  usualPort: '4040',
  otherPorts: {},
  controlSecret: 'token-io-control-secret',
  variables: ({ TOKEN_IO_PORT }, folder) => ({
    ...gatewayVariables(`http://127.0.0.1:${TOKEN_IO_PORT}`),
    TOKEN_IO_PRIVATE_KEY_FILE: `${folder}/token-io/private-key.pem`,
  }),
  environment: ({ tokenIo: known }, { gatewayUrl, dataDir }) => ({
    TOKEN_IO_MEMBER_ID: known?.memberId ?? '',
    TOKEN_IO_KEY_ID: known?.keyId ?? '',
    TOKEN_IO_CLIENT_PUBLIC_KEY: join(dataDir, 'token-io/public-key.pem'),
    TOKEN_IO_WEBHOOK_URL: `${gatewayUrl}/rail-notifications/token-io`,
    TOKEN_IO_SETTLEMENT_ACCOUNT: known?.settlementAccount ?? '',
    TOKEN_IO_CREDITOR_IBAN: known?.creditor.iban ?? '',
    TOKEN_IO_CREDITOR_NAME: known?.creditor.name ?? '',
    TOKEN_IO_BOOK: join(dataDir, 'token-io.jsonl'),
  }),
  offer: {
    paymentType: 'open_banking',
    title: 'Open banking',
    item: 'Coffee beans',
    amount: '12.50',
    currency: 'EUR',
    fields: { ...CUSTOMER, country: 'DE', ip: '203.0.113.7' },
    todo: 'Choose any bank; any user name and any password but “wrong” log you in there.',
    tries: [
      ['Agree and pay', 'paid after a few seconds'],
      ['Reject the payment', 'ends it'],
      ['Agree, with too little money', 'refused'],
      ['Leave without deciding', 'come back, and log in again'],
    ],
  },
};
