/** openapi/openapi.json says what the gateway does: its paths, asked as they stand in the file, answer in its own schemas. */

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

describe('the description of the bank list', () => {
  test('is of the path that there is, and of every kind of answer', async () => {
    assert.ok(described);
    const codes = [];
    for (const query of ['?country=DE', '?country=Germany'])
      codes.push((await app.inject(BANK_LIST_PATH + query)).statusCode);
    assert.deepEqual(codes, [200, 400]);
    for (const code of codes) assert.ok(described.responses[code], String(code));
  });

  test('fits a list, its headers, and an error', async () => {
    const { headers, ...answer } = await app.inject(BANK_LIST_PATH);
    for (const bank of answer.json().banks) assertFits(bank, Bank);
    assert.match(String(headers['etag']), new RegExp(components.headers.ETag.schema.pattern));
    const said = described.responses['200'].headers;
    assert.equal(headers['cache-control'], said['Cache-Control'].schema.const);
    assert.equal(headers['vary'], said.Vary.schema.const);
    assertFits((await app.inject(`${BANK_LIST_PATH}?country=`)).json(), ErrorSchema);
  });

  test('gives examples that the gateway would give', async () => {
    banks = banks.slice(0, 1);
    const { content } = described.responses['200'];
    assert.deepEqual((await app.inject(BANK_LIST_PATH)).json(), content['application/json'].example);
    const csv = await app.inject({ url: BANK_LIST_PATH, headers: { accept: 'text/csv' } });
    assert.equal(csv.body, content['text/csv'].example);
  });
});

/** Values that the form takes, of each parameter that has a pattern. */
const TAKEN: Readonly<Partial<Record<FormField, string>>> = {
  ...FORM_REQUEST,
  user_id: 'u-1',
  phone: '+14165550123',
  post_code: 'K1A 0B1',
  bank_id: 'ob-modelo_1',
  cpf: '11144477735',
};

describe('the description of the form', () => {
  test('is of the path that there is, by GET and by POST', () => {
    assert.deepEqual(Object.keys(paths[FORM_PATH]), ['get', 'post']);
  });

  test('has the parameters of the form’s table: which there are, which have to be, how long they may be', () => {
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

  test('has patterns that a request which the form takes fits', () => {
    for (const [name, text] of Object.entries(TAKEN)) {
      const { pattern = '' } = FormRequest?.properties[name] ?? {};
      assert.equal(fieldFault(name as FormField, text, merchantNamed('M1').settings), undefined, name);
      assert.match(text, new RegExp(pattern, 'u'), name);
    }
  });
});
