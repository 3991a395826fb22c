/**
 * openapi/gateway.json describes the merchants' API: the gateway accepts its examples, and its schemas fit every response and
 * every request that the gateway accepts.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { codeBlocks, jsonOf, ROOT, readPage } from '../../generators/pages.ts';
import { FORM_PAYMENT_TYPES } from '../../src/domain/methods/payment-type.ts';
import { PAYOUT_STATES } from '../../src/domain/payouts/payout.ts';
import { errorBodyFor } from '../../src/protocol/error-envelopes.ts';
import { FORM_PATH } from '../../src/protocol/form/form-visit.ts';
import { FORM_FIELDS, type FormField, fieldFault } from '../../src/protocol/form/request/form-fields.ts';
import { createHttpServer } from '../../src/protocol/http/http-server.ts';
import { BANK_LIST_PATH, bankListRoutes } from '../../src/protocol/open-banking/bank-list-routes.ts';
import { FORMATS, type FormatName } from '../../src/protocol/payout/formats.ts';
import { PAYOUT_METHODS } from '../../src/protocol/payout/method-table.ts';
import { describeWires } from '../../src/protocol/reference/describe-wires.ts';
import { FORMAT_SCHEMAS } from '../../src/protocol/reference/format-schemas.ts';
import { type HostToHostWire, startHostToHostWire } from '../support/deposits/host-to-host-wire.ts';
import { FORM_REQUEST } from '../support/form/form-request.ts';
import { merchantNamed } from '../support/merchants/merchant-named.ts';
import { WIRE_KEY, WIRE_START } from '../support/merchants/wire-merchants.ts';
import { fullySigned, payoutRequest, post } from '../support/payouts/payout-request.ts';
import { type PayoutWire, startPayoutWire } from '../support/payouts/payout-wire.ts';

interface Schema {
  readonly required: readonly string[];
  readonly properties: Readonly<
    Record<string, { readonly enum?: readonly string[]; readonly maxLength?: number; readonly pattern?: string }>
  >;
}

const document = JSON.parse(readFileSync(join(ROOT, 'openapi/gateway.json'), 'utf8'));
const { paths, components, webhooks } = document;
const { FormRequest } = components.schemas as Record<string, Schema>;
const described = paths[BANK_LIST_PATH]?.get;

const ajv = new Ajv2020({ strict: false, allErrors: true, discriminator: false });
formats.default(ajv);
const validators = new Map<string, ValidateFunction>();

function assertFits(value: unknown, schema: object, about: string): void {
  const key = JSON.stringify(schema);
  const fits = validators.get(key) ?? ajv.compile({ ...schema, components });
  validators.set(key, fits);
  assert.ok(fits(value), `${about}: ${ajv.errorsText(fits.errors)} in ${JSON.stringify(value)}`);
}

const named = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('openapi/gateway.json', () => {
  test('openapi/gateway.json is current: npx node gateway/generators/openapi/write-openapi.ts writes it', () => {
    assert.deepEqual(document, JSON.parse(JSON.stringify(describeWires())));
  });

  test('openapi/gateway.json: each example of a format is accepted, by the gateway and by its pattern', () => {
    const context = { now: WIRE_START, checkInn: true };
    for (const [name, { example, pattern }] of Object.entries(FORMAT_SCHEMAS)) {
      assert.ok(FORMATS[name as FormatName](example, context), `${name}: ${example}`);
      assert.match(example, new RegExp(pattern, 'u'), name);
    }
  });

  test('openapi/gateway.json: each example of a request and a response fits its schema', () => {
    const examples = JSON.stringify(document).match(/"example":/g) ?? [];
    let seen = 0;
    const walk = (node: unknown, place: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const { example, schema } = node as { example?: unknown; schema?: object };
      if (example !== undefined && schema !== undefined) {
        seen++;
        assertFits(example, schema, place);
      }
      for (const [name, child] of Object.entries(node)) walk(child, `${place}/${name}`);
    };
    walk(document, '');
    assert.equal(seen, examples.length);
  });
});

describe('the OpenAPI description of payouts', () => {
  let wire: PayoutWire;
  before(async () => {
    wire = await startPayoutWire();
  });
  after(() => wire.stop());

  const responseOf = (path: string, status: number) => {
    const { responses } = paths[path].post;
    const { content } = responses[status] ?? responses[`${Math.floor(status / 100)}XX`];
    return content['application/json'].schema;
  };

  for (const { number, name } of PAYOUT_METHODS) {
    test(`the OpenAPI document describes a payout by method ${number} (${name}): an accepted request and its responses`, async () => {
      const path = '/merchant/api/payout_send';
      const request = payoutRequest({ merchant: 'M1', key: WIRE_KEY, method: number, payoutId: `doc-${number}` });
      assertFits(request, named('PayoutRequest'), 'the request');
      const accepted = await post(wire.url + path, request);
      assert.notEqual((accepted.json as Record<string, string>)['status'], 'Error', accepted.text);
      assertFits(accepted.json, responseOf(path, accepted.status), 'the answer');
      for (const wrong of [
        { ...request, amount: '0' },
        { ...request, sign: 'wrong' },
        [],
        { ...request, account: 7 },
      ]) {
        const refused = await post(wire.url + path, wrong as Record<string, string>);
        assertFits(refused.json, named('PayoutError'), JSON.stringify(wrong));
        assertFits(refused.json, responseOf(path, refused.status), JSON.stringify(wrong));
      }
    });
  }

  test('the OpenAPI document requires exactly the payout fields that the gateway requires', async () => {
    for (const method of PAYOUT_METHODS) {
      const { required } = components.schemas[`Payout${method.number}`] as Schema;
      const mandatory = method.fields.filter((field) => field.mandatory).map((field) => field.name);
      assert.deepEqual([...required].sort(), ['merchant', 'method', 'payout_id', 'sign', ...mandatory].sort());
    }
  });

  test('the OpenAPI responses for status, balance and list match the gateway’s responses in each state of a payout', async () => {
    const key = [...wire.payouts.keys()][0];
    assert.ok(key);
    const { payoutId } = wire.payouts.get(key) ?? {};
    for (const state of PAYOUT_STATES) {
      const payout = wire.payouts.get(key);
      assert.ok(payout);
      const end = state === 'pending' ? null : WIRE_START;
      wire.payouts.set(key, {
        ...payout,
        state,
        blockedReason: state === 'blocked' ? 'expired' : null,
        finishedAt: end,
      });
      const list = {
        currency: 'EUR',
        order: '0',
        status: 'all',
        type: 'withdrawal',
        start_date: '2026-11-01',
        finish_date: '2026-12-01',
      };
      const requests = {
        '/merchant/api/payout_status': { payout_id: payoutId ?? '' },
        '/payment/balance': { currency: 'USD' },
        '/api/payment-list': list,
      };
      for (const [path, fields] of Object.entries(requests)) {
        const request = fullySigned({ merchant: 'M1', ...fields }, WIRE_KEY);
        assertFits(request, paths[path].post.requestBody.content['application/json'].schema, path);
        const answer = await post(wire.url + path, request);
        assert.ok(!answer.text.includes('Error'), answer.text);
        assertFits(answer.json, responseOf(path, answer.status), path);
      }
    }
  });
});

describe('the OpenAPI description of host-to-host deposits', () => {
  let wire: HostToHostWire;
  before(async () => {
    wire = await startHostToHostWire();
  });
  after(() => wire.stop());

  test('the OpenAPI example of a deposit is accepted, and each response matches its schema', async () => {
    const { requestBody, responses } = paths['/api/v2/spei/host2host/create'].post;
    const { example } = requestBody.content['application/json'];
    const created = await wire.send(example);
    assertFits(created.json, named('DepositReply'), created.text);
    for (const wrong of [
      example,
      { ...example, amount: '0' },
      { ...example, order: 'N18', currency: 'EUR' },
      'no json',
    ]) {
      const refused = await wire.send(wrong);
      assertFits(refused.json, named('DepositFailure'), refused.text);
      const response = responses[refused.status] ?? responses['4XX'];
      assertFits(refused.json, response.content['application/json'].schema, refused.text);
    }
  });
});

describe('the OpenAPI description of callbacks', () => {
  test('the OpenAPI document lists exactly the events of the merchants’ page', () => {
    const page = readFileSync(join(ROOT, 'docs/merchant/callbacks.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `((?:payout|deposit)\.[a-z_]+)` \|/gm)].map(([, type]) => type);
    assert.deepEqual(
      Object.keys(webhooks).filter((name) => name.includes('.')),
      rows,
    );
  });
});

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

describe('the OpenAPI description of the bank list', () => {
  test('the OpenAPI document describes the path of the bank list and each of its status codes', async () => {
    assert.ok(described);
    const codes = [];
    for (const query of ['?country=DE', '?country=Germany'])
      codes.push((await app.inject(BANK_LIST_PATH + query)).statusCode);
    assert.deepEqual(codes, [200, 400]);
    for (const code of codes) assert.ok(described.responses[code], String(code));
  });

  test('the OpenAPI schemas of the bank list match a list, its headers and an error', async () => {
    const { headers, ...answer } = await app.inject(BANK_LIST_PATH);
    assertFits(answer.json(), named('BankList'), 'the list');
    assert.match(String(headers['etag']), new RegExp(components.headers.ETag.schema.pattern));
    const said = described.responses['200'].headers;
    assert.equal(headers['cache-control'], said['Cache-Control'].schema.const);
    assert.equal(headers['vary'], said.Vary.schema.const);
    assertFits((await app.inject(`${BANK_LIST_PATH}?country=`)).json(), named('PayoutError'), 'an error');
  });

  test('the OpenAPI examples of the bank list equal the gateway’s responses', async () => {
    banks = banks.slice(0, 1);
    const { content } = described.responses['200'];
    assert.deepEqual((await app.inject(BANK_LIST_PATH)).json(), content['application/json'].example);
    const csv = await app.inject({ url: BANK_LIST_PATH, headers: { accept: 'text/csv' } });
    assert.equal(csv.body, content['text/csv'].example);
  });

  test('the commands of bank-list.md work', async () => {
    banks = banks.slice(0, 1);
    const page = readPage('docs/merchant/bank-list.md');
    const { body } = await app.inject(`${BANK_LIST_PATH}?country=DE`);
    assert.deepEqual(JSON.parse(body), jsonOf(page)[0]);
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const commands = codeBlocks(page).filter(({ language }) => language === 'sh');
    const run = async (text: string) =>
      (await promisify(execFile)('sh', ['-c', text.replace('{base_url}', url)])).stdout;
    const [asJson = '', asCsv = '', revalidate = ''] = commands.map(({ text }) => text);
    assert.equal(await run(asJson), body);
    assert.equal(await run(asCsv), (await app.inject({ url: BANK_LIST_PATH, headers: { accept: 'text/csv' } })).body);
    assert.equal((await run(revalidate)).trim(), '200');
    const known = String((await app.inject(BANK_LIST_PATH)).headers['etag']);
    assert.equal((await run(revalidate.replace('"…"', known))).trim(), '304');
  });
});

/** A valid value for each form parameter that has a pattern. */
const TAKEN: Readonly<Partial<Record<FormField, string>>> = {
  ...FORM_REQUEST,
  user_id: 'u-1',
  phone: '+14165550123',
  post_code: 'K1A 0B1',
  bank_id: 'ob-modelo_1',
  cpf: '11144477735',
};

describe('the OpenAPI description of the form', () => {
  test('the OpenAPI document describes the form with GET and POST', () => {
    assert.deepEqual(Object.keys(paths[FORM_PATH]), ['get', 'post']);
  });

  test('the OpenAPI form parameters have the names, mandatory flags and lengths of the form’s table', () => {
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

  test('the OpenAPI patterns match a request that the form accepts', () => {
    for (const [name, text] of Object.entries(TAKEN)) {
      const { pattern = '' } = FormRequest?.properties[name] ?? {};
      assert.equal(fieldFault(name as FormField, text, merchantNamed('M1').settings), undefined, name);
      assert.match(text, new RegExp(pattern, 'u'), name);
    }
  });
});
