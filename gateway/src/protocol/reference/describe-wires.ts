/** The merchants' API as OpenAPI 3.1, from the tables that validate its requests. `openapi/gateway.json` is its output. */
import { CREATE_DEPOSIT_PATH } from '../host2host/host-to-host-routes.ts';
import { DEPOSIT_REJECTION_ANSWERS } from '../host2host/rejection-answers.ts';
import type { RejectionAnswers } from '../http/rejection-answer.ts';
import { REJECTION_ANSWERS } from '../payout/rejection-answers.ts';
import { CALLBACK_SCHEMAS, CALLBACKS } from './callback-schemas.ts';
import { DEPOSIT_REQUEST_EXAMPLE, depositSchemas } from './deposit-schemas.ts';
import { type Json, jsonOf, schemaRef } from './open-api-parts.ts';
import { BANK_LIST_PATHS, FORM_PATHS, PAGE_COMPONENTS } from './page-wires.ts';
import { PAYOUT_FAMILY, payoutSchemas } from './payout-schemas.ts';

const DESCRIPTION = `Payouts, deposits, and the queries about them. A response or a payer's redirect never confirms the
final result: a callback does, or a payout's status. Send \`sign\` or \`X-Sign\` as the security schemes describe. Each
example is signed with the key \`SecRetKey0123\`.`;

const SIGN = `A field of the body. Take the covered fields as you send them, sort them by name in byte order, join their
values with \`:\`, append \`:\` and your API key, and write the 16 bytes of the MD5 of that text in base64: 24 characters.
Each request's description lists its covered fields. Errors are signed with the empty key and prove nothing.`;

const X_SIGN = `HMAC-SHA256 over the bytes of the body under your API key, written as lower-case hexadecimal text, and that
text in base64: 88 characters. \`X-Merchant\` carries your identifier.`;

export function describeWires(): Json {
  return {
    openapi: '3.1.0',
    info: { title: 'Payment gateway', version: '1', description: inOneLine(DESCRIPTION) },
    servers: [
      { url: '{base_url}', description: 'Given to you by your operator', variables: { base_url: { default: '/' } } },
    ],
    tags: [
      {
        name: 'payouts',
        description: 'Money from your balance to a card, an account, an IBAN, an email address or a phone',
      },
      { name: 'deposits', description: 'A payer’s payment for one of your orders' },
      { name: 'queries', description: 'The state of your payments and your balance' },
    ],
    paths: { ...payoutPaths(), [CREATE_DEPOSIT_PATH]: { post: describeDeposit() }, ...FORM_PATHS, ...BANK_LIST_PATHS },
    webhooks: CALLBACKS,
    components: {
      securitySchemes: {
        sign: { type: 'apiKey', in: 'query', name: 'sign', description: inOneLine(SIGN) },
        xSign: { type: 'apiKey', in: 'header', name: 'X-Sign', description: inOneLine(X_SIGN) },
      },
      headers: PAGE_COMPONENTS.headers,
      parameters: {
        XMerchant: header('X-Merchant', 'Your identifier', true),
        XSign: header('X-Sign', inOneLine(X_SIGN), true),
      },
      responses: { ...PAGE_COMPONENTS.responses, ...SHARED_RESPONSES },
      schemas: { ...payoutSchemas(), ...depositSchemas(), ...CALLBACK_SCHEMAS, ...PAGE_COMPONENTS.schemas },
    },
  };
}

/** Responses that every signed request can get, in addition to its own. */
const SHARED_RESPONSES = {
  Unknown: {
    description: 'The outcome is unknown. The body is empty. Query the status; do not send a new payment.',
  },
} as const;

function payoutPaths(): Json {
  return Object.fromEntries(
    PAYOUT_FAMILY.map(
      ({ path, operationId, tag, summary, description, request, reply, requestExample, replyExample, isList }) => [
        path,
        {
          post: {
            operationId,
            tags: [tag],
            summary,
            description,
            security: [{ sign: [] }],
            requestBody: {
              required: true,
              content: {
                ...jsonOf(schemaRef(request), requestExample),
                'application/x-www-form-urlencoded': { schema: schemaRef(request) },
              },
            },
            responses: {
              200: {
                description: `The response, or an \`Error\` that names the reason: ${textsOf(REJECTION_ANSWERS)}.`,
                ...(isList ? { headers: { 'X-Sign': { $ref: '#/components/headers/XSign' } } } : {}),
                content: jsonOf({ oneOf: [schemaRef(reply), schemaRef('PayoutError')] }, replyExample),
              },
              '4XX': errorOf(
                'PayoutError',
                'An `Error` with a status other than 200: a body that the gateway does not read (400, 413, 415), an exceeded rate (429, with `Retry-After`), and for merchants with `strict_http_codes` each error (401, 409, 422).',
              ),
              500: { $ref: '#/components/responses/Unknown' },
            },
          },
        },
      ],
    ),
  );
}

function describeDeposit(): Json {
  return {
    operationId: 'createDeposit',
    tags: ['deposits'],
    summary: 'An account number (CLABE) for one order, to be paid by SPEI',
    description: 'The response confirms the request and not the payment. A callback reports the payment.',
    security: [{ xSign: [] }],
    parameters: [{ $ref: '#/components/parameters/XMerchant' }, { $ref: '#/components/parameters/XSign' }],
    requestBody: { required: true, content: jsonOf(schemaRef('DepositRequest'), DEPOSIT_REQUEST_EXAMPLE) },
    responses: {
      200: {
        description: `The CLABE, signed; or \`fail\`, unsigned, with the reason: ${textsOf(DEPOSIT_REJECTION_ANSWERS)}.`,
        headers: { 'X-Sign': { $ref: '#/components/headers/XSign' } },
        content: jsonOf({ oneOf: [schemaRef('DepositReply'), schemaRef('DepositFailure')] }),
      },
      '4XX': errorOf('DepositFailure', 'A `fail` with a status other than 200, as for payouts.'),
      500: { $ref: '#/components/responses/Unknown' },
      503: errorOf('DepositFailure', '`Temporary error`, for merchants with `strict_http_codes`.'),
    },
  };
}

function errorOf(schema: string, description: string): Json {
  return { description, content: jsonOf(schemaRef(schema)) };
}

function textsOf(answers: RejectionAnswers<string>): string {
  return Object.values(answers)
    .map(({ text }) => `\`${text}\``)
    .join(', ');
}

function header(name: string, description: string, required: boolean): Json {
  return { name, in: 'header', required, description, schema: { type: 'string' } };
}

function inOneLine(text: string): string {
  return text.replaceAll('\n', ' ');
}
