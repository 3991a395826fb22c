/**
 * openapi/openapi.json describes the gateway's behaviour: its paths, requested as the file writes them, answer in its
 * own schemas.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { FORM_PAYMENT_TYPES } from '../../src/domain/methods/payment-type.ts';
import { errorBodyFor } from '../../src/protocol/error-envelopes.ts';
import { FORM_PATH } from '../../src/protocol/form/form-parts.ts';
import { FORM_FIELDS, type FormField } from '../../src/protocol/form/request/form-fields.ts';
import { fieldFault } from '../../src/protocol/form/request/form-refusal.ts';
import { createHttpServer } from '../../src/protocol/http/http-server.ts';
import { BANK_LIST_PATH, bankListRoutes } from '../../src/protocol/open-banking/bank-list-routes.ts';
import { FORM_REQUEST } from '../support/form-request.ts';
import { merchantNamed } from '../support/merchant-named.ts';
import { ROOT } from './pages.ts';

interface TextSchema {
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly const?: string;
  readonly minLength?: number;
}

interface ObjectSchema {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, TextSchema>>;
}

const { paths, components } = JSON.parse(readFileSync(join(ROOT, 'openapi/openapi.json'), 'utf8'));
const { Bank, Error: ErrorSchema, FormRequest } = components.schemas as Record<string, ObjectSchema>;
const described = paths[BANK_LIST_PATH]?.get;

let banks = [
  { bankId: 'ob-example', name: 'Example Bank', country: 'DE', bic: 'COBADEFFXXX' },
  { bankId: 'ob-other', name: 'Other Bank', country: 'FR', bic: '' },
];
const app = createHttpServer({
  errorBody: errorBodyFor,
  trustedProxies: [],
  onInternalError: (error) => assert.fail(String(error)),
});
void app.register(bankListRoutes({ banks: { isOffered: true, banks: () => banks } }));
after(() => app.close());

function assertFits(value: Readonly<Record<string, string>>, schema: ObjectSchema | undefined): void {
  assert.ok(schema);
  assert.deepEqual(Object.keys(value), [...schema.required]);
  for (const [name, text] of Object.entries(value)) {
    const { pattern = '', const: only = text, minLength = 0 } = schema.properties[name] ?? {};
    assert.ok(new RegExp(pattern).test(text) && text === only && text.length >= minLength, `${name}: ${text}`);
  }
}

describe('the OpenAPI description of the bank list', () => {
  test('OpenAPI describes the path of the bank list and each of its status codes', async () => {
    assert.ok(described);
    const codes = [];
    for (const query of ['?country=DE', '?country=Germany'])
      codes.push((await app.inject(BANK_LIST_PATH + query)).statusCode);
    assert.deepEqual(codes, [200, 400]);
    for (const code of codes) assert.ok(described.responses[code], String(code));
  });

  test('OpenAPI’s schemas of the bank list match a list, its headers and an error', async () => {
    const { headers, ...answer } = await app.inject(BANK_LIST_PATH);
    for (const bank of answer.json().banks) assertFits(bank, Bank);
    assert.match(String(headers['etag']), new RegExp(components.headers.ETag.schema.pattern));
    const said = described.responses['200'].headers;
    assert.equal(headers['cache-control'], said['Cache-Control'].schema.const);
    assert.equal(headers['vary'], said.Vary.schema.const);
    assertFits((await app.inject(`${BANK_LIST_PATH}?country=`)).json(), ErrorSchema);
  });

  test('OpenAPI’s examples of the bank list equal the gateway’s answers', async () => {
    banks = banks.slice(0, 1);
    const { content } = described.responses['200'];
    assert.deepEqual((await app.inject(BANK_LIST_PATH)).json(), content['application/json'].example);
    const csv = await app.inject({ url: BANK_LIST_PATH, headers: { accept: 'text/csv' } });
    assert.equal(csv.body, content['text/csv'].example);
  });
});

/** A value that the form accepts for each parameter with a pattern. */
const TAKEN: Readonly<Partial<Record<FormField, string>>> = {
  ...FORM_REQUEST,
  user_id: 'u-1',
  phone: '+14165550123',
  post_code: 'K1A 0B1',
  bank_id: 'ob-modelo_1',
  cpf: '11144477735',
};

describe('the OpenAPI description of the form', () => {
  test('OpenAPI describes the path of the form with GET and POST', () => {
    assert.deepEqual(Object.keys(paths[FORM_PATH]), ['get', 'post']);
  });

  test('OpenAPI’s form parameters have the names, mandatory flags and lengths of the form’s table', () => {
    assert.ok(FormRequest);
    const fields = Object.entries(FORM_FIELDS);
    assert.deepEqual(Object.keys(FormRequest.properties), [...Object.keys(FORM_FIELDS), 'lang', 'sign']);
    assert.deepEqual(
      FormRequest.required,
      fields.filter(([, { mandatory }]) => mandatory).map(([name]) => name),
    );
    for (const [name, { maxLength }] of fields)
      assert.equal(FormRequest.properties[name]?.maxLength ?? null, maxLength);
    assert.deepEqual(FormRequest.properties['payment_type']?.enum, FORM_PAYMENT_TYPES);
  });

  test('OpenAPI’s patterns match a request that the form accepts', () => {
    for (const [name, text] of Object.entries(TAKEN)) {
      const { pattern = '' } = FormRequest?.properties[name] ?? {};
      assert.equal(fieldFault(name as FormField, text, merchantNamed('M1').settings), undefined, name);
      assert.match(text, new RegExp(pattern, 'u'), name);
    }
  });
});
