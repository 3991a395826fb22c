/** Actions over the management API: each takes effect exactly once, and the audit log records its start and its outcome. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { chainHash } from '../../src/domain/audit/audit-entry.ts';
import { createActStore } from '../../src/storage/audit/act-store.ts';
import type { Queryable } from '../../src/storage/core/database.ts';
import { nestDatabase } from '../../src/storage/core/nested-database.ts';
import { AUDIT_INVARIANTS } from '../../src/storage/invariants/verify-audit-invariants.ts';
import { type RunningGateway, startGateway } from '../support/gateway/running-gateway.ts';
import { forgetEnd, type ManageClient, manageClient } from '../support/people/manage-client.ts';

let gateway: RunningGateway;
let client: ManageClient;
before(async () => {
  gateway = await startGateway();
  client = await manageClient(gateway);
});
after(() => gateway.verifyAndStop());

const funding = (reference: string, amount = '10.00') => ({ amount, currency: 'EUR', reference, reason: 'opening' });

async function entriesOf(object: string) {
  return (await client.call('audit.list', { query: { object } })).value().items;
}

describe('an action over the management API', () => {
  it('the audit log records each change of a merchant', async () => {
    const created = await client.call('merchants.create', { body: { merchantId: 'ACTS', name: 'Shop' } });
    assert.match(created.value().key, /^[A-Za-z0-9]{43,}$/);
    const shown = await client.call('merchants.show', { params: { merchantId: 'ACTS' } });
    const etag = shown.headers.get('etag') ?? '';
    const edited = await client.call('merchants.edit', {
      params: { merchantId: 'ACTS' },
      body: { processUrl: 'https://shop.example/callbacks', settings: { payout_rate_limit: '7' } },
      headers: { 'if-match': etag },
    });
    assert.deepEqual(edited.value().settings, { payout_rate_limit: '7' });
    const named = { params: { merchantId: 'ACTS' } };
    assert.equal((await client.call('merchants.suspend', named)).value().state, 'suspended');
    assert.equal((await client.call('merchants.activate', named)).value().state, 'active');
    const entries = await entriesOf('merchants/ACTS');
    assert.deepEqual(
      entries.map(({ act, phase }) => `${act} ${phase}`),
      [
        'merchants.activate done',
        'merchants.activate begun',
        'merchants.suspend done',
        'merchants.suspend begun',
        'merchants.edit done',
        'merchants.edit begun',
        'merchants.create done',
      ],
    );
    const change = entries[4]?.detail as { before: { processUrl: null }; after: { processUrl: string } };
    assert.deepEqual([change.before.processUrl, change.after.processUrl], [null, 'https://shop.example/callbacks']);
    assert.equal(entries[0]?.actor.name, 'a test');
    assert.equal(entries[0]?.actId, entries[1]?.actId);
  });

  it('one changed byte of any column of an audit entry breaks the chain', async () => {
    await client.call('merchants.create', { body: { merchantId: 'CHAINED', name: 'Shop' } });
    const broken = async () => {
      const { invariants } = (await client.call('books.verify')).value();
      return invariants.find(({ name }) => name === 'audit_chain_is_unbroken')?.holds === false;
    };
    assert.equal(await broken(), false);
    const { pool } = gateway.database;
    const entry = `act = 'merchants.create' and object = 'merchants/CHAINED' and phase = 'done'`;
    for (const column of ['detail', 'actor_name', 'actor_id', 'act_id', 'request_id', 'address', 'object']) {
      const { rows } = await pool.query(
        `select merchant_id, number, ${column} as was from audit_entries where ${entry}`,
      );
      const { merchant_id, number, was } = rows[0];
      const change = `update audit_entries set ${column} = $1 where merchant_id = $2 and number = $3`;
      await pool.query(change, [`${was.slice(0, -1)}#`, merchant_id, number]);
      assert.equal(await broken(), true, column);
      await pool.query(change, [was, merchant_id, number]);
    }
    assert.equal(await broken(), false);
  });

  it('an edit with the ETag of an older version is rejected and has no effect', async () => {
    await client.call('merchants.create', { body: { merchantId: 'STALE' } });
    const named = { params: { merchantId: 'STALE' } };
    const etag = (await client.call('merchants.show', named)).headers.get('etag') ?? '';
    const edit = (name: string, headers: Record<string, string>) =>
      client.call('merchants.edit', { ...named, body: { name }, headers });
    assert.equal((await edit('first', { 'if-match': etag })).value().name, 'first');
    assert.match((await edit('second', { 'if-match': etag })).problem().type, /#changed-meanwhile$/);
    assert.match((await edit('second', {})).problem().type, /#if-match-missing$/);
    assert.equal((await client.call('merchants.show', named)).value().name, 'first');
  });

  it('one of 20 simultaneous credits with one Idempotency-Key is posted, and all get its response', async () => {
    const { id } = await gateway.merchant({ funds: {} });
    const call = { params: { merchantId: id }, body: funding('once'), key: randomUUID() };
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.call('funds.credit', call)));
    const posted = answers.filter(({ status }) => status === 200);
    const waiting = answers.filter(({ status }) => status === 409);
    assert.equal(posted.length + waiting.length, 20);
    for (const { problem } of waiting) assert.match(problem().type, /#in-progress$/);
    const repeated = await client.call('funds.credit', call);
    assert.equal(repeated.headers.get('idempotency-replayed'), 'true');
    assert.deepEqual(repeated.value(), posted[0]?.value());
    assert.equal(repeated.value().balance.available, '10.00');
    const { items } = (await client.call('audit.list', { query: { merchantId: id } })).value();
    assert.deepEqual(
      items.map(({ phase }) => phase),
      ['done', 'begun'],
    );
  });

  it('the audit log lists the actions of one caller between two times', async () => {
    const { id } = await gateway.merchant({ funds: {} });
    const other = await manageClient(gateway);
    const credit = (by: typeof client, reference: string) =>
      by.call('funds.credit', { params: { merchantId: id }, body: funding(reference, '1.00') });
    for (const [by, reference] of [
      [client, 'a'],
      [other, 'b'],
      [client, 'c'],
    ] as const)
      (await credit(by, reference)).value();
    const listed = async (query: Readonly<Record<string, string>>) =>
      (await client.call('audit.list', { query: { merchantId: id, ...query } })).value().items;
    const all = await listed({});
    const [last, , before] = all;
    assert.ok(last && before && last.actor.id !== before.actor.id);
    const numbers = (entries: typeof all) => entries.map(({ number }) => number);
    assert.deepEqual(numbers(await listed({ actor: before.actor.id })), [4, 3]);
    assert.deepEqual(numbers(await listed({ from: last.at })), numbers(all.filter(({ at }) => at >= last.at)));
    assert.deepEqual(numbers(await listed({ to: before.at })), numbers(all.filter(({ at }) => at < before.at)));
    assert.deepEqual(await listed({ actor: 'nobody' }), []);
  });

  it('a write without an Idempotency-Key, or with the key of a different request, is rejected', async () => {
    const { id } = await gateway.merchant({ funds: {} });
    const key = randomUUID();
    const call = (amount: string) =>
      client.call('funds.credit', { params: { merchantId: id }, body: funding('reuse', amount), key });
    (await call('1.00')).value();
    const other = await call('2.00');
    assert.deepEqual([other.status, other.problem().title], [422, 'This Idempotency-Key belongs to another request']);
    const none = await client.call('funds.credit', { params: { merchantId: id }, body: funding('x'), key: ' ' });
    assert.match(none.problem().type, /#idempotency-key-missing$/);
  });

  it('a response shows a secret once, and no repeated response, audit entry or table contains it', async () => {
    const key = randomUUID();
    const chosen = 'chosenSigningKey0123456789012345678901234567';
    const call = { body: { merchantId: 'SECRET', key: chosen }, key };
    const { formKey } = (await client.call('merchants.create', call)).value();
    assert.match((await client.call('merchants.create', call)).problem().type, /#secret-not-kept$/);
    for (const table of ['audit_entries', 'act_answers', 'api_tokens']) {
      const { rows } = await gateway.database.pool.query(`select ${table}::text as text from ${table}`);
      assert.ok(rows.length > 0);
      for (const { text } of rows) assert.ok(!text.includes(chosen) && !text.includes(formKey), table);
    }
  });

  it('a key rotation takes effect once when its process dies before the response', async () => {
    const merchant = await gateway.merchant();
    const call = { params: { merchantId: merchant.id }, body: {}, key: randomUUID() };
    const { key, oldKeyValidUntil } = (await client.call('keys.rotate', call)).value();
    await forgetEnd(gateway.database.pool, call.key);
    assert.deepEqual((await client.call('keys.rotate', call)).value(), { purpose: 'api', key, oldKeyValidUntil });
    assert.equal((await merchant.balance('EUR'))['status'], 'Success');
  });

  it('a rejected action has no effect, and the audit log has its rejection', async () => {
    const { id } = await gateway.merchant({ funds: {} });
    const call = { params: { merchantId: id }, body: funding('too-much', '99.00') };
    assert.match((await client.call('funds.debit', call)).problem().detail, /^Only 0.00 EUR are available/);
    const { items } = (await client.call('audit.list', { query: { merchantId: id } })).value();
    assert.deepEqual(
      items.map(({ phase, reason }) => [phase, reason]),
      [
        ['rejected', 'opening'],
        ['begun', 'opening'],
      ],
    );
  });
});

describe('the audit chain', () => {
  it('the invariants find each manual change to the audit log', async () => {
    const { id } = await gateway.merchant({ funds: {} });
    for (const reference of ['a', 'b', 'c'])
      (await client.call('funds.credit', { params: { merchantId: id }, body: funding(reference) })).value();
    const newest = (await client.call('audit.list', { query: { merchantId: id } })).value().items[0];
    assert.ok(newest);
    const next = { ...newest, number: newest.number + 1, at: Date.parse(newest.at), detail: '{}' };
    const byHand = chainHash(Buffer.from(newest.hash, 'hex'), next.number, next).toString('hex');
    const mine = 'where merchant_id = $1';
    const columns =
      'merchant_id, number, at, act_id, phase, act, object, actor_kind, actor_id, actor_name, address, request_id, reason';
    const copied = columns.replace('number', 'number + 1');
    const all = 'number between 3 and 4';
    for (const [tampering, isHiddenLater] of [
      [`update audit_entries set reason = 'openinG' ${mine} and number = 3`],
      [`update audit_entries set at = at + interval '1 ms' ${mine} and number = 6`],
      [`delete from audit_entries ${mine} and number = 2`],
      [`delete from audit_entries ${mine} and number = 1`],
      [`delete from audit_entries ${mine} and number > 4`],
      [`delete from audit_entries ${mine}`],
      [`delete from audit_heads ${mine}`],
      [`with gone as (delete from audit_heads ${mine}) delete from audit_entries ${mine} and number > 4`],
      [
        `update audit_entries set number = number + 100 ${mine} and ${all};
        update audit_entries set number = 107 - number ${mine} and number > 100`,
      ],
      [
        `insert into audit_entries (${columns}, detail, hash) select ${copied}, detail, hash from audit_entries ${mine}
        order by number desc limit 1`,
      ],
      // Only the head reveals an inserted entry with a correct hash, so the heads must be stored elsewhere.
      [
        `insert into audit_entries (${columns}, detail, hash) select ${copied}, '{}', '\\x${byHand}' from audit_entries ${mine}
        order by number desc limit 1`,
        true,
      ],
    ] as const)
      assert.deepEqual(await foundAfter(tampering, id), [true, isHiddenLater !== true], tampering);
    assert.deepEqual(await foundAfter(`select 1 from merchants ${mine}`, id), [false, false]);
  });

  /** Returns whether the invariants detect the tampering, immediately and after another action. Then undoes it. */
  async function foundAfter(tampering: string, merchantId: string): Promise<boolean[]> {
    const owner = await gateway.database.pool.connect();
    const query = async (text: string, values: readonly unknown[] = []) => (await owner.query(text, [...values])).rows;
    const isFound = async () =>
      (await Promise.all(AUDIT_INVARIANTS.map(({ sql }) => query(sql)))).some((rows) => rows.length > 0);
    try {
      await owner.query('begin');
      for (const sql of tampering.split(';')) await owner.query(sql, [merchantId]);
      const before = await isFound();
      const queryable = {
        query,
        prepared: (_: string, text: string, values?: readonly unknown[]) => query(text, values),
      };
      const actor = { kind: 'token', id: 'T', name: 'T' } as const;
      await createActStore(nestDatabase(queryable as Queryable)).record({
        merchantId,
        at: 1,
        actId: 'later',
        phase: 'done',
        act: 'x',
        object: 'x',
        actor,
        address: null,
        requestId: 'R',
        reason: null,
        detail: '{}',
      });
      return [before, await isFound()];
    } finally {
      await owner.query('rollback');
      owner.release();
    }
  }

  it('the role of the application can neither change nor delete an audit entry', async () => {
    const owner = await gateway.database.pool.connect();
    try {
      for (const sql of [
        "update audit_entries set reason = 'x'",
        'delete from audit_entries',
        'truncate audit_entries',
      ]) {
        await owner.query('begin');
        await owner.query('set local role gateway_app');
        await assert.rejects(owner.query(sql), /permission denied/);
        await owner.query('rollback');
      }
    } finally {
      owner.release();
    }
  });
});
