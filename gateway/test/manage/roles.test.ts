/**
 * Every endpoint with every role, and with tokens. The roles table defines the expected responses. A second table, written by
 * hand, defines them for dangerous actions, so that an error in the roles table also fails. Each request contains an unknown
 * field: a permitted caller gets a problem about that field, and the action does not run.
 */
import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { BASE_PATH, type Endpoint, isAct, isWrite, permissionsOf } from '../../contract/parts/endpoint.ts';
import { MERCHANT_ROLES, OPERATOR_ROLES, PERMISSION_NAMES, roleOf, SCOPE_NAMES } from '../../contract/permissions.ts';
import { STREAMS } from '../../contract/streams.ts';
import { ORIGIN, type RunningGateway, startGateway } from '../support/gateway/running-gateway.ts';
import { OF_NOTHING } from '../support/people/manage-client.ts';
import { sendRequest } from '../support/tools/send-request.ts';
import { DANGEROUS } from './dangerous-acts.ts';

type Verdict = 'allowed' | 'refused' | 'invisible';
type Headers = Readonly<Record<string, string>>;

const ALL: Readonly<Record<string, Endpoint>> = { ...ENDPOINTS, ...STREAMS };
const NAMES = Object.keys(ALL).filter((name) => ALL[name]?.audience !== 'anyone');

let gateway: RunningGateway;
let own: string;
let other: string;
before(async () => {
  gateway = await startGateway();
  own = (await gateway.merchant({ funds: {} })).id;
  other = (await gateway.merchant({ funds: {} })).id;
});
after(() => gateway.verifyAndStop());

const hashOf = (text: string) => createHash('sha256').update(text).digest();

/** Creates a signed-in user in the database, because other tests cover signing in. */
async function sessionOf(merchantId: string | null, role: string, way = 'passkey'): Promise<Headers> {
  const token = randomBytes(32).toString('base64url');
  const personId = randomUUID();
  const { pool } = gateway.database;
  await pool.query(`insert into people values ($1, $2, 'a test', now())`, [personId, `${personId}@example.com`]);
  await pool.query('insert into memberships values ($1, $2, $3, now())', [personId, merchantId, role]);
  await pool.query(`insert into sessions values ($1, $2, $2, $3, $4, '127.0.0.1', '', now(), now())`, [
    hashOf(token),
    personId,
    merchantId,
    way,
  ]);
  const page = { 'x-gateway-client': 'test', origin: ORIGIN, 'sec-fetch-site': 'same-origin' };
  return { cookie: `__Host-gateway-session=${token}`, ...page };
}

/** Creates a token with any scopes, even those that no command grants. */
async function tokenOf(merchantId: string | null, scopes: readonly string[]): Promise<Headers> {
  const issued = await gateway.operations.tokens.issue({ name: 't', merchantId, scopes, days: 1 });
  assert.ok(issued.ok);
  return { authorization: `Bearer ${issued.value.secret.reveal()}` };
}

async function ask(name: string, headers: Headers, merchantId = own): Promise<Verdict | string> {
  const endpoint = ALL[name] as Endpoint;
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, part) => ({ ...OF_NOTHING, merchantId })[part as string] ?? '');
  const search = `?nobodyKnowsThis=1${merchantId === own ? '' : `&merchantId=${merchantId}`}`;
  const { status, text } = await sendRequest(`${gateway.manageUrl}${BASE_PATH}${path}${search}`, {
    method: endpoint.method,
    headers: { ...headers, ...(isWrite(endpoint) ? { 'idempotency-key': randomUUID() } : {}) },
  });
  const { type, detail } = JSON.parse(text) as { readonly type: string; readonly detail: string };
  if (status === 400 && detail.includes('nobodyKnowsThis')) return 'allowed';
  if (status === 403 && type.endsWith('#forbidden')) return 'refused';
  if (status === 404 && type.endsWith('#not-found')) return 'invisible';
  return `${status} ${detail}`;
}

function expected(name: string, merchantId: string | null, permissions: readonly string[], isPerson: boolean): Verdict {
  const endpoint = ALL[name] as Endpoint;
  const { audience } = endpoint;
  const accepted = permissionsOf(endpoint);
  if (audience === 'person') return isPerson ? 'allowed' : 'invisible';
  if (audience === 'operator' && merchantId !== null) return 'invisible';
  return accepted.length === 0 || accepted.some((each) => permissions.includes(each)) ? 'allowed' : 'refused';
}

/** Returns the session of an operator user who views a merchant's pages. */
async function viewing(role: string): Promise<Headers> {
  const headers = await sessionOf(null, role);
  const hash = hashOf(/=(.+)$/.exec(headers['cookie'] ?? '')?.[1] ?? '');
  await gateway.database.pool.query('update sessions set viewed_merchant_id = $2 where token_hash = $1', [hash, own]);
  return headers;
}

async function compare(headers: Headers, verdictOf: (name: string) => Verdict, names = NAMES): Promise<void> {
  const wanted = Object.fromEntries(names.map((name) => [name, verdictOf(name)]));
  const seen: Record<string, string> = {};
  for (const name of names) seen[name] = await ask(name, headers);
  assert.deepEqual(seen, wanted);
}

async function countActs(): Promise<number> {
  const { rows } = await gateway.database.pool.query('select count(*)::int as count from audit_entries');
  return rows[0].count;
}

const ROLES: readonly [boolean, string][] = [
  ...Object.keys(OPERATOR_ROLES).map((role) => [true, role] as [boolean, string]),
  ...Object.keys(MERCHANT_ROLES).map((role) => [false, role] as [boolean, string]),
];

describe('the roles of the management API', () => {
  for (const [isOperator, role] of ROLES) {
    it(`every endpoint responds to ${isOperator ? 'the operator’s' : 'a merchant’s'} ${role} as the roles table says`, async () => {
      const merchantId = isOperator ? null : own;
      const headers = await sessionOf(merchantId, role);
      const acts = await countActs();
      const permissions = roleOf(merchantId, role)?.permissions ?? [];
      await compare(headers, (name) => expected(name, merchantId, permissions, true));
      assert.equal(await countActs(), acts);
    });

    it(`the ${isOperator ? 'operator’s' : 'merchant’s'} ${role} may perform exactly the dangerous actions of the hand-written table`, async () => {
      const headers = await sessionOf(isOperator ? null : own, role);
      for (const [name, [operators, merchants]] of Object.entries(DANGEROUS)) {
        const may: readonly string[] = isOperator ? operators : merchants;
        const verdict = await ask(name, headers);
        const refused = isOperator || merchants.length > 0 ? ['refused'] : ['invisible', 'refused'];
        assert.ok(may.includes(role) ? verdict === 'allowed' : refused.includes(verdict), `${name}: ${verdict}`);
      }
    });
  }

  it('another merchant’s objects are invisible to every role of a merchant', async () => {
    const names = NAMES.filter((name) => {
      const { audience, path, query } = ALL[name] as Endpoint;
      return audience === 'own' && (path.includes('{merchantId}') || Object.hasOwn(query.properties, 'merchantId'));
    });
    assert.ok(names.length > 20);
    for (const role of Object.keys(MERCHANT_ROLES)) {
      const headers = await sessionOf(own, role);
      for (const name of names) assert.equal(await ask(name, headers, other), 'invisible', `${role} ${name}`);
    }
  });

  it('a user without a valid role may not act on other users', async () => {
    for (const merchantId of [null, own])
      for (const headers of [
        await sessionOf(merchantId, merchantId === null ? 'administrator' : 'owner', 'recovery'),
        await sessionOf(merchantId, 'constructor'),
      ])
        await compare(headers, (name) => expected(name, merchantId, [], true));
    const headers = await sessionOf(own, 'owner');
    await gateway.database.pool.query(`delete from memberships where merchant_id = $1 and role = 'owner'`, [own]);
    assert.match(await ask('merchants.show', headers), /^401/);
  });

  it('an operator user who views a merchant reads only what both may read and cannot change anything', async () => {
    const ofOwner: readonly string[] = MERCHANT_ROLES.owner.permissions;
    for (const role of ['administrator', 'support'] as const) {
      const shared = OPERATOR_ROLES[role].permissions.filter(
        (name) => name.endsWith(':read') && ofOwner.includes(name),
      );
      await compare(await viewing(role), (name) => {
        const { whileViewing = false, ...endpoint } = ALL[name] as Endpoint;
        const verdict = expected(name, own, shared, true);
        return verdict === 'allowed' && isAct(endpoint) && !whileViewing ? 'refused' : verdict;
      });
    }
    const headers = await viewing('administrator');
    for (const name of ['merchants.show', 'payouts.list'])
      assert.equal(await ask(name, headers, other), 'invisible', name);
  });

  it('a role gives permissions only at its own team, the operator or the merchant', async () => {
    const verdictOf = (merchantId: string | null) => (name: string) => expected(name, merchantId, [], true);
    await compare(await sessionOf(own, 'administrator'), verdictOf(own));
    await compare(await sessionOf(null, 'owner'), verdictOf(null));
  });
});

describe('the tokens of the management API', () => {
  const scopes = process.env['TEST_FULL'] ? SCOPE_NAMES : SCOPE_NAMES.filter((_, index) => index % 5 === 0);
  for (const scope of scopes)
    it(`a token with the single scope ${scope} can perform only the actions of that scope`, async () => {
      for (const merchantId of [null, own])
        await compare(await tokenOf(merchantId, [scope]), (name) => expected(name, merchantId, [scope], false));
    });

  it('a token with every scope may do everything except approvals and actions that only users may perform', async () => {
    for (const merchantId of [null, own])
      await compare(await tokenOf(merchantId, SCOPE_NAMES), (name) => expected(name, merchantId, SCOPE_NAMES, false));
  });

  it('a token cannot approve, even with a scope that no command grants', async () => {
    assert.ok(!SCOPE_NAMES.some((name) => name.endsWith(':approve')));
    const headers = await tokenOf(own, PERMISSION_NAMES);
    for (const name of NAMES.filter((each) => ALL[each]?.permission?.endsWith(':approve')))
      assert.notEqual(await ask(name, headers), 'allowed', name);
  });
});
