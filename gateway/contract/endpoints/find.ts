/** The search for a payment by any identifier or detail that a person knows. */
import { type Static, Type } from 'typebox';
import { Amount, CurrencyCode, MerchantId, NO_PARAMS, nullable, Time } from '../parts/answer-parts.ts';
import { defineEndpoints } from '../parts/endpoint.ts';

const ListName = Type.Enum(['payouts', 'refunds', 'deposits', 'payments', 'transfers', 'callbacks']);
const Matched = Type.Enum(['reference', 'transaction', 'uuid', 'id', 'account', 'provider', 'amount', 'lastFour'], {
  description: 'The kind of identifier that the text matches',
});

export const FoundItem = Type.Object({
  matched: Matched,
  list: ListName,
  merchantId: MerchantId,
  id: Type.String({ description: 'The id of the payout or the order, or the rail and key of the transfer' }),
  transactionId: nullable(Type.Integer()),
  amount: Amount,
  currency: CurrencyCode,
  state: Type.String(),
  rail: Type.String(),
  shown: Type.String({ description: 'The account, the card or the address, masked as in its list' }),
  at: Time,
});
export type FoundItem = Static<typeof FoundItem>;

export const FIND_ENDPOINTS = defineEndpoints({
  'payments.find': {
    method: 'GET',
    path: '/find',
    summary:
      'Find payments by any identifier: a transaction number, an id, a reference, a UUID, a CLABE, an account, the last four digits, or an amount with its day',
    permission: 'payouts:read',
    audience: 'own',
    params: NO_PARAMS,
    query: Type.Object(
      {
        q: Type.String({
          minLength: 2,
          maxLength: 200,
          pattern: '^[^\\u0000-\\u001f\\u007f]+$',
          description: 'The search text',
          examples: ['Transaction number 1054', '340.00 2026-11-20'],
        }),
        merchantId: Type.Optional(MerchantId),
      },
      { additionalProperties: false },
    ),
    answer: Type.Object({
      items: Type.Array(FoundItem),
      more: Type.Array(
        Type.Object({
          matched: Matched,
          list: ListName,
          next: Type.String({ description: 'The cursor for that list, with the same filter' }),
        }),
        { description: 'The lists that contain more matches' },
      ),
    }),
    showsPersonal: 'in bulk',
    command: 'find',
  },
});
