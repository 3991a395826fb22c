/** Drawn responses of a bank of Pix. */

import { type DrawnProvider, namedMinor, namedReference } from '../../../test/support/form/drawn-provider.ts';
import { Secret } from '../../foundation/secret.ts';
import type { PixApi } from './api.ts';
import { createPixPaymentRail } from './payment-rail.ts';
import { identifierOf } from './reference.ts';

const END_TO_END_ID = 'E12345678202611201200abcdefghijk';
const PAID = 'CONCLUIDA with a Pix';
const NOT_FOUND = 'CobNaoEncontrado';

export const drawnPix: DrawnProvider = {
  currency: 'BRL',
  words: [PAID, 'ATIVA', 'CONCLUIDA', 'REMOVIDA_PELO_USUARIO_RECEBEDOR', 'REMOVIDA_PELO_PSP', NOT_FOUND, 'QUALQUER'],
  providerReference: () => END_TO_END_ID,
  payer: { firstName: 'Ana', lastName: 'Souza', cpf: '52998224725' },
  returns: [{}, { status: 'CONCLUIDA' }],
  rail(exchange, clock) {
    const bank: PixApi = {
      async exchange(request, _deadline) {
        const reply = await exchange({ ...request, headers: {} });
        if (reply.kind === 'answered') return reply;
        return { kind: reply.kind === 'not_connected' ? 'not_sent' : 'no_answer', reason: reply.reason };
      },
      close: async () => {},
    };
    const configuration = {
      url: 'https://pix.example/api/v2',
      tokenUrl: 'https://pix.example/token',
      clientId: 'gateway',
      clientSecret: new Secret('secret'),
      chave: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
      city: 'Lisboa',
      certificateFile: '',
      privateKeyFile: '',
      caFile: null,
      webhookUrl: 'https://pay.example',
      webhook: { certificateFingerprints: [], allowList: [] },
      simulated: true,
    };
    return createPixPaymentRail(configuration, bank, clock);
  },
  write(word, flaw, order) {
    if (word === NOT_FOUND) return { status: 404, body: { type: NOT_FOUND }, isProof: false };
    const reference = namedReference(order, flaw);
    const minor = namedMinor(order, flaw);
    const valor = minor === undefined ? undefined : `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;
    const txid = reference && identifierOf(reference);
    const body = {
      txid,
      status: word === PAID ? 'CONCLUIDA' : word,
      valor: { original: valor },
      location: 'pix.example/qr/1',
      ...(word === PAID ? { pix: [{ endToEndId: END_TO_END_ID, txid, valor }] } : {}),
    };
    // Pix has one currency, which no response names.
    return { status: 200, body, isProof: word === PAID && (flaw === 'nothing' || flaw === 'no currency') };
  },
};
