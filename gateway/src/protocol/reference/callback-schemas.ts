/** Callbacks and events in OpenAPI, as webhooks. */
import { BLOCKED_REASONS } from '../../domain/payouts/payout.ts';
import {
  AMOUNT_OUT,
  CURRENCY_OUT,
  closedObjectOf,
  type Json,
  jsonOf,
  MD5_SIGN,
  objectOf,
  schemaRef,
  text,
  UTC_TIME,
} from './open-api-parts.ts';

/** The effect of each event on the merchant's balance. */
const PAYOUT_EVENTS = {
  'payout.reversed': 'The bank returned an executed payout. The gateway credits the amount to your balance.',
  'payout.late_execution':
    'The bank executed a `Blocked` payout. The gateway debits the amount from your balance; a missing part becomes a debt.',
  'payout.contradicted': 'The bank now declines an executed payout. No money moves, and the operator investigates.',
} as const;

const DEPOSIT_EVENTS = {
  'deposit.late': 'A payment arrived after the deposit failed. The gateway credits it to your balance, minus your fee.',
  'deposit.twice':
    'A payment arrived after the deposit was paid. The gateway credits it to your balance, minus your fee.',
  'deposit.refunded':
    'Money was returned to the payer. The gateway debits the amount from your balance; a missing part becomes a debt.',
  'deposit.refund_undone': 'A refund did not reach the payer. The gateway credits the amount to your balance.',
  'deposit.charged_back':
    'The payer’s bank reversed the payment. The gateway debits the amount from your balance; a missing part becomes a debt.',
  'deposit.chargeback_undone':
    'The dispute was decided in your favour. The gateway credits the amount to your balance.',
  'deposit.debited':
    'The bank took the money back. The gateway debits the amount from your balance; a missing part becomes a debt.',
  'deposit.displaced':
    'A request that you signed took over the order of an unsigned form. The gateway debits the credit of that form from your balance.',
} as const;

export const CALLBACK_SCHEMAS: Readonly<Record<string, Json>> = {
  PayoutCallback: closedObjectOf({
    merchant: text('Your identifier'),
    payout_id: text('Your id of the payout'),
    status: { enum: ['Success', 'Blocked'] },
    code: { enum: ['0', ...Object.values(BLOCKED_REASONS).map(({ code }) => code)] },
    description: text('The text of the code'),
    amount: AMOUNT_OUT,
    currency: CURRENCY_OUT,
    sign: MD5_SIGN,
  }),
  DepositCallback: closedObjectOf({
    co_inv_id: text('The transaction number'),
    co_inv_crt: { ...UTC_TIME, description: 'When it was created, UTC' },
    co_inv_prc: { ...UTC_TIME, description: 'When it became final, UTC' },
    co_inv_st: { enum: ['success', 'fail'] },
    co_order_no: text('Your `order`'),
    co_merchant_id: text('Your identifier'),
    co_merchant_uuid: text('Your identifier'),
    co_amount: { ...AMOUNT_OUT, description: 'The received amount. Deliver only what this amount pays for' },
    co_cur: CURRENCY_OUT,
    co_base_amount: { ...AMOUNT_OUT, description: 'The requested amount' },
    co_base_currency: CURRENCY_OUT,
    co_to_wlt: { ...AMOUNT_OUT, description: 'The credit to your balance: the received amount minus your fee' },
    co_sign: { ...MD5_SIGN, description: 'Covers every other field' },
  }),
  PayoutEvent: objectOf({
    type: { enum: Object.keys(PAYOUT_EVENTS) },
    merchant: text('Your identifier'),
    payout_id: text('Your id of the payout'),
    status: { enum: ['Success', 'Blocked'] },
    code: text('The payout’s code. It does not change'),
    amount: AMOUNT_OUT,
    currency: CURRENCY_OUT,
    occurred_at: UTC_TIME,
    detail: text('The reason as the bank states it'),
  }),
  DepositEvent: objectOf(
    {
      type: { enum: Object.keys(DEPOSIT_EVENTS) },
      merchant: text('Your identifier'),
      order: text('Your `order`'),
      transaction_id: text('The transaction number'),
      status: { enum: ['success', 'fail'] },
      amount: AMOUNT_OUT,
      currency: CURRENCY_OUT,
      occurred_at: UTC_TIME,
      reference: text('The key of the adjustment, unique per deposit'),
      detail: text('The reason as the provider states it'),
      tracking_key: text('The *clave de rastreo* of a SPEI transfer'),
      displaced_by: text('The transaction that now has the order'),
    },
    ['reference', 'detail', 'tracking_key', 'displaced_by'],
  ),
};

const HEADERS: readonly (readonly [string, string])[] = [
  ['x-sign', 'HMAC-SHA256 over the bytes of the body, as the security scheme `xSign` describes'],
  ['webhook-id', 'The same for every delivery of one callback (Standard Webhooks)'],
  ['webhook-timestamp', 'The time of this delivery in Unix seconds (Standard Webhooks)'],
  ['webhook-signature', 'One signature per valid key, separated by spaces (Standard Webhooks)'],
  ['gateway-mode', '`live`, or `sandbox` where no money moves. No signature covers it'],
];

export const CALLBACKS: Json = {
  payoutFinished: callback('A payout is final', 'PayoutCallback'),
  depositFinished: callback('A deposit is final', 'DepositCallback'),
  ...events(PAYOUT_EVENTS, 'PayoutEvent'),
  ...events(DEPOSIT_EVENTS, 'DepositEvent'),
};

function events(meanings: Readonly<Record<string, string>>, schema: string): Json {
  return Object.fromEntries(
    Object.entries(meanings).map(([type, meaning]) => [type, webhook(type, meaning, schema, {})]),
  );
}

function callback(summary: string, schema: string): Json {
  const form = { 'application/x-www-form-urlencoded': { schema: schemaRef(schema) } };
  return webhook(summary, 'Delivered at least once. The gateway repeats it until you acknowledge it.', schema, form);
}

function webhook(summary: string, description: string, schema: string, alsoAs: Json): Json {
  const operationId = summary.includes('.') ? summary : schema.charAt(0).toLowerCase() + schema.slice(1);
  return {
    post: {
      operationId,
      summary,
      description,
      parameters: HEADERS.map(([name, meaning]) => ({
        name,
        in: 'header',
        required: true,
        description: meaning,
        schema: { type: 'string' },
      })),
      requestBody: { required: true, content: { ...alsoAs, ...jsonOf(schemaRef(schema)) } },
      responses: {
        '2XX': {
          description: 'Acknowledged. The body must be `OK`, unless your setting `callback_ack` is `any_2xx`.',
          content: { 'text/plain': { schema: { const: 'OK' } } },
        },
        default: { description: 'Not acknowledged: the gateway retries for three days.' },
      },
    },
  };
}
