/** Calls every endpoint with every kind of credential. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ENDPOINT_NAMES, ENDPOINTS } from '../../contract/endpoints.ts';
import { BASE_PATH, type Endpoint, permissionsOf } from '../../contract/parts/endpoint.ts';
import { PERMISSION_NAMES, SCOPE_NAMES } from '../../contract/permissions.ts';
import { type RunningGateway, startGateway } from '../support/gateway/running-gateway.ts';
import { clientWith, type ManageClient, manageClient, OF_NOTHING } from '../support/people/manage-client.ts';

let gateway: RunningGateway;
let other: string;
let ofMerchant: ManageClient;
before(async () => {
  gateway = await startGateway();
  other = (await gateway.merchant({ funds: {} })).id;
  ofMerchant = await manageClient(gateway, { merchantId: (await gateway.merchant({ funds: {} })).id });
});
after(() => gateway.verifyAndStop());

describe('the callers of the management API', () => {
  for (const name of ENDPOINT_NAMES) {
    const endpoint: Endpoint = ENDPOINTS[name];
    const { permission } = endpoint;
    if (endpoint.audience === 'anyone') continue;

    it(`${name} rejects a request without a credential or with an invalid token`, async () => {
      for (const token of [null, 'x', `gwt_live_${'a'.repeat(12)}_${'b'.repeat(43)}`]) {
        const refused = await clientWith(gateway.manageUrl, token).call(name, { params: OF_NOTHING });
        assert.equal(refused.status, 401);
        assert.equal(refused.headers.get('www-authenticate'), 'Bearer');
        assert.match(refused.problem().type, /#unauthenticated$/);
      }
    });

    if (permission === null) {
      it(`${name} returns 404 for a token`, async () => {
        const refused = await (await manageClient(gateway)).call(name, { params: OF_NOTHING });
        assert.deepEqual([refused.status, refused.problem().type], [404, '/manage/problems#not-found']);
      });
      continue;
    }

    it(`${name} rejects an operator’s token that lacks the permission`, async () => {
      const accepted = permissionsOf(endpoint);
      const scopes = PERMISSION_NAMES.filter((each) => !accepted.includes(each));
      const refused = await (await manageClient(gateway, { scopes })).call(name, { params: OF_NOTHING });
      assert.equal(refused.status, 403);
      assert.ok(refused.problem().detail.includes(permission));
    });

    it(`${name} does not show a merchant’s token the objects of other merchants`, async () => {
      const isListed = Object.hasOwn(endpoint.query.properties, 'merchantId');
      const query = isListed ? { merchantId: other } : {};
      const refused = await ofMerchant.call(name, { params: { ...OF_NOTHING, merchantId: other }, query });
      assert.deepEqual([refused.status, refused.problem().type], [404, '/manage/problems#not-found']);
    });
  }

  it('a merchant’s token reads its own merchant and its own audit log only', async () => {
    const { id } = await gateway.merchant();
    const client = await manageClient(gateway, { merchantId: id });
    assert.equal((await client.call('merchants.show', { params: { merchantId: id } })).value().merchantId, id);
    const rotated = await client.call('keys.rotate', { params: { merchantId: id }, body: {} });
    assert.equal(rotated.value().purpose, 'api');
    const { items } = (await client.call('audit.list')).value();
    assert.deepEqual([...new Set(items.map(({ merchantId }) => merchantId))], [id]);
  });

  it('a token in the query is not a credential', async () => {
    const issued = await gateway.operations.tokens.issue({
      name: 'q',
      merchantId: null,
      scopes: SCOPE_NAMES,
      days: 1,
    });
    assert.ok(issued.ok);
    const answer = await fetch(`${gateway.manageUrl}${BASE_PATH}/merchants?token=${issued.value.secret.reveal()}`);
    assert.equal(answer.status, 401);
  });

  it('a revoked token and an expired token are rejected immediately', async () => {
    const issued = await gateway.operations.tokens.issue({
      name: 'r',
      merchantId: null,
      scopes: SCOPE_NAMES,
      days: 1,
    });
    assert.ok(issued.ok);
    const { token, secret } = issued.value;
    const client = clientWith(gateway.manageUrl, secret.reveal());
    assert.equal((await client.call('merchants.list')).status, 200);
    await gateway.database.pool.query(`update api_tokens set expires_at = now() where token_id = $1`, [token.tokenId]);
    assert.equal((await client.call('merchants.list')).status, 401);
    await gateway.database.pool.query(
      `update api_tokens set expires_at = now() + interval '1 day' where token_id = $1`,
      [token.tokenId],
    );
    (await (await manageClient(gateway)).call('tokens.revoke', { params: { tokenId: token.tokenId } })).value();
    assert.equal((await client.call('merchants.list')).status, 401);
  });

  it('a token cannot give another token a permission that it lacks', async () => {
    const client = await manageClient(gateway, { scopes: ['tokens:write', 'payouts:read'] });
    const order = (scopes: string[]) => client.call('tokens.create', { body: { name: 'n', scopes } });
    assert.deepEqual((await order(['payouts:read'])).value().token.scopes, ['payouts:read']);
    assert.match((await order(['payouts:read', 'funds:write'])).problem().detail, /lacks funds:write/);
  });

  it('a token cannot take a name that histories use for a different kind of actor', async () => {
    const client = await manageClient(gateway, { scopes: ['tokens:write', 'payouts:read'] });
    for (const name of ['Gateway', 'operator', ' Merchant ', 'payer', 'ann@operator.example']) {
      const answer = await client.call('tokens.create', { body: { name, scopes: ['payouts:read'] } });
      assert.equal(answer.problem().field, '/name', name);
    }
  });
});
