/** Instant payments in Brazil through a bank with the Pix API. */
import { join } from 'node:path';
import { gatewayVariables } from '../../../rail-simulators/src/pix/gateway-variables.ts';
import { ANYBODY } from '../../../rail-simulators/src/pix/payers.ts';
import { CUSTOMER } from '../shop/offer.ts';
import type { Provider } from './provider.ts';

export const pix: Provider = {
  name: 'Pix',
  kind: {
    name: 'Pix simulator',
    program: 'pix',
    server: 'pix-simulator',
    probe: '/control/summary',
    // The URL of its pages and its control surface. Its API requires a certificate.
    variables: { url: 'PIX_URL', port: 'PIX_PAGES_PORT', secret: 'PIX_CONTROL_SECRET' },
  },
  usualPort: '4051',
  otherPorts: { PIX_PORT: '4050' },
  controlSecret: 'pix-control-secret',
  variables: ({ PIX_PORT }, folder) => ({
    ...gatewayVariables(`https://127.0.0.1:${PIX_PORT}`),
    PIX_TOKEN_URL: '',
    PIX_CERTIFICATE_FILE: `${folder}/pix/client-certificate.pem`,
    PIX_PRIVATE_KEY_FILE: `${folder}/pix/client-key.pem`,
    PIX_CA_FILE: `${folder}/pix/ca.pem`,
  }),
  environment: ({ pix: known }, { gatewayUrl, dataDir }) => ({
    PIX_CLIENT_ID: known?.clientId ?? '',
    PIX_CLIENT_SECRET: known?.clientSecret.reveal() ?? '',
    PIX_CHAVE: known?.chave ?? '',
    PIX_CITY: known?.city ?? '',
    PIX_CERTIFICATES: join(dataDir, 'pix'),
    PIX_WEBHOOK_URL: `${gatewayUrl}/rail-notifications`,
    PIX_BOOK: join(dataDir, 'pix.jsonl'),
  }),
  offer: {
    paymentType: 'instant_bank',
    title: 'Instant bank payment',
    item: 'Hammock',
    amount: '89.90',
    currency: 'BRL',
    fields: { ...CUSTOMER, country: 'BR', cpf: ANYBODY.cpf },
    todo: 'Press Continue, copy the code, and paste it at the payer’s bank.',
    tries: [
      ['Banco Azul', 'pays immediately'],
      ['Banco Verde', 'has too little money'],
      ['another CPF', 'held for the operator'],
    ],
    bank: { name: 'the payer’s bank', path: '/' },
  },
};
