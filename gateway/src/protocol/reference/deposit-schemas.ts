/** Host-to-host deposits in OpenAPI. */
import { FORMAT_SCHEMAS } from './format-schemas.ts';
import { closedObjectOf, type Json, objectOf, text } from './open-api-parts.ts';

export const DEPOSIT_REQUEST_EXAMPLE = {
  order: 'N17',
  amount: '100.00',
  currency: 'MXN',
  user_id: 'u1',
  first_name: 'Anna',
  last_name: 'Example',
} as const;

export function depositSchemas(): Readonly<Record<string, Json>> {
  const { id, amount } = FORMAT_SCHEMAS;
  const payerName = (what: string, maxLength: number) =>
    text(`The payer’s ${what}, in letters of any script`, { minLength: 1, maxLength });
  return {
    DepositRequest: objectOf({
      order: text('Your id of the order. Use a new id for each deposit', { pattern: id.pattern }),
      amount: text(`A text: ${amount.accepts}`, { pattern: amount.pattern }),
      currency: { const: 'MXN' },
      user_id: text('Your id of the payer', { pattern: id.pattern }),
      first_name: payerName('first name', 30),
      last_name: payerName('last name', 60),
    }),
    DepositReply: closedObjectOf({
      status: { const: 'success', description: 'The request is accepted. It does not mean that money arrived' },
      transactionId: { type: 'integer', minimum: 1 },
      merchantUuid: text('Your identifier'),
      uuid: text('The id to quote to support', { format: 'uuid' }),
      order: text('Your `order`'),
      description: text('`Created`'),
      clabe: text('The account number to which the payer pays', { pattern: '^[0-9]{18}$' }),
      beneficiary: text('The account holder’s name, to show to the payer'),
    }),
    DepositFailure: {
      ...closedObjectOf({
        status: { const: 'fail' },
        transactionId: { const: 0 },
        merchantUuid: { const: '' },
        uuid: { const: '' },
        order: { const: '' },
        description: text('The reason'),
        clabe: { const: '' },
        beneficiary: { const: '' },
      }),
      description: 'The gateway created no deposit for this request. The response is unsigned and is not proof.',
    },
  };
}
