/** Drawn responses of Token.io. */
import { join } from 'node:path';
import { type DrawnProvider, namedMinor, namedReference } from '../../../test/support/form/drawn-provider.ts';
import { createTokenIoPaymentRail } from './payment-rail.ts';
import { refIdOf } from './protocol.ts';

const MEMBER = 'm:gateway:5zKtXEAq';
const ACCOUNT = 'pa:gateway:2gFUX1NEGTG';
const WORDS = [
  'INITIATION_PENDING',
  'INITIATION_PENDING_REDIRECT_AUTH',
  'INITIATION_PENDING_DECOUPLED_AUTH',
  'INITIATION_PENDING_EMBEDDED_AUTH',
  'INITIATION_PROCESSING',
  'INITIATION_COMPLETED',
  'INITIATION_REJECTED',
  'INITIATION_FAILED',
  'INITIATION_DECLINED',
  'INITIATION_EXPIRED',
  'INITIATION_NO_FINAL_STATUS_AVAILABLE',
  'SETTLEMENT_IN_PROGRESS',
  'SETTLEMENT_COMPLETED',
  'SETTLEMENT_INCOMPLETE',
  'CANCELED',
  'NOTHING_LISTED',
  'WHATEVER',
] as const;

/** `folder` is where the key is stored. */
export function drawnTokenIo(folder: string): DrawnProvider {
  return {
    currency: 'EUR',
    words: WORDS,
    providerReference: () => 'pm:1',
    payer: { bankId: 'a-bank' },
    returns: [{}, { 'payment-id': 'pm:1', state: 'guessed' }, { 'payment-id': 'pm:1', state: 'kept' }],
    rail: (exchange, clock) =>
      createTokenIoPaymentRail(
        {
          url: 'https://api.token.example',
          memberId: MEMBER,
          keyId: 'key',
          privateKeyFile: join(folder, 'token-io', 'private-key.pem'),
          webhookPublicKey: '',
          settlementAccount: ACCOUNT,
          creditor: { iban: 'NL91ABNA0417164300', name: 'Payment Gateway' },
          localInstrument: 'SEPA_INSTANT',
          onBehalfOf: '',
          simulated: true,
        },
        { http: { exchange }, hooks: { onCredentialRefused: () => {} }, clock },
      ),
    write(word, flaw, order, { path, verb }) {
      const reference = namedReference(order, flaw);
      const minor = namedMinor(order, flaw);
      const value = minor === undefined ? undefined : `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;
      const amount = { value, ...(flaw === 'no currency' ? {} : { currency: 'EUR' }) };
      if (path.includes('/transactions')) {
        const isCredit = word === 'SETTLEMENT_COMPLETED';
        const credit = { refId: reference, transactionType: 'CREDIT', amount };
        return {
          status: 200,
          body: { transactions: isCredit ? [credit] : [] },
          isProof: isCredit && flaw === 'nothing',
        };
      }
      const payment = {
        id: 'pm:1',
        memberId: MEMBER,
        status: word,
        initiation: {
          refId: reference && refIdOf(reference),
          remittanceInformationPrimary: reference,
          amount,
          callbackState: 'kept',
        },
        authentication: { redirectUrl: 'https://bank.example/' },
      };
      const isList = verb === 'GET' && path.includes('?');
      const listed = word === 'NOTHING_LISTED' ? [] : [payment];
      const isProof = word === 'SETTLEMENT_COMPLETED' && flaw === 'nothing';
      return { status: 200, body: isList ? { payments: listed } : { payment }, isProof };
    },
  };
}
