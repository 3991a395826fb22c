/** Rails, routes, comparisons, recovery and the master key over the management API. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type RunningGateway, startGateway } from '../support/gateway/running-gateway.ts';
import { UNREACHABLE_PROVIDERS } from '../support/gateway/unreachable-providers.ts';
import { type ManageClient, manageClient, rehearse } from '../support/people/manage-client.ts';

let gateway: RunningGateway;
let client: ManageClient;
before(async () => {
  gateway = await startGateway();
  client = await manageClient(gateway);
});
after(() => gateway.verifyAndStop());

describe('rails and routes over the management API', () => {
  it('a route is stored under If-Match and rejected under an older ETag', async () => {
    const rail = (await client.call('rails.list')).value().items.find(({ methods }) => methods.length > 0);
    assert.ok(rail);
    const method = rail.methods[0] ?? 0;
    const params = { method, rail: rail.name };
    const etag = async () => (await client.call('routes.list')).headers.get('etag') ?? '';
    const first = await etag();
    const body = { rank: 2, costPercent: '1.25' };
    const checked = await rehearse(client, 'routes.set', { params, body, headers: { 'if-match': first } });
    const { rank, costPercent, min } = (checked.change?.after ?? {}) as Record<string, unknown>;
    assert.deepEqual([rank, costPercent, min], [2, '1.25', null]);
    assert.deepEqual((await client.call('routes.list')).value().items, []);
    assert.match((await client.call('routes.set', { params, body })).problem().type, /#if-match-missing$/);
    const set = (ifMatch: string) => client.call('routes.set', { params, body, headers: { 'if-match': ifMatch } });
    (await set(first)).value();
    assert.match((await set(first)).problem().type, /#changed-meanwhile$/);
    assert.equal((await client.call('routes.list')).value().items.length, 1);
    const removed = await client.call('routes.remove', { params, headers: { 'if-match': await etag() } });
    assert.equal(removed.value().removed, true);
    const unknown = await rehearse(client, 'routes.set', {
      params: { method, rail: 'moon' },
      body,
      headers: { 'if-match': first },
    });
    assert.match(unknown.problem?.detail ?? '', /^No rail is called "moon"/);
  });

  it('a replay reports the payouts that a draft of the routes would reject', async () => {
    const merchant = await gateway.merchant();
    for (const [id, amount] of [
      ['R-1', '10.00'],
      ['R-2', '90.00'],
    ] as const)
      await merchant.pay(1, id, { amount });
    const route = { method: 1, currency: null, merchantId: merchant.id, rail: 'wayforpay', rank: 1, weight: null };
    const draft = { ...route, min: null, max: '50.00', costFixed: '0.50', costPercent: '1' };
    const replay = (await client.call('routes.replay', { body: { days: 1, routes: [draft] } })).value();
    const none = { count: 0, amount: '0.00', cost: '0.00' };
    assert.deepEqual([replay.payouts, replay.isWhole], [2, true]);
    assert.deepEqual(
      replay.items.map(({ rail, now, draft: drafted }) => ({ rail, now, drafted })),
      [
        {
          rail: 'wayforpay',
          now: { count: 2, amount: '100.00', cost: '0.00' },
          drafted: { count: 1, amount: '10.00', cost: '0.60' },
        },
        { rail: null, now: none, drafted: { count: 1, amount: '90.00', cost: '0.00' } },
      ],
    );
    assert.match(replay.items[1]?.why ?? '', /not wayforpay: accepts amounts up to 50\.00/);
    assert.deepEqual((await client.call('routes.list')).value().items, []);
    for (const id of ['R-1', 'R-2']) await merchant.final(id);
  });

  it('the exchanges of an attempt are shown to the operator, masked without personal:read', async () => {
    const row = "'stp', 'P1', 'E1', 'send', 'declined', now(), 12, 'POST', '/payouts?name=Ana'";
    const bytes = `'{"amount":"1.00","name":"Ana"}', 422, '{"error":"closed"}', ''`;
    await gateway.database.pool.query(`insert into provider_exchanges values (${row}, ${bytes})`);
    const params = { rail: 'stp', reference: 'P1' };
    const shown = (await client.call('rails.exchanges', { params })).value().items;
    assert.deepEqual(
      shown.map(({ path, request, status, reply }) => [path, request, status, reply]),
      [['/payouts?name=Ana', '{"amount":"1.00","name":"Ana"}', 422, '{"error":"closed"}']],
    );
    const without = await manageClient(gateway, { scopes: ['payouts:read'] });
    const [masked] = (await without.call('rails.exchanges', { params })).value().items;
    assert.equal(masked?.request, '{"amount":"1.00","name":"A***"}');
    assert.equal(masked?.path, '/payouts?name=A***');
    assert.deepEqual(
      (await client.call('rails.exchanges', { params: { ...params, reference: 'P2' } })).value().items,
      [],
    );
  });

  it('the live test of a rail proves its address and credentials', async () => {
    const { items } = (await client.call('rails.setups')).value();
    const stateIn = (rail: string) => {
      const { isConnected = false, variables = [] } = items.find(({ name }) => name === rail) ?? {};
      return [isConnected, Object.fromEntries(variables.map(({ name, state }) => [name, state]))];
    };
    assert.deepEqual(stateIn('wayforpay'), [
      true,
      {
        WAYFORPAY_URL: 'set',
        WAYFORPAY_MERCHANT_ACCOUNT: 'default',
        WAYFORPAY_SECRET_KEY: 'default',
        WAYFORPAY_CONCURRENCY: 'default',
      },
    ]);
    const [isPixConnected, pix] = stateIn('pix') as [boolean, Record<string, string>];
    assert.deepEqual([isPixConnected, pix['PIX_URL'], pix['PIX_ALLOW_LIST']], [false, 'missing', 'default']);
    assert.ok(!JSON.stringify(items).includes(gateway.bank.url));
    const test = (rail: string) => client.call('rails.test', { params: { rail } });
    const results = (await test('wayforpay')).value().items.map(({ about, result }) => [about, result]);
    assert.deepEqual(results, [
      ['address', 'success'],
      ['credentials', 'success'],
    ]);
    for (const rail of ['pix', 'sandbox', 'moon']) assert.equal((await test(rail)).problem().status, 404, rail);
  });

  it('a live test reports that the provider refuses the credentials', async () => {
    const other = await startGateway({ variables: { WAYFORPAY_SECRET_KEY: 'another-key' } });
    try {
      const itsClient = await manageClient(other);
      const { items } = (await itsClient.call('rails.test', { params: { rail: 'wayforpay' } })).value();
      assert.deepEqual(
        items.map(({ about, result }) => [about, result]),
        [
          ['address', 'success'],
          ['credentials', 'failed'],
        ],
      );
      assert.ok(!JSON.stringify(items).includes('another-key'));
    } finally {
      await other.stop();
    }
  });

  it('a live test of each rail whose provider is unreachable reports its address as failed', async () => {
    const other = await startGateway({ withoutBank: true, variables: UNREACHABLE_PROVIDERS });
    try {
      const itsClient = await manageClient(other);
      const { items: setups } = (await itsClient.call('rails.setups')).value();
      const connected = setups.filter(({ isConnected }) => isConnected);
      assert.ok(connected.length >= 10);
      for (const { name: rail } of connected) {
        const { items } = (await itsClient.call('rails.test', { params: { rail } })).value();
        assert.ok(
          items.every(({ result }) => result !== 'success') && items.length > 0,
          `${rail}: ${JSON.stringify(items)}`,
        );
      }
    } finally {
      await other.stop();
    }
  });

  it('the hours and the threshold of a rail change, and the audit log has both values', async () => {
    const { items } = (await client.call('rails.list')).value();
    const rail = items.find(({ methods }) => methods.length > 0)?.name ?? '';
    const hours = 'Mon-Sun 00:00-24:00 UTC';
    (await client.call('rails.setHours', { params: { rail }, body: { hours } })).value();
    (
      await client.call('rails.setThreshold', { params: { rail, currency: 'EUR' }, body: { threshold: '500' } })
    ).value();
    const shown = (await client.call('rails.show', { params: { rail } })).value();
    assert.equal(shown.hours, hours);
    assert.deepEqual(
      shown.floats.map(({ currency, threshold }) => [currency, threshold]),
      [['EUR', '500.00']],
    );
    (await client.call('rails.setHours', { params: { rail }, body: { hours: null } })).value();
    const acts = (await client.call('audit.list', { query: { act: 'rails.setHours' } })).value().items;
    assert.deepEqual(acts[0]?.detail, { before: { hours }, after: { hours: null } });
    const wrong = await client.call('rails.setHours', { params: { rail }, body: { hours: 'sometimes' } });
    assert.equal(wrong.problem().field, '/hours');
  });
});

describe('comparisons and recovery over the management API', () => {
  it('an operator can query a payout’s status and compare a day immediately', async () => {
    const merchant = await gateway.merchant();
    await merchant.pay(1, 'ask-1', { amount: '10.00' });
    await merchant.final('ask-1');
    const params = { merchantId: merchant.id, payoutId: 'ask-1' };
    const asked = (await client.call('payouts.ask', { params, body: {} })).value();
    assert.equal(asked.payout.payoutId, 'ask-1');
    assert.deepEqual([asked.changed, asked.theirs.startsWith('executed')], [false, true]);
    const unknown = await client.call('payouts.ask', { params: { ...params, payoutId: 'NONE' }, body: {} });
    assert.equal(unknown.status, 404);
    const none = await client.call('reconciliation.compareDay', { params: { rail: 'moon', day: '2026-11-20' } });
    assert.match(none.problem().detail, /^"moon" has no records to compare/);
  });

  it('the list of compared days contains only compared days, each with its result', async () => {
    const day = new Date().toISOString().slice(0, 10);
    const days = { from: day, until: day };
    const compared = await client.call('reconciliation.compareDay', { params: { rail: 'wayforpay', day } });
    const { rail, listed, matched, settled, runAt } = compared.value();
    const open = compared.value().differences.length;
    const { items } = (await client.call('reconciliation.listDays', { query: days })).value();
    assert.deepEqual(
      items.filter((each) => each.rail === rail),
      [{ rail, day, runAt, listed, matched, settled, open, found: open }],
    );
    const earlier = await client.call('reconciliation.listDays', {
      query: { from: '2020-01-01', until: '2020-04-01' },
    });
    assert.deepEqual(earlier.value().items, []);
    const long = await client.call('reconciliation.listDays', { query: { from: '2020-01-01', until: '2020-06-01' } });
    assert.match(long.problem().detail, /^until must be a day from 2020-01-01 on, at most 100 days later/);
  });

  it('a database that was never restored has no recovery, and its secrets are all under one master key', async () => {
    assert.deepEqual((await client.call('recovery.show')).value(), {
      recovering: false,
      lineageKnown: true,
      latest: null,
      rails: [],
    });
    const complete = await client.call('recovery.complete', { body: {} });
    assert.match(complete.problem().detail, /not recovering/);
    const { remaining } = (await client.call('vault.progress')).value();
    assert.deepEqual(remaining, { vault_records: 0, merchant_keys: 0, vault_keys: 0 });
    const rotated = (await client.call('vault.rotate')).value();
    assert.deepEqual([rotated.rewrapped, rotated.unopened], [0, []]);
  });
});
