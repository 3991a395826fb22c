/**
 * Batches over the management API: a file becomes payouts exactly once, row by row, and no card number is stored in the clear.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MERCHANT_FRESH_MS } from '../../src/domain/merchants/merchant-directory.ts';
import { type RunningGateway, startGateway } from '../support/gateway/running-gateway.ts';
import { type ManageClient, manageClient } from '../support/people/manage-client.ts';
import { addPerson } from '../support/people/test-person.ts';
import { dumpTables } from '../support/secrets/hiding-places.ts';
import { until } from '../support/tools/until.ts';

const CARD = '4111111111111111';
const HEADER = 'payout_id,method,account,amount,currency,full_name';

let gateway: RunningGateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.verifyAndStop());

async function stage(funds = '100.00') {
  const merchant = await gateway.merchant({ funds: { UAH: funds } });
  const { id: merchantId } = merchant;
  const scopes = ['payouts:create', 'payouts:read', 'events:read'] as const;
  return { merchant, merchantId, client: await manageClient(gateway, { merchantId, scopes }) };
}

async function upload(client: ManageClient, merchantId: string, rows: readonly string[], key?: string) {
  const file = Buffer.from([HEADER, ...rows].join('\n')).toString('base64');
  const call = { params: { merchantId }, body: { name: 'salaries', file }, ...(key === undefined ? {} : { key }) };
  const { batchId } = (await client.call('batches.upload', call)).value();
  return { params: { merchantId, batchId } };
}

async function inState(
  client: ManageClient,
  named: { params: { merchantId: string; batchId: string } },
  state: string,
) {
  let found = (await client.call('batches.show', named)).value();
  await until(`the batch is ${state}`, async () => {
    found = (await client.call('batches.show', named)).value();
    return found.state === state;
  });
  return found;
}

const card = (id: string, amount: string, name = '') => `${id},1,${CARD},${amount},UAH,${name}`;

describe('a batch', () => {
  it('a batch becomes payouts once', async () => {
    const { merchantId, client } = await stage();
    const rows = [
      card('R1', '10.00'),
      card('', '20.00'),
      card('R1', '5.00'),
      card('R4', '0'),
      `R5,1,${CARD}1,1.00,UAH,`,
    ];
    const named = await upload(client, merchantId, [...rows, card(CARD, '1.00'), card('R7', '3.00', CARD)], 'file-1');
    assert.deepEqual(
      await upload(client, merchantId, [...rows, card(CARD, '1.00'), card('R7', '3.00', CARD)], 'file-1'),
      named,
    );
    const ready = await inState(client, named, 'ready');
    assert.deepEqual([ready.rows, ready.counts.ready, ready.counts.faulty], [7, 2, 5]);
    assert.deepEqual(
      ready.totals.map(({ currency, amount, availableAfter }) => [currency, amount, availableAfter]),
      [['UAH', '30.00', '70.00']],
    );
    const { items } = (await client.call('batches.rows', { ...named, query: { state: 'faulty' } })).value();
    assert.deepEqual(
      items.map(({ row, faults }) => [row, faults[0]?.field]),
      [
        [3, 'payout_id'],
        [4, 'amount'],
        [5, 'account'],
        [6, 'payout_id'],
        [7, 'full_name'],
      ],
    );
    const refused = await client.call('batches.submit', { ...named, body: {} });
    assert.equal(refused.problem().field, '/skipFaulty');
    (await client.call('batches.submit', { ...named, body: { skipFaulty: true } })).value();
    const finished = await inState(client, named, 'finished');
    assert.deepEqual([finished.counts.accepted, finished.counts.rejected, finished.counts.faulty], [2, 0, 5]);
    for (const payoutId of ['R1', `${named.params.batchId}-2`]) {
      const { related } = (await client.call('payouts.show', { params: { merchantId, payoutId } })).value();
      const batches = related.filter(({ kind }) => kind === 'batch').map(({ id, state }) => [id, state]);
      assert.deepEqual(batches, [[named.params.batchId, 'finished']], payoutId);
    }
    assert.match((await client.call('batches.submit', { ...named, body: {} })).problem().detail, /not ready/);
    const tables = await dumpTables(gateway.database.pool);
    for (const [table, text] of tables) assert.ok(!text.includes(CARD), table);
    const { rows: left } = await gateway.database.pool.query(
      'select row from payout_batch_rows where merchant_id = $1 and vault_token is not null',
      [merchantId],
    );
    assert.deepEqual(left, []);
    const events = (await client.call('events.list', { query: { limit: 100 } })).value().items;
    const ofBatch = events.filter(({ object }) => object === 'batch').map(({ event }) => event);
    assert.deepEqual(ofBatch, ['created', 'checked', 'submitted', 'progressed', 'finished']);
  });

  it('a batch rejects the rows that the balance does not cover, and continues with the others', async () => {
    const { merchantId, client } = await stage('10.00');
    const named = await upload(client, merchantId, [card('S1', '9.00'), card('S2', '5.00'), card('S3', '1.00')]);
    const ready = await inState(client, named, 'ready');
    assert.equal(ready.totals[0]?.availableAfter, '-5.00');
    (await client.call('batches.submit', { ...named, body: {} })).value();
    const { counts } = await inState(client, named, 'finished');
    assert.ok(counts.accepted >= 1 && counts.rejected >= 1 && counts.accepted + counts.rejected === 3);
    const { items } = (await client.call('batches.rows', { ...named, query: { state: 'rejected' } })).value();
    assert.match(items[0]?.faults[0]?.detail ?? '', /balance/);
  });

  it('the rows of a batch and its payouts show a later decline', async () => {
    const { merchantId, client } = await stage();
    const lines = [`D1,70,${CARD},5.00,TST,`, 'D2,70,4111111111111112,6.00,TST,', `D3,70,${CARD},0,TST,`];
    const named = await upload(client, merchantId, lines);
    await inState(client, named, 'ready');
    (await client.call('batches.submit', { ...named, body: { skipFaulty: true } })).value();
    await inState(client, named, 'finished');
    const rows = async () => (await client.call('batches.rows', named)).value().items;
    await until('the payouts ended', async () => !(await rows()).some((row) => row.payoutState === 'pending'));
    assert.deepEqual(
      (await rows()).map(({ state, payoutState, blockedReason }) => [state, payoutState, blockedReason]),
      [
        ['accepted', 'success', null],
        ['accepted', 'blocked', 'bank_declined'],
        ['faulty', null, null],
      ],
    );
    const ofBatch = { batchId: named.params.batchId };
    const listed = async (filters: object) =>
      (await client.call('payouts.list', { query: { ...ofBatch, ...filters } })).value().items;
    assert.deepEqual(new Set((await listed({})).map(({ payoutId }) => payoutId)), new Set(['D1', 'D2']));
    assert.deepEqual(
      (await listed({ state: 'blocked' })).map(({ payoutId }) => payoutId),
      ['D2'],
    );
    const operator = await manageClient(gateway, { scopes: ['payouts:read'] });
    assert.equal((await operator.call('payouts.list', { query: ofBatch })).problem().field, 'batchId');
    const found = (await operator.call('payouts.list', { query: { ...ofBatch, merchantId } })).value().items;
    assert.equal(found.length, 2);
  });

  it('an upload whose file is not CSV of payouts is rejected with the name of its field', async () => {
    const { merchantId, client } = await stage();
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const files = [base64(`x,y\n${CARD},1`), base64(`${HEADER}\n${card('N1', '1.00')}\0`), 'not base64!'];
    for (const file of files)
      assert.equal(
        (await client.call('batches.upload', { params: { merchantId }, body: { name: 'x', file } })).problem().field,
        '/file',
      );
  });

  it('a cancelled draft of a batch loses its sealed rows', async () => {
    const { merchantId, client } = await stage();
    const named = await upload(client, merchantId, [card('X1', '1.00')]);
    await inState(client, named, 'ready');
    const { items } = (await client.call('batches.rows', named)).value();
    assert.equal(items[0]?.account, '***1111');
    const cancelled = (await client.call('batches.cancel', { ...named, body: { reason: 'a mistake' } })).value();
    assert.deepEqual([cancelled.state, cancelled.counts.cancelled], ['cancelled', 1]);
    assert.equal((await client.call('batches.cancel', { ...named, body: { reason: 'again' } })).status, 409);
  });

  it('a batch waits for a second person when a rule applies to its submission', async () => {
    const { merchantId } = await stage();
    const maker = await addPerson(gateway, 'owner', { merchantId, email: 'maker@batch.example' });
    const checker = await addPerson(gateway, 'owner', { merchantId, email: 'checker@batch.example' });
    const ifMatch = (await maker.call('policies.list')).headers.get('etag') ?? '';
    const rule = { act: 'batches.submit', currency: null, above: null, merchantId: null };
    const set = { body: { items: [rule], reason: 'all files' }, headers: { 'if-match': ifMatch } };
    (await maker.confirm('policies.set', set)).value();
    const named = await upload(maker, merchantId, [card('P1', '1.00')]);
    await inState(maker, named, 'ready');
    const proposed = await maker.confirm('batches.submit', { ...named, body: {} });
    assert.equal(proposed.status, 202);
    const { proposalId, hash } = proposed.json() as { proposalId: string; hash: string };
    assert.equal((await maker.call('batches.show', named)).value().state, 'ready');
    const approved = await checker.confirm('proposals.approve', { params: { proposalId }, body: { hash } });
    assert.equal(approved.value().proposal.state, 'executed');
    assert.equal((await inState(maker, named, 'finished')).counts.accepted, 1);
  });

  /** Makes each worker die between accepting a batch's rows and recording that, until the test ends the fault. */
  async function dyingWorker() {
    const { pool } = gateway.database;
    await pool.query(`
      create function die() returns trigger language plpgsql as $$ begin raise 'the worker dies here'; end $$;
      create trigger die before insert on payout_batch_history for each row when (new.event = 'progressed') execute function die()`);
    return { recover: () => pool.query('drop trigger die on payout_batch_history; drop function die()') };
  }

  const payoutsOf = async (merchantId: string) =>
    (await gateway.database.pool.query('select payout_id from payouts where merchant_id = $1', [merchantId])).rows
      .length;

  it('a batch is accepted once when a worker dies after accepting rows and before recording them', async () => {
    const { merchantId, client } = await stage();
    const named = await upload(client, merchantId, [card('K1', '1.00'), card('K2', '2.00')]);
    await inState(client, named, 'ready');
    const worker = await dyingWorker();
    (await client.call('batches.submit', { ...named, body: {} })).value();
    await until('both payouts are accepted', async () => (await payoutsOf(merchantId)) === 2);
    assert.equal((await client.call('batches.show', named)).value().counts.accepting, 2);
    await worker.recover();
    assert.equal((await inState(client, named, 'finished')).counts.accepted, 2);
    assert.equal(await payoutsOf(merchantId), 2);
  });

  it('an accepted row of a batch stays accepted when its worker dies before the record', async () => {
    const { merchantId, client } = await stage();
    const header = 'method,account,amount,currency,full_name,customs_card,customs_inn';
    const row = '34,UA213223130000026007233566001,1.00,UAH,Ivan P,5168742231234562,1234567890';
    const file = Buffer.from(`${header}\n${row}`).toString('base64');
    const call = { params: { merchantId }, body: { name: 'inn', file } };
    const { batchId } = (await client.call('batches.upload', call)).value();
    const named = { params: { merchantId, batchId } };
    assert.equal((await inState(client, named, 'ready')).counts.ready, 1);
    const worker = await dyingWorker();
    (await client.call('batches.submit', { ...named, body: {} })).value();
    await until('the payout is accepted', async () => (await payoutsOf(merchantId)) === 1);
    const edit = { profile: {}, settings: { check_inn: 'on' } };
    assert.ok((await gateway.operations.merchants.edit(merchantId, edit)).ok);
    await sleep(MERCHANT_FRESH_MS);
    await worker.recover();
    const { counts } = await inState(client, named, 'finished');
    assert.deepEqual([counts.accepted, counts.rejected, await payoutsOf(merchantId)], [1, 0, 1]);
  });

  it('a batch rejects the rest of its rows when its merchant is suspended during the acceptance', async () => {
    const { merchantId, client } = await stage('1000.00');
    const named = await upload(
      client,
      merchantId,
      Array.from({ length: 150 }, (_, row) => card(`S${row}`, '1.00')),
    );
    await inState(client, named, 'ready');
    const { pool } = gateway.database;
    const holder = await pool.connect();
    await holder.query('select pg_advisory_lock(4711)');
    await pool.query(`
      create function linger() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock_shared(4711); return new; end $$;
      create trigger linger before insert on payout_batch_history for each row when (new.event = 'progressed') execute function linger()`);
    (await client.call('batches.submit', { ...named, body: {} })).value();
    const payouts = async () =>
      (await pool.query('select payout_id from payouts where merchant_id = $1', [merchantId])).rows.length;
    await until('the first rows are accepted', async () => (await payouts()) === 100);
    assert.ok((await gateway.operations.merchants.suspend(merchantId)).ok);
    // Until then a process may still cache the merchant as active.
    await sleep(MERCHANT_FRESH_MS);
    await holder.query('select pg_advisory_unlock(4711)');
    holder.release();
    await pool.query('drop trigger linger on payout_batch_history; drop function linger()');
    const { counts } = await inState(client, named, 'finished');
    assert.deepEqual([counts.accepted, counts.rejected, await payouts()], [100, 50, 100]);
  });

  it('a batch that is submitted after the gateway destroyed its rows rejects them', async () => {
    const { merchant, merchantId, client } = await stage();
    const named = await upload(client, merchantId, [card('D1', '1.00'), card('D2', '1.00')]);
    await inState(client, named, 'ready');
    const { pool } = gateway.database;
    await pool.query('delete from vault_records where merchant_id = $1', [merchantId]);
    // A worker accepted the first row, then died.
    await merchant.pay(70, 'D1', {});
    await pool.query(`update payout_batch_rows set state = 'accepting' where merchant_id = $1 and row = 1`, [
      merchantId,
    ]);
    (await client.call('batches.submit', { ...named, body: {} })).value();
    const { counts } = await inState(client, named, 'finished');
    assert.deepEqual([counts.ready, counts.accepting, counts.accepted, counts.rejected], [0, 0, 1, 1]);
    const { items } = (await client.call('batches.rows', { ...named, query: { state: 'rejected' } })).value();
    assert.match(items[0]?.faults[0]?.detail ?? '', /destroyed the row after 30 days/);
  });

  it('one payout_id in two files becomes one payout, and two concurrent submissions of a batch are treated as one', async () => {
    const { merchantId, client } = await stage();
    const [first, same, other] = await Promise.all([
      upload(client, merchantId, [card('T1', '1.00')]),
      upload(client, merchantId, [card('T1', '1.00')]),
      upload(client, merchantId, [card('T1', '2.00')]),
    ]);
    const all = [first, same, other].flatMap((named) => (named ? [named, named] : []));
    for (const named of all) await inState(client, named, 'ready');
    const submits = await Promise.all(all.map((named) => client.call('batches.submit', { ...named, body: {} })));
    assert.deepEqual(submits.map(({ status }) => status).sort(), [200, 200, 200, 409, 409, 409]);
    const ends = [];
    for (const named of [first, same, other]) ends.push((await inState(client, named, 'finished')).counts);
    const { rows } = await gateway.database.pool.query('select 1 from payouts where merchant_id = $1', [merchantId]);
    assert.equal(rows.length, 1);
    assert.deepEqual([ends[0]?.accepted === ends[1]?.accepted, ends[0]?.accepted !== ends[2]?.accepted], [true, true]);
  });

  it('a batch is not found for another merchant, and a user without payouts:create cannot submit it', async () => {
    const { merchantId, client } = await stage();
    const { client: stranger, merchantId: elsewhere } = await stage();
    const named = await upload(client, merchantId, [card('O1', '1.00')]);
    await inState(client, named, 'ready');
    const { batchId } = named.params;
    const bodies = { 'batches.submit': {}, 'batches.cancel': { reason: 'not mine' } };
    for (const act of ['batches.show', 'batches.rows', 'batches.export', 'batches.submit', 'batches.cancel'] as const) {
      const body = act in bodies ? { body: bodies[act as keyof typeof bodies] } : {};
      for (const params of [named.params, { merchantId: elsewhere, batchId }])
        assert.equal((await stranger.call(act, { params, ...body })).status, 404, act);
    }
    const viewer = await addPerson(gateway, 'viewer', { merchantId, email: 'viewer@batch.example' });
    assert.equal((await viewer.confirm('batches.submit', { ...named, body: {} })).status, 403);
    assert.equal((await client.call('batches.show', named)).value().state, 'ready');
  });
});
