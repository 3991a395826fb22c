/** The endpoints without a merchant's API key in OpenAPI: the hosted form and the bank list. */

import { FORM_PAYMENT_TYPES } from '../../domain/methods/payment-type.ts';
import { FORM_PATH } from '../form/form-visit.ts';
import { FORM_FIELDS, type FormField } from '../form/request/form-fields.ts';
import { BANK_LIST_PATH } from '../open-banking/bank-list-routes.ts';
import { FORMAT_SCHEMAS } from './format-schemas.ts';
import { closedObjectOf, type Json, jsonOf, MD5_SIGN, schemaRef, text } from './open-api-parts.ts';

const { id, amount, country, phonePlusOptional, postCode, email, ip } = FORMAT_SCHEMAS;
const ID_OF_ANY = '^[A-Za-z0-9._\\-]{1,64}$';

/** The lengths and the mandatory fields come from the form's own table. */
const FORM_TEXTS: Readonly<Record<FormField, Json>> = {
  merchant: { description: 'Your identifier', pattern: ID_OF_ANY },
  order: { description: 'Your id of the order', pattern: id.pattern },
  amount: { description: 'Digits, at most two after a `.`, above zero', pattern: amount.pattern },
  currency: { description: 'A currency of the payment type', pattern: '^[A-Z]{3}$' },
  item_name: { description: 'The name of the goods' },
  country: { description: 'The payer’s country, ISO 3166-1 alpha-2', pattern: country.pattern },
  first_name: { description: 'The payer’s first name' },
  last_name: { description: 'The payer’s last name' },
  user_id: { description: 'Your id of the payer', pattern: id.pattern },
  payment_url: { description: 'The URL of the shop' },
  ip: { description: 'The payer’s IP address', pattern: ip.pattern },
  custom: { description: 'Any text of yours' },
  email: { description: 'The payer’s email address', pattern: email.pattern },
  phone: { description: 'The payer’s phone number', pattern: phonePlusOptional.pattern },
  address: { description: 'The payer’s street and number' },
  city: { description: 'The payer’s city' },
  post_code: { description: 'The payer’s post code', pattern: postCode.pattern },
  region: { description: 'The payer’s region' },
  payment_type: { description: 'The payment type. If absent, the payer chooses', enum: FORM_PAYMENT_TYPES },
  bank_id: { description: 'The id of a bank on the bank list. The page opens this bank directly', pattern: ID_OF_ANY },
  cpf: { description: 'The payer’s tax number (Pix)', pattern: '^[0-9]{11}$' },
};

function formSchema(): Json {
  const properties = Object.entries(FORM_FIELDS).map(([name, { maxLength }]) => [
    name,
    { type: 'string', ...FORM_TEXTS[name as FormField], ...(maxLength === null ? {} : { maxLength }) },
  ]);
  return {
    type: 'object',
    required: Object.entries(FORM_FIELDS).flatMap(([name, { mandatory }]) => (mandatory ? [name] : [])),
    properties: {
      ...Object.fromEntries(properties),
      lang: {
        enum: ['en', 'ua', 'kk', 'pt-BR', 'es', 'fr', 'de', 'pl'],
        description: 'The page’s language. Any other value is ignored',
      },
      sign: {
        ...MD5_SIGN,
        description: 'The MD5 signature over `merchant`, `order`, `amount` and `currency`, with the **form key**',
      },
    },
  };
}

const FORM_ANSWERS = {
  303: { $ref: '#/components/responses/FormOpened' },
  '4XX': { $ref: '#/components/responses/FormPage' },
  503: { $ref: '#/components/responses/FormPage' },
};

export const FORM_PATHS: Json = {
  [FORM_PATH]: {
    get: {
      operationId: 'openForm',
      tags: ['deposits'],
      summary: 'Your link to the page on which a payer pays',
      description:
        'The gateway does not contact a provider before the payer submits the page, so a link may be opened any number of times.',
      security: [{ sign: [] }],
      parameters: [
        {
          name: 'parameters',
          in: 'query',
          required: true,
          style: 'form',
          explode: true,
          description:
            'Each property is a separate parameter. A repeated parameter is rejected. An unknown parameter is ignored.',
          schema: schemaRef('FormRequest'),
        },
      ],
      responses: FORM_ANSWERS,
    },
    post: {
      operationId: 'postForm',
      tags: ['deposits'],
      summary: 'The same, with the parameters in the body',
      security: [{ sign: [] }],
      requestBody: {
        required: true,
        content: { 'application/x-www-form-urlencoded': { schema: schemaRef('FormRequest') } },
      },
      responses: FORM_ANSWERS,
    },
  },
};

const EXAMPLE_BANK = { bank_id: 'ob-example', name: 'Example Bank', country: 'DE', bic: 'COBADEFFXXX' };

export const BANK_LIST_PATHS: Json = {
  [BANK_LIST_PATH]: {
    get: {
      operationId: 'listBanks',
      tags: ['deposits'],
      summary: 'The banks for open banking, whose ids `bank_id` of the form accepts',
      description: 'Sorted by name. It does not need a signature.',
      security: [],
      parameters: [
        {
          name: 'country',
          in: 'query',
          required: false,
          description: 'ISO 3166-1 alpha-2, in upper or lower case. If absent, all countries',
          schema: { type: 'string', pattern: '^[A-Za-z]{2}$' },
          example: 'DE',
        },
        {
          name: 'If-None-Match',
          in: 'header',
          required: false,
          description: 'The ETag of your copy of the list',
          schema: { type: 'string' },
        },
      ],
      responses: {
        200: {
          description: 'The list as JSON, or as CSV if `Accept` prefers text/csv',
          headers: {
            ETag: { $ref: '#/components/headers/ETag' },
            'Cache-Control': { schema: { const: 'public, max-age=600' } },
            Vary: { schema: { const: 'Accept' } },
          },
          content: {
            ...jsonOf(schemaRef('BankList'), { banks: [EXAMPLE_BANK] }),
            'text/csv': {
              schema: { type: 'string', description: 'RFC 4180 with a header line, in UTF-8' },
              example: `${csvLine(Object.keys(EXAMPLE_BANK))}${csvLine(Object.values(EXAMPLE_BANK))}`,
            },
          },
        },
        304: { description: 'Your list is still current', headers: { ETag: { $ref: '#/components/headers/ETag' } } },
        ...Object.fromEntries([400, 404, 503].map((status) => [status, { $ref: '#/components/responses/NoBankList' }])),
      },
    },
  },
};

function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}

export const PAGE_COMPONENTS = {
  headers: {
    ETag: {
      description: 'A strong ETag. JSON, CSV and each country have different ETags',
      schema: { type: 'string', pattern: '^"[A-Za-z0-9_\\-]{43}"$' },
    },
    XSign: {
      description: 'The gateway’s signature over the bytes of the response, with the API key of your request',
      schema: { type: 'string', pattern: '^[A-Za-z0-9+\\/]{86}==$' },
    },
  },
  responses: {
    FormOpened: {
      description: 'The page of this payer. Its URL contains none of the parameters',
      headers: { Location: { schema: { type: 'string', pattern: '\\/payment\\/form\\/[A-Za-z0-9]{43}$' } } },
    },
    FormPage: {
      description:
        'A page for the payer with the reason: an invalid parameter (400), an unreadable body (413, 415), a merchant without payments (403), too many forms (429, with `Retry-After`), or a temporary error (503)',
      content: { 'text/html': { schema: { type: 'string' } } },
    },
    NoBankList: {
      description:
        '`Invalid country` or `Invalid query` (400), `Method unavailable` (404), `Temporary error` (503, with `Retry-After`)',
      content: jsonOf(schemaRef('PayoutError')),
    },
  },
  schemas: {
    FormRequest: formSchema(),
    BankList: closedObjectOf({ banks: { type: 'array', items: schemaRef('Bank') } }),
    Bank: closedObjectOf({
      bank_id: { type: 'string', pattern: ID_OF_ANY },
      name: { type: 'string', minLength: 1, maxLength: 140 },
      country: { type: 'string', pattern: '^[A-Z]{2}$' },
      bic: text('Empty if the bank has none', { pattern: '^([A-Z0-9]{8}([A-Z0-9]{3})?)?$' }),
    }),
  },
} as const;
