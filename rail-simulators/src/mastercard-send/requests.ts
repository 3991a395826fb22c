/** Mastercard's checks of a disbursement before it is accepted. The result is the first invalid field. */

import { asFields, textOf } from '../kernel/fields.ts';

export interface DisbursementRequest {
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
  readonly paymentType: string;
  readonly maskedAccount: string;
  readonly recipientName: string;
}

const SHAPES: readonly (readonly [name: string, shape: RegExp])[] = [
  ['disbursement_reference', /^[A-Za-z0-9*,\-._~]{6,40}$/],
  ['payment_type', /^[A-Z0-9]{3}$/],
  ['amount', /^[1-9]\d{0,11}$/],
  ['currency', /^[A-Z]{3}$/],
  ['sender_account_uri', /^(?:raw|iban|ban|acct-token|acct-ref):.+$/],
  ['funding_source', /^(?:DEPOSIT_ACCOUNT|CREDIT|DEBIT|PREPAID|MOBILE_MONEY_ACCOUNT|CASH)$/],
  ['recipient_account_uri', /^pan:\d{12,19}(?:;exp=\d{4}-\d{2})?(?:;cvc=\d{3,4})?$/],
];

const NAME = /^[\x20-\x7e]{1,35}$/;

export function readDisbursement(value: unknown): DisbursementRequest | { readonly invalid: string } {
  const fields = asFields(asFields(value)['payment_disbursement']);
  const recipient = asFields(fields['recipient']);
  const country = fields['payment_origination_country'];
  const checks: readonly (readonly [field: string, holds: boolean])[] = [
    ...SHAPES.map(([field, shape]) => [field, shape.test(textOf(fields, field))] as const),
    ['recipient.first_name', NAME.test(textOf(recipient, 'first_name'))],
    ['recipient.last_name', NAME.test(textOf(recipient, 'last_name'))],
    ['payment_origination_country', country === undefined || /^[A-Z]{3}$/.test(String(country))],
  ];
  const [invalid] = checks.find(([, holds]) => !holds) ?? [];
  if (invalid !== undefined) return { invalid };
  const [, digits = ''] = /^pan:(\d+)/.exec(textOf(fields, 'recipient_account_uri')) ?? [];
  return {
    reference: textOf(fields, 'disbursement_reference'),
    amount: textOf(fields, 'amount'),
    currency: textOf(fields, 'currency'),
    paymentType: textOf(fields, 'payment_type'),
    maskedAccount: `${'*'.repeat(12)}${digits.slice(-4)}`,
    recipientName: `${textOf(recipient, 'first_name')} ${textOf(recipient, 'last_name')}`,
  };
}
