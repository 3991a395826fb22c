/** Drawn responses of Trustly, signed as Trustly signs. */
import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { ownPrivateKey } from '../../../../rail-simulators/src/trustly/key-files.ts';
import { type DrawnProvider, namedMinor, namedReference } from '../../../test/support/form/drawn-provider.ts';
import { Secret } from '../../foundation/secret.ts';
import type { ProviderRequest } from '../kit/provider-http.ts';
import type { Json } from '../kit/provider-json.ts';
import { createTrustlyPaymentRail } from './payment-rail.ts';
import { signatureOf } from './signature.ts';

const ORDER_ID = '777';
const ERRORS = ['602', '615', '616', '620', '622', '623', '637', '999'];

/** `folder` is where the keys are stored. */
export function drawnTrustly(folder: string): DrawnProvider {
  const publicKeyFile = join(folder, 'trustly-public.pem');
  const theirs = ownPrivateKey(join(folder, 'trustly-own.pem'), publicKeyFile);
  return {
    currency: 'EUR',
    words: ['DONE', 'EMPTY', ...ERRORS],
    providerReference: () => ORDER_ID,
    payer: { firstName: 'Jo', lastName: 'Do', email: 'jo@example.com', country: 'DE' },
    returns: [{}, { trustly: 'success' }, { trustly: 'fail' }],
    rail: (exchange, clock) =>
      createTrustlyPaymentRail(
        {
          url: 'https://trustly.example/api/1',
          username: 'gateway',
          password: new Secret('its-password'),
          privateKeyFile: join(folder, 'trustly', 'private-key.pem'),
          publicKeyFile,
          notificationUrl: 'https://pay.example/rail-notifications/trustly',
          simulated: true,
        },
        { http: { exchange }, hooks: { onCredentialRefused: () => {} }, clock },
      ),
    write(word, flaw, order, request) {
      const minor = namedMinor(order, flaw);
      const row = {
        orderid: ORDER_ID,
        messageid: namedReference(order, flaw) ?? '',
        currency: flaw === 'no currency' ? '' : 'EUR',
        accountname: 'SUSPENSE_ACCOUNT_CLIENT_FUNDS_SWEDEN_ESSE',
        amount: minor === undefined ? '' : `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`,
      };
      const { method } = callIn(request);
      const opened = { orderid: ORDER_ID, url: 'https://trustly.example/page' };
      const funds = word === 'DONE' ? [row] : [];
      const data = method === 'AccountLedger' ? funds : word === 'DONE' ? opened : {};
      const body = ERRORS.includes(word) ? errorOf(request, word, theirs) : resultOf(request, data, theirs);
      const isProof = method === 'AccountLedger' && word === 'DONE' && flaw === 'nothing';
      return { status: 200, body, isProof };
    },
  };
}

function callIn({ body = '' }: ProviderRequest): { readonly method: string; readonly uuid: string } {
  const call = JSON.parse(body);
  return { method: call.method, uuid: call.params.UUID };
}

function resultOf(request: ProviderRequest, data: Json, theirs: KeyObject) {
  const signed = { ...callIn(request), data };
  return { version: '1.1', result: { signature: signatureOf(signed, theirs), ...signed } };
}

function errorOf(request: ProviderRequest, code: string, theirs: KeyObject) {
  const signed = { ...callIn(request), data: { code, message: 'ERROR' } };
  const error = { signature: signatureOf(signed, theirs), ...signed };
  return { version: '1.1', error: { name: 'JSONRPCError', code, message: 'ERROR', error } };
}
