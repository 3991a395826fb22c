/** Tests the entire management API with random requests that are generated only from openapi/manage.json. */
import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import fc from 'fast-check';
import { SCOPE_NAMES } from '../../contract/permissions.ts';
import { ORIGIN, type RunningGateway, startGateway } from '../support/gateway/running-gateway.ts';
import {
  broken,
  hasUnclean,
  type Known,
  type Operation,
  readOperations,
  STRANGE,
  UNKNOWN_FIELD,
  valuesOf,
} from '../support/people/described-api.ts';

const IS_FULL = process.env['TEST_FULL'] !== undefined;
/** The core run always generates the same requests, a full run new ones. */
const ROUNDS = IS_FULL ? 100 : 1;
const OPERATIONS = readOperations(new URL('../../../openapi/manage.json', import.meta.url));
const PROBLEM = 'application/problem+json';

let gateway: RunningGateway;
let known: Known;
type Headers = Readonly<Record<string, string>>;
let callers: readonly (() => Promise<Headers>)[];
before(async () => {
  gateway = await startGateway();
  const merchant = await gateway.merchant();
  for (const [id, amount] of [
    ['F1', '10.00'],
    ['F2', '10.51'],
  ] as const)
    await merchant.pay(1, id, { amount });
  for (const id of ['F1', 'F2']) await merchant.final(id);
  const { rows: callbacks } = await gateway.database.pool.query('select callback_id from callbacks');
  known = {
    merchantId: [merchant.id],
    payoutId: ['F1', 'F2'],
    rail: (await gateway.operations.rails.list()).map(({ name }) => name),
    method: [1, 9],
    currency: ['UAH', 'EUR', 'JPY', 'XXX'],
    amount: ['1.00', '0', '-1', '99999999999999999999.999'],
    from: ['2026-11-01T00:00:00Z'],
    until: ['2026-11-23T00:00:00Z', '2026-11-02T00:00:00Z'],
    callbackId: callbacks.map(({ callback_id }) => callback_id),
    subjectId: ['F1'],
    state: ['success'],
    scope: ['rail', 'merchant', 'all'],
    target: [merchant.id, 'all'],
    day: ['2026-11-20'],
    dryRun: [true],
    setting: ['approval_hours', 'approval_above.EUR', 'key_overlap_hours'],
    settingValue: ['1', '0', '-1', 'x', '99999999999999'],
  };
  const tokens = [await bearer(null), await bearer(merchant.id)];
  callers = [
    ...tokens.map((token) => async () => token),
    // One session per request, because a request may end its session.
    () => session(null, 'administrator'),
    () => session(merchant.id, 'owner'),
    async () => ({ 'x-gateway-client': 'test' }),
  ];
});
after(() => gateway.verifyAndStop());

async function bearer(merchantId: string | null): Promise<Headers> {
  const issued = await gateway.operations.tokens.issue({ name: 'f', merchantId, scopes: SCOPE_NAMES, days: 1 });
  assert.ok(issued.ok);
  return { authorization: `Bearer ${issued.value.secret.reveal()}` };
}

async function session(merchantId: string | null, role: string): Promise<Headers> {
  const token = randomBytes(32).toString('base64url');
  const id = randomUUID();
  const { pool } = gateway.database;
  await pool.query(`insert into people values ($1, $2, 'f', now())`, [id, `${id}@example.com`]);
  await pool.query('insert into memberships values ($1, $2, $3, now())', [id, merchantId, role]);
  const hash = createHash('sha256').update(token).digest();
  await pool.query(`insert into sessions values ($1, $2, $2, $3, 'passkey', '127.0.0.1', '', now(), now())`, [
    hash,
    id,
    merchantId,
  ]);
  return { cookie: `__Host-gateway-session=${token}`, 'x-gateway-client': 'test', origin: ORIGIN };
}

/** Returns indexes of callers: the tokens of the operator and the merchant, a user of each, and no one. */
function callersOf({ audience }: Operation): readonly number[] {
  if (audience === 'anyone') return [4];
  return audience === 'person' ? [2, 3] : [0, 0, 0, 0, 1, 1, 2, 3, 4];
}

interface Drawn {
  readonly operation: Operation;
  readonly caller: number;
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly contentType: string;
  readonly ifMatch: string;
}

function requestsOf(operation: Operation): fc.Arbitrary<Drawn> {
  const of = (where: string) => {
    const parameters = operation.parameters.filter((each) => each.in === where);
    const fields = parameters.map(({ name, schema }) => [name, valuesOf(schema, known, name)] as const);
    const [needed, others] = [true, false].map((is) => parameters.filter(({ required }) => required === is));
    const all = fc.record(Object.fromEntries(fields));
    const kept = fc.subarray(
      (others ?? []).map(({ name }) => name),
      { maxLength: Math.min(3, (others ?? []).length) },
    );
    return fc.tuple(all, kept).map(([values, names]) => {
      const wanted = [...(needed ?? []).map(({ name }) => name), ...names];
      return Object.fromEntries(wanted.map((name) => [name, values[name]]));
    });
  };
  const sometimes = <Value>(fitting: fc.Arbitrary<Value>) =>
    fc.oneof({ weight: 5, arbitrary: fitting }, { weight: 1, arbitrary: broken(fitting) as fc.Arbitrary<Value> });
  const body = operation.body ? sometimes(valuesOf(operation.body, known)) : fc.constantFrom(undefined, undefined, {});
  return fc.record({
    operation: fc.constant(operation),
    caller: fc.constantFrom(...callersOf(operation)),
    path: sometimesStrangePath(of('path')),
    query: sometimes(of('query')) as fc.Arbitrary<Drawn['query']>,
    body,
    contentType: fc.oneof(
      { weight: 9, arbitrary: fc.constant('application/json') },
      fc.constantFrom('text/plain', 'application/xml', 'multipart/form-data', '', 'x'),
    ),
    ifMatch: fc.constantFrom('"1"', '"0"', '"x"', 'W/"1"', '*'),
  }) as fc.Arbitrary<Drawn>;
}

function sometimesStrangePath(path: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<Record<string, unknown>> {
  const strange = fc.tuple(path, fc.constantFrom(...STRANGE.filter((each) => typeof each === 'string')), fc.nat());
  const changed = strange.map(([parts, text, place]) => {
    const names = Object.keys(parts);
    const name = names[place % Math.max(1, names.length)];
    return name === undefined ? parts : { ...parts, [name]: text };
  });
  return fc.oneof({ weight: 5, arbitrary: path }, { weight: 1, arbitrary: changed });
}

/** A URL cannot contain lone surrogates: they become U+FFFD, as in a browser. */
const inAddress = (value: unknown) => encodeURIComponent(textOf(value).toWellFormed());
const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

const jsonOf = (body: unknown) => JSON.stringify(body);

async function check(drawn: Drawn): Promise<void> {
  const { operation, query, body } = drawn;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => inAddress(drawn.path[name as string]) || '%20');
  const search = Object.entries(query ?? {}).map(([name, value]) => `${inAddress(name)}=${inAddress(value)}`);
  const sent = body === undefined ? undefined : jsonOf(body);
  const response = await fetch(`${gateway.manageUrl}${path}?${search.join('&')}`, {
    method: operation.method,
    headers: {
      ...(await callers[drawn.caller]?.()),
      'idempotency-key': randomUUID(),
      'if-match': drawn.ifMatch,
      ...(sent === undefined ? {} : { 'content-type': drawn.contentType }),
    },
    ...(sent === undefined || operation.method === 'GET' ? {} : { body: sent }),
    signal: AbortSignal.timeout(20_000),
  });
  const type = response.headers.get('content-type') ?? '';
  if (response.ok && type.startsWith('text/event-stream')) return response.body?.cancel();
  const text = await response.text();
  const shown = `${operation.name} ${operation.method} ${path}?${search.join('&')} ${sent?.slice(0, 500)}: ${response.status} ${text.slice(0, 500)}`;
  assert.ok(response.status < 500, shown);
  const validate = operation.validatorOf(response.ok ? response.status : '4XX', type);
  assert.ok(validate, `no schema for ${type}: ${shown}`);
  if (type.includes('json')) assert.ok(validate(JSON.parse(text)), `${JSON.stringify(validate.errors)} ${shown}`);
  if (!response.ok) assert.ok(type.startsWith(PROBLEM), shown);
  else assertFits(drawn, shown);
  const isAct = operation.parameters.some(({ name }) => name === 'Idempotency-Key');
  const isDry = query !== undefined && String(query['dryRun']) === 'true';
  if (response.ok && isAct && !isDry) done.set(response.headers.get('x-request-id') ?? '', operation.name);
}

/** The successful actions, by their request. */
const done = new Map<string, string>();

/**
 * Returns the names of actions without audit entries of a user or a token: one before the action, if it has an object, and one
 * after it.
 */
async function unrecordedActs(): Promise<string[]> {
  const { rows } = await gateway.database.pool.query(
    `select distinct request_id from audit_entries
     where request_id = any($1) and actor_kind in ('person', 'token') and actor_name <> '' and phase = 'done'`,
    [[...done.keys()]],
  );
  const recorded = new Set(rows.map(({ request_id }) => request_id));
  return [...done].filter(([id]) => !recorded.has(id)).map(([, name]) => name);
}

/** Asserts, after a successful response, that the document allows the request. */
function assertFits({ operation, path, query, body, contentType }: Drawn, shown: string): void {
  const texts = Object.values(path ?? {}).map((part) => textOf(part).toWellFormed());
  assert.ok(!hasUnclean(texts) && !hasUnclean(body), `unclean: ${shown}`);
  assert.ok(!Object.hasOwn(query ?? {}, UNKNOWN_FIELD), `unknown field: ${shown}`);
  if (operation.method === 'GET' || !operation.fitsBody) return;
  assert.equal(contentType, 'application/json', shown);
  // Some numbers, such as -0 and 1e308, change when they are written as JSON.
  const read: unknown = body === undefined ? undefined : JSON.parse(jsonOf(body));
  assert.ok(operation.fitsBody(read), `${JSON.stringify(operation.fitsBody.errors)} ${shown}`);
}

it('every request to the management API has a response that its description allows', async (context) => {
  const seen = new Map<string, number>();
  const failures: string[] = [];
  for (let round = 0; round < ROUNDS; round++)
    for (const operation of OPERATIONS) {
      const property = fc.asyncProperty(requestsOf(operation), async (drawn) => {
        seen.set(operation.name, (seen.get(operation.name) ?? 0) + 1);
        await check(drawn);
      });
      const found = await fc.check(property, {
        numRuns: 4,
        endOnFailure: true,
        ...(IS_FULL ? {} : { seed: round }),
      });
      if (found.failed) failures.push(`seed ${found.seed}: ${(found.errorInstance as Error).message}`);
    }
  context.diagnostic(`${[...seen.values()].reduce((sum, count) => sum + count, 0)} requests`);
  assert.deepEqual([...failures], []);
  assert.equal(seen.size, OPERATIONS.length);
  assert.ok(new Set(done.values()).size >= 10, `too few actions succeeded: ${[...new Set(done.values())]}`);
  assert.deepEqual(await unrecordedActs(), []);
});
