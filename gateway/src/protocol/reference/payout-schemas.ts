/** The payout family in OpenAPI: payouts of fifteen methods, and the three queries. */

import { PAYOUT_RESULTS } from '../../domain/payouts/payout.ts';
import { CURRENCIES } from '../../foundation/currency.ts';
import { Secret } from '../../foundation/secret.ts';
import { type MethodField, PAYOUT_METHODS, type PayoutMethod } from '../payout/method-table.ts';
import { BALANCE_SIGNED } from '../payout/payment-balance.ts';
import { LIST_SIGNED } from '../payout/payment-list.ts';
import { STATUS_SIGNED } from '../payout/payout-status.ts';
import { md5Sign, type SignedSet } from '../signatures/merchant-signature.ts';
import { FORMAT_SCHEMAS } from './format-schemas.ts';
import {
  AMOUNT_OUT,
  CURRENCY_OUT,
  closedObjectOf,
  type Json,
  MD5_SIGN,
  objectOf,
  schemaRef,
  text,
  UTC_TIME,
} from './open-api-parts.ts';

/** The key of all published examples. */
const EXAMPLE_KEY = new Secret('SecRetKey0123');

interface PayoutWire {
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** The names of the schemas. */
  readonly request: string;
  readonly reply: string;
  readonly requestExample: Json;
  readonly replyExample: unknown;
  /** True for a list, which has no `sign`: the header `X-Sign` covers its bytes. */
  readonly isList: boolean;
}

export const PAYOUT_FAMILY: readonly PayoutWire[] = [
  {
    path: '/merchant/api/payout_send',
    operationId: 'sendPayout',
    tag: 'payouts',
    summary: 'Pays from your balance',
    description:
      'Safe to repeat: the same `payout_id` with the same content is the same payout. After a timeout, a 500 or an `Error`, repeat the request unchanged or query the status; a new `payout_id` may pay twice.',
    request: 'PayoutRequest',
    reply: 'PayoutReply',
    requestExample: signed({
      merchant: 'M1',
      method: '70',
      payout_id: 'A17',
      account: '4111111111111111',
      amount: '10.00',
      currency: 'TST',
    }),
    replyExample: signed({ status: 'Success', code: '0', payout_id: 'A17', description: 'Completed' }),
    isList: false,
  },
  {
    path: '/merchant/api/payout_status',
    operationId: 'getPayoutStatus',
    tag: 'queries',
    summary: 'The state of one payout',
    description: `${coverageOf(STATUS_SIGNED)} \`Payout not found\` proves that the gateway never accepted the payout, 30 seconds after the request.`,
    request: 'StatusRequest',
    reply: 'PayoutReply',
    requestExample: signed({ merchant: 'M1', payout_id: 'A17' }),
    replyExample: signed({ status: 'Pending', code: '40', payout_id: 'A17', description: 'Queued' }),
    isList: false,
  },
  {
    path: '/payment/balance',
    operationId: 'getBalance',
    tag: 'queries',
    summary: 'Your available and reserved money in one currency',
    description: coverageOf(BALANCE_SIGNED),
    request: 'BalanceRequest',
    reply: 'BalanceReply',
    requestExample: signed({ merchant: 'M1', currency: 'TST' }),
    replyExample: signed({ status: 'Success', currency: 'TST', balance: '990.00', reserved: '0.00' }),
    isList: false,
  },
  {
    path: '/api/payment-list',
    operationId: 'listPayments',
    tag: 'queries',
    summary: 'Your payouts or deposits of a period, oldest first',
    description: `${coverageOf(LIST_SIGNED)} With \`after\` or \`limit\` the list shows only payments that were accepted 30 seconds ago or earlier.`,
    request: 'ListRequest',
    reply: 'PaymentList',
    requestExample: signed({
      merchant: 'M1',
      currency: 'TST',
      order: '0',
      start_date: '2026-11-01',
      finish_date: '2026-12-01',
      status: 'all',
      type: 'withdrawal',
    }),
    replyExample: [
      {
        id: 1001,
        order_id: 'A17',
        status: 'success',
        amount: '10.00',
        currency: 'TST',
        created_at: '2026-11-20 10:00:00',
        finished_at: '2026-11-20 10:00:03',
      },
    ],
    isList: true,
  },
];

export function payoutSchemas(): Readonly<Record<string, Json>> {
  const methods = PAYOUT_METHODS.map((method) => [nameOf(method), methodSchema(method)] as const);
  const id = fieldSchema('id');
  const merchant = text('Your identifier', id);
  const payoutId = text('Your id of the payout. Never reuse an id', id);
  const currency = text('', { enum: CURRENCIES });
  return {
    PayoutRequest: {
      oneOf: PAYOUT_METHODS.map((method) => schemaRef(nameOf(method))),
      discriminator: {
        propertyName: 'method',
        mapping: Object.fromEntries(
          PAYOUT_METHODS.map((method) => [method.number, `#/components/schemas/${nameOf(method)}`]),
        ),
      },
    },
    ...Object.fromEntries(methods),
    PayoutReply: closedObjectOf({
      status: text('`Success` and `Blocked` are final', {
        enum: [...new Set(PAYOUT_RESULTS.map(({ status }) => status))],
      }),
      code: text('The detailed status', { enum: PAYOUT_RESULTS.map(({ code }) => code) }),
      payout_id: payoutId,
      description: text(PAYOUT_RESULTS.map(({ code, text: words }) => `${code}: ${words}`).join('; ')),
      sign: MD5_SIGN,
    }),
    PayoutError: {
      ...closedObjectOf({
        status: { const: 'Error' },
        code: { const: '99' },
        payout_id: { const: '' },
        description: text('The reason'),
        sign: { ...MD5_SIGN, description: 'The signature is computed with the empty key, so it is not proof' },
      }),
      description:
        'This request had no effect. An earlier request with the same id may have had an effect: query the status.',
    },
    StatusRequest: closedObjectOf({ merchant, payout_id: payoutId, sign: MD5_SIGN }),
    BalanceRequest: closedObjectOf({ merchant, currency, sign: MD5_SIGN }),
    BalanceReply: closedObjectOf({
      status: { const: 'Success' },
      currency: CURRENCY_OUT,
      balance: { ...AMOUNT_OUT, description: 'The money that is available for payouts' },
      reserved: { ...AMOUNT_OUT, description: 'The money reserved for pending payouts and their fees' },
      sign: MD5_SIGN,
    }),
    ListRequest: closedObjectOf(listFields({ merchant, currency }), ['after', 'limit']),
    PaymentList: {
      type: 'array',
      items: closedObjectOf({
        id: { type: 'integer', description: 'The transaction number; the value for `after`' },
        order_id: text('Your `payout_id` or `order`'),
        status: { enum: ['pending', 'success', 'blocked', 'fail'] },
        amount: { ...AMOUNT_OUT, description: 'The requested amount' },
        currency: CURRENCY_OUT,
        created_at: UTC_TIME,
        finished_at: { ...text('Empty while pending'), anyOf: [UTC_TIME, { const: '' }] },
      }),
    },
  };
}

function listFields(shared: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  const date = text('A date, or a date and a time, UTC', {
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}( [0-9]{2}:[0-9]{2}:[0-9]{2})?$',
  });
  return {
    ...shared,
    order: text('One `payout_id` or `order`; `0` selects all', { pattern: '^[A-Za-z0-9._\\-]{1,64}$' }),
    start_date: { ...date, description: `${date['description']}; included` },
    finish_date: { ...date, description: `${date['description']}; not included` },
    status: { enum: ['all', 'pending', 'success', 'blocked', 'fail'] },
    type: { enum: ['deposit', 'withdrawal'] },
    after: text('The `id` of the last entry of the previous page', { pattern: '^[0-9]{1,16}$' }),
    limit: text('At most 1000, which is the default', { pattern: '^[0-9]{1,4}$' }),
    sign: MD5_SIGN,
  };
}

function nameOf({ number }: PayoutMethod): string {
  return `Payout${number}`;
}

function methodSchema(method: PayoutMethod): Json {
  const { number, name, fields, signed: set, currency } = method;
  const properties = {
    merchant: text('Your identifier', fieldSchema('id')),
    method: { enum: [number, String(number)], description: 'A number or a string. The signature covers its digits' },
    payout_id: text('Your id of the payout. Never reuse an id', fieldSchema('id')),
    ...Object.fromEntries(fields.map((field) => [field.name, propertyOf(field, currency)])),
    sign: MD5_SIGN,
  };
  const optional = fields.filter(({ mandatory }) => !mandatory).map((field) => field.name);
  const schema = set.isClosed ? closedObjectOf(properties, optional) : objectOf(properties, optional);
  return { title: `Method ${number}: ${name}`, description: coverageOf(set), ...schema };
}

function propertyOf({ name, format, maxLength, mandatory }: MethodField, currency: string): Json {
  if (format === 'currency') return { const: currency };
  const { accepts, example, pattern } = FORMAT_SCHEMAS[format];
  const length = { maxLength, ...(mandatory ? {} : { minLength: 0 }) };
  const shape = mandatory ? pattern : `^$|${pattern}`;
  return {
    type: 'string',
    description: `${capitalised(accepts)}${name === 'account' ? ': receives the money' : ''}`,
    pattern: shape,
    ...length,
    examples: [example],
  };
}

function fieldSchema(format: 'id'): Json {
  const { pattern, example } = FORMAT_SCHEMAS[format];
  return { pattern, examples: [example] };
}

/** Describes which fields `sign` covers, in the order of the joined string. */
function coverageOf({ mandatory, optional, isClosed }: SignedSet): string {
  const covered = [...mandatory, ...optional].sort().map((name) => `\`${name}\``);
  const present =
    optional.length === 0 ? '' : `, of which ${optional.map((name) => `\`${name}\``).join(' and ')} only if sent`;
  return `\`sign\` covers ${covered.join(', ')}${present}.${isClosed ? ' No other field may be sent.' : ''}`;
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function signed(fields: Readonly<Record<string, string>>): Json {
  return { ...fields, sign: md5Sign(fields, EXAMPLE_KEY) };
}
