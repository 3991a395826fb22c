/** The request log on all protocols, in the management API and in the database, with hostile requests. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggedRequest } from '../../contract/endpoints/requests.ts';
import { forgetRequests } from '../../src/domain/requests/forget-requests.ts';
import { KEPT_MS } from '../../src/domain/requests/request-log.ts';
import { createManualClock } from '../../src/foundation/clock.ts';
import { openDatabase } from '../../src/storage/core/database.ts';
import { createRequestLogStore } from '../../src/storage/requests/request-log-store.ts';
import { CREATE, depositRequest } from '../support/deposits/host-to-host-wire.ts';
import { FORM_REQUEST } from '../support/form/form-request.ts';
import { type RunningGateway, startGateway } from '../support/gateway/running-gateway.ts';
import { signedForm, type TestMerchant } from '../support/merchants/test-merchant.ts';
import { fullySigned, post, VISA_CARD, xSignHeaders } from '../support/payouts/payout-request.ts';
import { type ManageClient, manageClient } from '../support/people/manage-client.ts';
import { addPerson } from '../support/people/test-person.ts';
import { until } from '../support/tools/until.ts';

const SEND = '/merchant/api/payout_send';

let gateway: RunningGateway;
let merchant: TestMerchant;
let own: ManageClient;

before(async () => {
  gateway = await startGateway();
  merchant = await gateway.merchant();
  own = await manageClient(gateway, { merchantId: merchant.id });
});
after(() => gateway.verifyAndStop());

/** Waits until the log has `count` matching requests. */
function logged(query: Readonly<Record<string, unknown>>, count = 1, client = own): Promise<readonly LoggedRequest[]> {
  return until(`${count} logged requests`, async () => {
    const { items } = (await client.call('requests.list', { query })).value();
    return items.length >= count ? items : undefined;
  });
}

async function shown(requestId: string | undefined, client = own) {
  return (await client.call('requests.show', { params: { merchantId: merchant.id, requestId } })).value();
}

describe('the request log', () => {
  it('the request log shows an accepted payout with its response, a masked card and a shortened signature', async () => {
    const body = merchant.request(1, 'A1', { account: VISA_CARD });
    await post(gateway.url + SEND, body);
    const [found] = await logged({ subjectId: 'A1' });
    assert.deepEqual(
      [found?.endpoint, found?.outcome, found?.reason, found?.httpStatus],
      ['payout_send', 'accepted', '', 200],
    );
    const { request, reply, canExplain } = await shown(found?.requestId);
    const reads = `select detail from audit_entries where merchant_id = $1 and act = 'requests.show' and object like $2`;
    const { rows } = await gateway.database.pool.query(reads, [merchant.id, `%${found?.requestId}`]);
    assert.equal(rows.length, 2, 'the audit log has the read');
    assert.ok(!request.text.includes(VISA_CARD) && request.text.includes('"411111******1111"'), request.text);
    assert.ok(!request.text.includes(String(body['sign'])));
    assert.equal(request.bytes, Buffer.byteLength(JSON.stringify(body)));
    assert.deepEqual([JSON.parse(reply.text).status, canExplain], ['Pending', false]);
  });

  it('the request log has each rejected request of every endpoint with its reason', async () => {
    const wrong = { sign: 'AAAAAAAAAAAAAAAAAAAAAA==' };
    const h2h = JSON.stringify(depositRequest({ order: 'H1' }));
    const form = { ...FORM_REQUEST, merchant: merchant.id, order: 'F1' };
    for (const [path, body, headers] of [
      [SEND, { ...merchant.request(1, 'R1'), ...wrong }, {}],
      [SEND, merchant.request(1, 'R2', { amount: '1,00' }), {}],
      ['/merchant/api/payout_status', fullySigned({ merchant: merchant.id, payout_id: 'R3' }, merchant.key), {}],
      ['/payment/balance', { merchant: merchant.id, currency: 'EUR', ...wrong }, {}],
      [SEND, `{"merchant":"${merchant.id}","account":"${VISA_CARD}",`, {}],
      [CREATE, h2h, xSignHeaders(merchant.id, 'another key', h2h)],
    ] as const) {
      await post(gateway.url + path, body, headers);
      // The log is ordered by milliseconds.
      await sleep(2);
    }
    await fetch(`${gateway.url}${signedForm(form, 'another key')}`, { redirect: 'manual' });
    const found = await logged({}, 8);
    assert.deepEqual(
      found.map(({ endpoint, outcome, reason, subjectId }) => [endpoint, outcome, reason, subjectId]).reverse(),
      [
        ['payout_send', 'accepted', '', 'A1'],
        ['payout_send', 'unproven', 'sign_error', 'R1'],
        ['payout_send', 'rejected', 'invalid_field', 'R2'],
        ['payout_status', 'rejected', 'payout_not_found', 'R3'],
        ['balance', 'unproven', 'sign_error', null],
        ['payout_send', 'unproven', 'unreadable_body', null],
        ['host2host', 'unproven', 'sign_error', null],
        ['form', 'unproven', 'wrong_signature', 'F1'],
      ],
    );
    const broken = await shown(found.find(({ reason }) => reason === 'unreadable_body')?.requestId);
    assert.ok(!broken.request.text.includes(VISA_CARD));
    const denied = await shown(found.find(({ subjectId }) => subjectId === 'R1')?.requestId);
    assert.deepEqual([denied.canExplain, denied.request.text.includes(wrong.sign)], [true, true]);
  });

  it('the request log does not keep a card number that a client sends in a header or as a signature', async () => {
    const hasty = await gateway.merchant();
    const client = await manageClient(gateway, { merchantId: hasty.id });
    const body = { ...hasty.request(1, 'H1', { account: VISA_CARD }), sign: VISA_CARD };
    await post(gateway.url + SEND, body, { 'user-agent': `card ${VISA_CARD}`, 'x-sign': VISA_CARD });
    await logged({}, 1, client);
    const { rows } = await gateway.database.pool.query<{ text: string }>(
      `select headers::text || encode(request, 'escape') || encode(reply, 'escape') as text from logged_requests where merchant_id = $1`,
      [hasty.id],
    );
    assert.match(rows[0]?.text ?? '', /x-sign.*411111\*+1111/);
    assert.ok(!rows[0]?.text.includes(VISA_CARD), rows[0]?.text);
  });

  it('the request log shows a merchant only its own requests', async () => {
    const first = (await own.call('requests.list', { query: { limit: 3, outcome: 'unproven' } })).value();
    const rest = (await own.call('requests.list', { query: { after: first.next ?? '', outcome: 'unproven' } })).value();
    const whole = (await own.call('requests.list', { query: { outcome: 'unproven' } })).value();
    assert.deepEqual([...first.items, ...rest.items], whole.items);
    assert.deepEqual((await logged({ reason: 'wrong_signature', endpoint: 'form' })).length, 1);
    const other = await manageClient(gateway, { merchantId: (await gateway.merchant()).id });
    assert.deepEqual((await other.call('requests.list')).value().items, []);
    const params = { merchantId: merchant.id, requestId: whole.items[0]?.requestId };
    assert.equal((await other.call('requests.show', { params })).status, 404);
  });

  it('the request log masks personal data for a reader without personal:read', async () => {
    await post(gateway.url + SEND, merchant.request(92, 'P1'));
    const [found] = await logged({ subjectId: 'P1' });
    const blind = await manageClient(gateway, { merchantId: merchant.id, scopes: ['requests:read'] });
    const { text } = (await shown(found?.requestId, blind)).request;
    assert.ok(text.includes('"payout_id":"P1"') && text.includes('j***@example.com'), text);
    for (const personal of ['jo@example.com', '+14165550123', 'Jo Do']) assert.ok(!text.includes(personal), personal);
    assert.ok((await shown(found?.requestId)).request.text.includes('Jo Do'));
  });

  it('the request log lets only a merchant user use the signature doctor, ten times per minute', async () => {
    const developer = await addPerson(gateway, 'developer', { merchantId: merchant.id, email: 'dev@example.com' });
    const administrator = await addPerson(gateway, 'administrator', { email: 'admin@example.com' });
    const { sign, ...fields } = merchant.request(1, 'D1');
    await post(gateway.url + SEND, { ...fields, sign: Buffer.from(String(sign), 'base64').toString('hex') });
    const [found] = await logged({ subjectId: 'D1' });
    const call = { params: { merchantId: merchant.id, requestId: found?.requestId ?? '' } };
    const answer = await developer.call('requests.explain', call);
    const [finding] = answer.value().findings;
    assert.deepEqual([finding?.kind, finding?.mistakes.map(({ id }) => id)], ['mistake', ['hex_not_base64']]);
    const text = JSON.stringify(answer.json());
    for (const secret of [merchant.key, merchant.formKey, VISA_CARD, String(sign)]) assert.ok(!text.includes(secret));
    assert.equal((await own.call('requests.explain', call)).problem().status, 403);
    assert.equal((await administrator.call('requests.explain', call)).problem().status, 409);
    const accepted = (await developer.call('requests.list', { query: { subjectId: 'A1' } })).value().items[0];
    const notKept = { params: { ...call.params, requestId: accepted?.requestId ?? '' } };
    assert.match((await developer.call('requests.explain', notKept)).problem().detail, /not stored/);
    for (let n = 0; n < 8; n += 1) assert.equal((await developer.call('requests.explain', call)).status, 200);
    assert.equal((await developer.call('requests.explain', call)).status, 429);
  });

  it('the request log stays bounded under a thousand hostile requests, and the gateway serves the valid requests', async () => {
    const target = await gateway.merchant();
    const junk = (n: number) => `{"merchant":"${n % 2 ? target.id : `nobody${n}`}","\u0000${n}`;
    for (let n = 0; n < 1_000; n += 50)
      await Promise.all(Array.from({ length: 50 }, (_, k) => post(gateway.url + SEND, junk(n + k))));
    await target.pay(1, 'AFTER');
    const seen = await manageClient(gateway, { merchantId: target.id });
    await logged({ subjectId: 'AFTER' }, 1, seen);
    const { rows } = await gateway.database.pool.query(
      `select count(*)::int, count(*) filter (where merchant_id like 'nobody%')::int as unknown
       from logged_requests where merchant_id = $1 or merchant_id like 'nobody%'`,
      [target.id],
    );
    assert.ok(rows[0].count <= 121 && rows[0].count > 30, String(rows[0].count));
    assert.equal(rows[0].unknown, 0);
    const metrics = await (await fetch(`${gateway.opsUrl}/metrics`)).text();
    assert.match(metrics, /gateway_requests_not_logged_total\{cause="budget"\} \d{3}/);
  });

  it('the request log keeps the newest requests and deletes old requests with their bytes', async () => {
    const database = openDatabase({ connectionString: gateway.database.connectionString }, { poolSize: 1 });
    const store = createRequestLogStore(database);
    const count = async (table: string) =>
      (
        await gateway.database.pool.query(`select count(*)::int as n from ${table} where merchant_id = $1`, [
          merchant.id,
        ])
      ).rows[0].n;
    try {
      const sealed = await count('vault_records');
      await store.trim(merchant.id, 'unproven', 2);
      const left = await logged({ outcome: 'unproven' });
      assert.deepEqual(
        left.map(({ reason }) => reason),
        ['sign_error', 'wrong_signature'],
      );
      assert.equal(await count('vault_records'), sealed - 3);
      await forgetRequests({ store, clock: createManualClock(Date.now() + KEPT_MS) });
      assert.equal(await count('logged_requests'), 0);
    } finally {
      await database.close();
    }
  });
});

describe('a callback over the management API', () => {
  it('a callback over the management API shows the exact request of each attempt, even after the settings and the key changed', async () => {
    await merchant.pay(1, 'CB1');
    await merchant.final('CB1');
    const [arrival] = await until('the callback arrived', async () => {
      const arrivals = gateway.receiver.about(merchant.id, 'CB1');
      return arrivals.length > 0 ? arrivals : undefined;
    });
    await gateway.operations.merchants.edit(merchant.id, { profile: {}, settings: { callback_format: 'json' } });
    const { items } = (await own.call('callbacks.list', { query: { subjectId: 'CB1' } })).value();
    const params = { merchantId: merchant.id, callbackId: items[0]?.callbackId ?? '' };
    const sent = await until('the attempt is recorded', async () => {
      const { deliveries } = (await own.call('callbacks.show', { params })).value();
      return deliveries[0]?.sent ?? undefined;
    });
    assert.deepEqual([sent.method, sent.url, sent.body], ['POST', gateway.receiver.url(merchant.id), arrival?.body]);
    for (const [name, value] of Object.entries(sent.headers)) assert.equal(arrival?.headers[name], value, name);
  });
});
