/** Bad requests to the management API: each is rejected with a problem, and none starts an action. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { Compile } from 'typebox/compile';
import { ENDPOINT_NAMES, ENDPOINTS } from '../../contract/endpoints.ts';
import { Problem } from '../../contract/parts/answer-parts.ts';
import { BASE_PATH, type Endpoint, isWrite } from '../../contract/parts/endpoint.ts';
import { SCOPE_NAMES } from '../../contract/permissions.ts';
import { type RunningGateway, startGateway } from '../support/gateway/running-gateway.ts';
import { OF_NOTHING } from '../support/people/manage-client.ts';

let gateway: RunningGateway;
let token: string;
let merchantId: string;
before(async () => {
  gateway = await startGateway();
  merchantId = (await gateway.merchant()).id;
  const issued = await gateway.operations.tokens.issue({
    name: 'bad input',
    merchantId: null,
    scopes: SCOPE_NAMES,
    days: 1,
  });
  assert.ok(issued.ok);
  token = issued.value.secret.reveal();
});
after(() => gateway.verifyAndStop());

const isProblem = Compile(Problem);

interface BadRequest {
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly search?: string;
}

async function send({ method, path }: Endpoint, { body, headers = {}, search = '' }: BadRequest) {
  const named = path.replace(/\{(\w+)\}/g, (_, name: string) => ({ ...OF_NOTHING, merchantId })[name] ?? '');
  const answer = await fetch(`${gateway.manageUrl}${BASE_PATH}${named}${search}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'idempotency-key': randomUUID(),
      'content-type': 'application/json',
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.text();
  assert.ok(answer.status >= 400 && answer.status < 500, `${answer.status} ${text}`);
  assert.ok(isProblem.Check(JSON.parse(text)), text);
  return JSON.parse(text) as Problem;
}

/** A problem names the first fault, and missing fields come before unknown fields. */
function mandatory({ query }: Endpoint): [string, string][] {
  return (query.required ?? []).map((field: string) => [field, 'x']);
}

async function actsBegun(): Promise<number> {
  const { rows } = await gateway.database.pool.query('select count(*)::int as count from audit_entries');
  return rows[0].count;
}

const bytes = (...parts: number[]) => new Uint8Array(parts);

const UNREADABLE: readonly [string, string | Uint8Array<ArrayBuffer>][] = [
  ['text that is not JSON', 'name=x'],
  ['an array', '[]'],
  ['a number', '1'],
  ['null', 'null'],
  ['bytes after the document', '{}x'],
  ['two documents', '{}{}'],
  ['a repeated key', '{"name":"a","name":"b"}'],
  ['__proto__', '{"__proto__":{"admin":true}}'],
  ['a NUL', '{"name":"a\\u0000b"}'],
  ['a lone surrogate', '{"name":"\\ud800"}'],
  ['a byte order mark', '\uFEFF{}'],
  ['invalid UTF-8', bytes(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d)],
  ['a depth of 10,000', '{"a":'.repeat(10_000)],
  ['a megabyte', `{"name":"${'x'.repeat(1_000_000)}"}`],
];

const WRONG: readonly [string, string][] = [
  ['an unknown field', '{"nobodyKnowsThis":1}'],
  ['values of other types', '{"name":1,"amount":10,"currency":null,"scopes":"all","purpose":[],"reason":{}}'],
  ['empty texts', '{"name":"","amount":"","currency":"","reference":"","reason":" ","purpose":""}'],
];

describe('a bad request to the management API', () => {
  it('the management API rejects a query parameter whose value is not of its type', async () => {
    for (const search of [
      'limit=true',
      'limit=1e1',
      'limit=5.0',
      'limit=%205',
      'limit=1&limit=2',
      'transactionId=true',
    ])
      assert.match(
        (await send(ENDPOINTS['payouts.list'], { search: `?${search}` })).detail,
        /^(limit|transactionId) must/,
      );
    for (const dryRun of ['1', 'TRUE', 'yes', ''])
      assert.match(
        (await send(ENDPOINTS['merchants.create'], { search: `?dryRun=${dryRun}`, body: '{}' })).detail,
        /^dryRun must/,
      );
  });

  for (const name of ENDPOINT_NAMES) {
    const endpoint: Endpoint = ENDPOINTS[name];
    if (!isWrite(endpoint) || endpoint.audience === 'person') continue;

    it(`${name} rejects every malformed body, and does not begin an action`, async () => {
      const before = await actsBegun();
      // All endpoints share one parser, so the core run sends one bad body to each endpoint, and every bad body to one
      // endpoint.
      const isWhole = process.env['TEST_FULL'] || name === 'merchants.create';
      const unreadable = isWhole ? UNREADABLE : UNREADABLE.slice(0, 1);
      for (const [, body] of [...unreadable, ...WRONG]) await send(endpoint, { body });
      assert.equal(await actsBegun(), before);
    });
  }

  for (const name of ENDPOINT_NAMES) {
    const endpoint: Endpoint = ENDPOINTS[name];
    const { audience, permission } = endpoint;
    if (audience === 'person' || permission === null || !SCOPE_NAMES.includes(permission)) continue;

    it(`${name} rejects an unknown query parameter`, async () => {
      const problem = await send(endpoint, {
        search: `?${new URLSearchParams([...mandatory(endpoint), ['nobodyKnowsThis', '1']])}`,
        ...(isWrite(endpoint) ? { body: '{}' } : {}),
      });
      assert.match(problem.detail, /nobodyKnowsThis is not a field/);
    });
  }

  const create: Endpoint = ENDPOINTS['merchants.create'];

  it('the management API rejects a body that is not JSON, and a compressed body', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml'])
      assert.match((await send(create, { body: '{}', headers: { 'content-type': type } })).type, /#unsupported-type$/);
    const problem = await send(create, { body: '{}', headers: { 'content-encoding': 'gzip' } });
    assert.match(problem.type, /#unsupported-type$/);
  });

  it('a problem of the management API names the invalid field and how to correct it', async () => {
    const of = async (endpoint: Endpoint, body: object) => {
      const { field, detail } = await send(endpoint, { body: JSON.stringify(body) });
      return [field, detail];
    };
    const credit: Endpoint = ENDPOINTS['funds.credit'];
    const funding = { amount: '1.00', currency: 'EUR', reference: 'r', reason: 'x' };
    assert.deepEqual(await of(credit, { ...funding, currency: undefined }), ['/currency', 'currency is missing.']);
    assert.deepEqual(await of(credit, { ...funding, note: 'x' }), ['/note', 'note is not a field of this endpoint.']);
    const amount = ['/amount', 'amount must be above zero, with the decimals of EUR.'];
    for (const bad of ['0', '0.00', '1.001', '-1'])
      assert.deepEqual(await of(credit, { ...funding, amount: bad }), amount);
    for (const bad of ['1e3', '+1', '1,00', ' 1', '１', '1'.repeat(400)])
      assert.equal((await of(credit, { ...funding, amount: bad }))[0], '/amount', bad);
    assert.deepEqual(await of(credit, { ...funding, currency: 'XXX' }), [
      '/currency',
      'currency XXX is not supported.',
    ]);
    assert.deepEqual(await of(create, { merchantId: 'a/b' }), [
      '/merchantId',
      'merchantId must match ^[A-Za-z0-9._-]{1,64}$.',
    ]);
  });

  it('the management API returns a problem for an unknown path or method', async () => {
    for (const [method, path] of [
      ['GET', `${BASE_PATH}/nothing`],
      ['GET', '/elsewhere'],
      ['GET', '/payment/form'],
      ['DELETE', `${BASE_PATH}/merchants`],
    ] as const) {
      const answer = await fetch(gateway.manageUrl + path, { method, headers: { authorization: `Bearer ${token}` } });
      assert.ok(isProblem.Check(await answer.json()), path);
      assert.ok([404, 405].includes(answer.status));
    }
  });

  it('the management API rejects a cursor that no page returned', async () => {
    for (const after of ['x', 'W10', Buffer.from('[1,2,3]').toString('base64url')])
      assert.equal((await send(ENDPOINTS['audit.list'], { search: `?after=${after}` })).field, 'after');
  });
});
