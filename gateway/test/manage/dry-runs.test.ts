/** Dry runs over the management API: they show the effect of an action and change nothing. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { type Endpoint, isAct } from '../../contract/parts/endpoint.ts';
import { type RunningGateway, startGateway } from '../support/gateway/running-gateway.ts';
import { type ManageClient, manageClient, rehearse } from '../support/people/manage-client.ts';

let gateway: RunningGateway;
let client: ManageClient;
before(async () => {
  gateway = await startGateway();
  client = await manageClient(gateway);
});
after(() => gateway.verifyAndStop());

const TABLES = ['ledger_transfers', 'audit_entries', 'act_answers', 'merchants', 'merchant_keys', 'invitations'];

/** Returns the row counts of all tables to which these actions write. */
async function rows(): Promise<string> {
  const counts = TABLES.map((table) => `(select count(*) from ${table})`).join(` || '/' || `);
  return (await gateway.database.pool.query<{ counts: string }>(`select ${counts} as counts`)).rows[0]?.counts ?? '';
}

async function unchanged<Value>(act: () => Promise<Value>): Promise<Value> {
  const before = await rows();
  const value = await act();
  assert.equal(await rows(), before);
  return value;
}

describe('a dry run', () => {
  it('only the endpoints with `rehearsal` accept dryRun', () => {
    for (const [name, endpoint] of Object.entries(ENDPOINTS) as [string, Endpoint][]) {
      assert.equal(Object.hasOwn(endpoint.query.properties, 'dryRun'), endpoint.rehearsal !== undefined, name);
      if (endpoint.rehearsal) assert.ok(isAct(endpoint), name);
    }
  });

  it('a dry run of a credit shows its posting and the balances after it, and does not post anything', async () => {
    const { id: merchantId } = await gateway.merchant({ funds: { EUR: '5.00' } });
    const body = { amount: '10.00', currency: 'EUR', reference: 'rehearsed', reason: 'opening' };
    const credit = () => rehearse(client, 'funds.credit', { params: { merchantId }, body });
    const first = await unchanged(credit);
    assert.deepEqual(first, {
      possible: true,
      problem: null,
      change: null,
      postings: [
        {
          merchantId,
          kind: 'funding',
          debit: 'operator_funding',
          credit: 'available',
          amount: '10.00',
          currency: 'EUR',
        },
      ],
      balances: [{ merchantId, currency: 'EUR', available: '15.00', reserved: '0.00', owed: '0.00' }],
    });
    assert.deepEqual(await unchanged(credit), first);
    (await client.call('funds.credit', { params: { merchantId }, body })).value();
    assert.deepEqual((await unchanged(credit)).postings, []);
  });

  it('a dry run of a debit above the balance shows the problem of the action', async () => {
    const { id: merchantId } = await gateway.merchant({ funds: { EUR: '5.00' } });
    const body = { amount: '5.01', currency: 'EUR', reference: 'too-much', reason: 'closing' };
    const { possible, problem, postings } = await unchanged(() =>
      rehearse(client, 'funds.debit', { params: { merchantId }, body }),
    );
    assert.deepEqual([possible, problem?.status, problem?.field, postings], [false, 409, '/amount', []]);
    assert.match(problem?.detail ?? '', /^Only 5\.00 EUR are available/);
  });

  it('a dry run shows the change without a secret and does not send anything', async () => {
    const { id: merchantId } = await gateway.merchant();
    const key = 'a-secret-key-of-the-merchant-0123456789';
    const rotated = await unchanged(() => rehearse(client, 'keys.rotate', { params: { merchantId }, body: { key } }));
    assert.equal(rotated.possible, true);
    const created = await unchanged(() =>
      rehearse(client, 'merchants.create', { body: { merchantId: 'DRYRUN', key } }),
    );
    assert.equal(
      (created.change?.after as { merchantId: string } | undefined)?.merchantId,
      'DRYRUN',
      created.problem?.detail,
    );
    assert.ok(!JSON.stringify([rotated, created]).includes(key));
    const body = { email: 'dry@example.com', role: 'viewer', reason: 'joins us' };
    const invited = await unchanged(() => rehearse(client, 'invitations.create', { query: { merchantId }, body }));
    assert.ok(!JSON.stringify(invited).includes('#'), 'no link');
  });

  it('a dry run needs the permission of the action', async () => {
    const { id: merchantId } = await gateway.merchant();
    const reader = await manageClient(gateway, { scopes: ['merchants:read'] });
    const query = { dryRun: true };
    assert.equal((await reader.call('merchants.suspend', { params: { merchantId }, query })).status, 403);
  });
});
