/** Events, their stream, the search and the exports over the management API. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { BASE_PATH } from '../../contract/parts/endpoint.ts';
import { EVENT_OBJECTS, type EventPlace, FIRST_PLACE } from '../../src/domain/events/event-store.ts';
import { type RunningGateway, startGateway } from '../support/gateway/running-gateway.ts';
import type { TestMerchant } from '../support/merchants/test-merchant.ts';
import { type ManageClient, manageClient } from '../support/people/manage-client.ts';
import { entryOf } from '../support/tools/archive-entry.ts';
import { until } from '../support/tools/until.ts';

let gateway: RunningGateway;
let operator: ManageClient;
let merchant: TestMerchant;
let own: ManageClient;

before(async () => {
  gateway = await startGateway();
  operator = await manageClient(gateway);
  merchant = await gateway.merchant();
  own = await manageClient(gateway, { merchantId: merchant.id });
  await merchant.pay(1, 'E1', { amount: '12.34' });
  await merchant.pay(1, '-E2', { amount: '10.51' });
  for (const id of ['E1', '-E2']) await merchant.final(id);
});
after(() => gateway.verifyAndStop());

async function secretOf(merchantId: string | null): Promise<{ readonly tokenId: string; readonly secret: string }> {
  const scopes = ['payouts:read', 'events:read', 'callbacks:read', 'audit:read'];
  const issued = await gateway.operations.tokens.issue({ name: 's', merchantId, scopes, days: 1 });
  assert.ok(issued.ok);
  return { tokenId: issued.value.token.tokenId, secret: issued.value.secret.reveal() };
}

const get = (path: string, secret: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${gateway.manageUrl}${BASE_PATH}${path}`, { headers: { authorization: `Bearer ${secret}`, ...headers } });

describe('events over the management API', () => {
  it('a merchant reads the events of its payouts and callbacks page by page, in order', async () => {
    const whole = await until('the callbacks are delivered', async () => {
      const page = (await own.call('events.list', { query: { limit: 100 } })).value();
      return page.items.filter(({ object }) => object === 'callback').length >= 2 ? page : undefined;
    });
    assert.equal(whole.hasMore, false);
    const ofPayout = whole.items.filter(({ objectId }) => objectId === 'E1');
    assert.deepEqual(
      [ofPayout[0]?.event, ofPayout[0]?.detail],
      ['accepted', 'wayforpay: the only rail for the method'],
    );
    assert.equal(ofPayout.at(-1)?.to, 'success');
    assert.ok(whole.items.every(({ merchantId }) => merchantId === merchant.id));
    const paged: string[] = [];
    let after: string | undefined;
    for (let more = true; more; ) {
      const query: Record<string, unknown> = { limit: 1, ...(after === undefined ? {} : { after }) };
      const page = (await own.call('events.list', { query })).value();
      paged.push(...page.items.map(({ id }) => id));
      after = page.next;
      more = page.hasMore;
    }
    assert.deepEqual(
      paged,
      whole.items.map(({ id }) => id),
    );
  });

  it('the event of a rerouted payout contains no provider error', async () => {
    await gateway.database.pool.query(
      `insert into payout_history (merchant_id, payout_id, entry, at, event, from_state, to_state, actor, detail)
       values ($1, 'E1', 99, now(), 'rerouted', 'pending', 'pending', 'gateway', '[["rerouted","a","b","HTTP 500 of 10.0.0.1"]]')`,
      [merchant.id],
    );
    // The list ends before the oldest open transaction so as not to skip an event.
    const rerouted = await until('the event is listed', async () => {
      const { items } = (await own.call('events.list', { query: { limit: 100 } })).value();
      return items.find(({ event }) => event === 'rerouted');
    });
    assert.equal(rerouted.detail, 'from a to b: no bank has it');
    await gateway.database.pool.query("delete from payout_history where event = 'rerouted'");
  });

  it('a merchant does not read events of another merchant, and a token with callbacks:read only events of callbacks', async () => {
    const other = await manageClient(gateway, { merchantId: (await gateway.merchant({ funds: {} })).id });
    assert.deepEqual((await other.call('events.list')).value().items, []);
    const narrow = await manageClient(gateway, { merchantId: merchant.id, scopes: ['events:read', 'callbacks:read'] });
    const { items } = (await narrow.call('events.list')).value();
    assert.ok(items.length > 0 && items.every(({ object }) => object === 'callback'));
  });

  it('an invalid cursor is rejected', async () => {
    const cursor = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    for (const after of ['x', cursor(['1']), cursor(['-1', 0]), cursor(['1', 9]), cursor(['1', 1, 'a', 'b', 99_999])])
      assert.equal((await own.call('events.list', { query: { after } })).problem().field, 'after', after);
  });

  const INSERT = `insert into callback_attempts (merchant_id, callback_id, attempt, started_at, latency_ms, outcome, reply)
    values ('racing', $1, 1, $2, 0, 'accepted', '')`;

  it('an event that is committed after later events is not skipped', async () => {
    const { events } = gateway.operations;
    const start = await events.end();
    const late = await gateway.database.pool.connect();
    await late.query('begin');
    await late.query(INSERT, ['late', '2020-01-01']);
    await gateway.database.pool.query(INSERT, ['early', '2026-01-01']);
    const query = { merchantId: 'racing', objects: EVENT_OBJECTS, limit: 10 };
    const before = await events.read({ ...query, after: start });
    assert.deepEqual(before.events, []);
    await late.query('commit');
    late.release();
    const then = await until('both are shown', async () => {
      const page = await events.read({ ...query, after: before.next });
      return page.events.length === 2 ? page : undefined;
    });
    assert.deepEqual(
      then.events.map(({ objectId }) => objectId),
      ['late', 'early'],
    );
    await gateway.database.pool.query(`delete from callback_attempts where merchant_id = 'racing'`);
  });

  it('a reader sees every event of racing writers once, whatever the order of their commits', async () => {
    const { events } = gateway.operations;
    let after: EventPlace = await events.end();
    const seen: string[] = [];
    let isWriting = true;
    const write = async (writer: number) => {
      for (let turn = 0; turn < 15; turn++) {
        const client = await gateway.database.pool.connect();
        await client.query('begin');
        await client.query(INSERT, [`${writer}-${turn}a`, new Date(2020, 0, 1 + ((writer * 7 + turn * 13) % 28))]);
        await sleep((writer * 5 + turn * 3) % 17);
        await client.query(INSERT, [`${writer}-${turn}b`, new Date(2020, 0, 1)]);
        await client.query((writer + turn) % 9 === 0 ? 'rollback' : 'commit');
        client.release();
      }
    };
    const newestTransaction = async () => {
      const { rows } = await gateway.database.pool.query<{ id: string }>('select pg_current_xact_id()::text as id');
      return BigInt(rows[0]?.id ?? 0);
    };
    // A transaction of the gateway can delay a page, so the reader continues until it has passed the last writer's.
    const read = async () => {
      for (let last: bigint | undefined; last === undefined || BigInt(after.transaction) <= last; ) {
        if (!isWriting) last ??= await newestTransaction();
        const page = await events.read({ merchantId: 'racing', objects: EVENT_OBJECTS, after, limit: 3 });
        seen.push(...page.events.map(({ objectId }) => objectId));
        after = page.next;
        if (!page.hasMore) await sleep(2);
      }
    };
    const writing = Promise.all([0, 1, 2, 3, 4].map(write)).finally(() => {
      isWriting = false;
    });
    await Promise.all([writing, read()]);
    const stored = await gateway.database.pool.query<{ callback_id: string }>(
      `select callback_id from callback_attempts where merchant_id = 'racing'`,
    );
    assert.deepEqual(seen.toSorted(), stored.rows.map(({ callback_id }) => callback_id).sort());
    assert.ok(seen.length > 100);
    await gateway.database.pool.query(`delete from callback_attempts where merchant_id = 'racing'`);
  });

  it('an operator who reads events from the beginning sees those of all merchants', async () => {
    const page = await gateway.operations.events.read({
      merchantId: null,
      objects: EVENT_OBJECTS,
      after: FIRST_PLACE,
      limit: 5,
    });
    assert.equal(page.events.length, 5);
  });
});

describe('the stream of events', () => {
  it('the stream of events continues after Last-Event-ID', async () => {
    const { tokenId, secret } = await secretOf(merchant.id);
    const [first] = (await own.call('events.list', { query: { limit: 1 } })).value().items;
    const answer = await get('/events/stream', secret, { 'last-event-id': first?.id ?? '' });
    assert.equal(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    let text = '';
    const reading = (async () => {
      for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString();
    })();
    await until('the next event of the payout came', async () => text.includes('"objectId":"E1"') || undefined);
    assert.ok(!text.includes(`id: ${first?.id}\n`));
    await merchant.pay(1, 'E3');
    await until('an event that happened meanwhile came', async () => text.includes('"objectId":"E3"') || undefined);
    await gateway.operations.tokens.revoke(tokenId);
    await reading;
    assert.match(text, /^retry: 1000\n\n/);
  });

  it('a caller may have at most five event streams', async () => {
    const { secret } = await secretOf(merchant.id);
    const ends = Array.from({ length: 5 }, () => new AbortController());
    for (const { signal } of ends)
      assert.equal(
        (
          await fetch(`${gateway.manageUrl}${BASE_PATH}/events/stream`, {
            headers: { authorization: `Bearer ${secret}` },
            signal,
          })
        ).status,
        200,
      );
    assert.equal((await get('/events/stream', secret)).status, 429);
    for (const end of ends) end.abort();
    await until('a stream is free again', async () => {
      const end = new AbortController();
      const { status } = await fetch(`${gateway.manageUrl}${BASE_PATH}/events/stream`, {
        headers: { authorization: `Bearer ${secret}` },
        signal: end.signal,
      });
      end.abort();
      return status === 200 || undefined;
    });
  });
});

/** A number of streams that exceeds what the server admits concurrently (protocol/http/admission.ts). */
const MANY_STREAMS = 520;

describe('the streams of many pages', () => {
  it('closed event streams do not count towards the server’s limit of open requests', async () => {
    const { secret } = await secretOf(null);
    let opened = 0;
    for (let attempt = 0; opened < MANY_STREAMS && attempt < 2 * MANY_STREAMS; attempt += 1) {
      const end = new AbortController();
      const { status } = await fetch(`${gateway.manageUrl}${BASE_PATH}/events/stream`, {
        headers: { authorization: `Bearer ${secret}` },
        // A server at its limit no longer reads from the connection.
        signal: AbortSignal.any([end.signal, AbortSignal.timeout(10_000)]),
      });
      end.abort();
      if (status === 200) opened += 1;
      // The caller is at its limit of open streams: the server has not noticed yet that one was closed.
      else await sleep(20);
    }
    assert.equal(opened, MANY_STREAMS);
    assert.equal((await get('/events?limit=1', secret)).status, 200);
  });
});

describe('the search', () => {
  it('the search finds a payout by each of its names, for its merchant and the operator only', async () => {
    const record = (await own.call('payouts.show', { params: { merchantId: merchant.id, payoutId: 'E1' } })).value();
    const day = record.acceptedAt.slice(0, 10);
    const other = await manageClient(gateway, { merchantId: (await gateway.merchant({ funds: {} })).id });
    for (const [q, matched] of [
      [`Transaction number ${record.transactionId}`, 'transaction'],
      ['E1', 'id'],
      [record.account, 'account'],
      [record.account.slice(-4), 'lastFour'],
      [record.attempts[0]?.reference ?? '', 'reference'],
      [`12.34 ${day}`, 'amount'],
      [record.callbacks[0]?.callbackId ?? '', 'transaction'],
    ] as const) {
      for (const client of [own, operator]) {
        const { items } = (await client.call('payments.find', { query: { q } })).value();
        const item = items.find(({ id, merchantId }) => id === 'E1' && merchantId === merchant.id);
        assert.equal(item?.matched, matched, q);
      }
      assert.deepEqual((await other.call('payments.find', { query: { q } })).value().items, [], q);
    }
  });

  it('the search finds a payout by the email address that it goes to', async () => {
    const change = { payout_id: 'mailed', account_shown: 'jo@example.com', transaction_id: 2 ** 50 };
    await gateway.database.pool.query(
      `insert into payouts select (jsonb_populate_record(p, $2)).* from payouts as p where merchant_id = $1 and payout_id = 'E1'`,
      [merchant.id, JSON.stringify(change)],
    );
    const other = await manageClient(gateway, { merchantId: (await gateway.merchant({ funds: {} })).id });
    for (const [client, ids] of [
      [own, ['mailed']],
      [operator, ['mailed']],
      [other, []],
    ] as const) {
      const { items } = (await client.call('payments.find', { query: { q: 'jo@example.com' } })).value();
      assert.deepEqual(
        items.map(({ id }) => id),
        ids,
      );
    }
    await gateway.database.pool.query(`delete from payouts where payout_id = 'mailed'`);
  });

  it('the search finds nothing for an unknown string', async () => {
    assert.deepEqual((await operator.call('payments.find', { query: { q: 'nobody@example.com' } })).value().items, []);
    assert.equal((await operator.call('payments.find', { query: { q: 'a\u0000b' } })).status, 400);
  });
});

describe('exports', () => {
  it('a filtered list is exported as CSV that does not run a formula', async () => {
    const { secret } = await secretOf(merchant.id);
    const answer = await get('/exports/payouts?state=blocked', secret);
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8');
    const [header = '', row = '', ...rest] = (await answer.text()).split('\r\n');
    assert.match(header, /^merchantId,payoutId,transactionId,/);
    assert.ok(row.startsWith(`${merchant.id},'-E2,`), row);
    assert.match(row, /\*\*\*\w{4}/);
    assert.deepEqual(rest, ['']);
    const entries = await until('the export has ended', async () => {
      const { items } = (await own.call('audit.list', { query: { act: 'payouts.export' } })).value();
      return items.length === 2 ? items : undefined;
    });
    assert.deepEqual(entries.map(({ phase }) => phase).sort(), ['begun', 'done']);
    assert.deepEqual(entries.find(({ phase }) => phase === 'done')?.detail, { rows: 1, isWhole: true });
    const audit = (await (await get('/exports/audit?act=payouts.export', secret)).text()).split('\r\n');
    assert.match(audit[0] ?? '', /^merchantId,number,at,/);
    assert.match(audit[1] ?? '', /,done,payouts\.export,exports\/payouts,token,/);
    assert.equal(audit.length, 4);
  });

  it('a filtered list is exported as a spreadsheet, whose amounts are numbers and whose strings are not formulas', async () => {
    const { secret } = await secretOf(merchant.id);
    const answer = await get('/exports/payouts?state=blocked&format=xlsx', secret);
    assert.match(answer.headers.get('content-disposition') ?? '', /filename="payouts\.xlsx"/);
    const archive = Buffer.from(await answer.arrayBuffer());
    assert.match(entryOf(archive, 'xl/sharedStrings.xml'), />-E2</);
    const sheet = entryOf(archive, 'xl/worksheets/sheet1.xml');
    assert.match(sheet, /<v>\d+\.?\d*<\/v>/);
    assert.doesNotMatch(sheet, /<f[ >]/);
  });

  it('an export stops before its last rows when its token is revoked during the export', async () => {
    const rows = 30_000;
    const note = 'x'.repeat(180);
    await gateway.database.pool.query(
      `insert into callbacks (merchant_id, callback_id, subject, subject_id, payload, state, created_at)
       select $1, 'c' || n || $3, 'payout', 'P' || n, '[]', 'delivered', timestamptz '2020-01-01' + n * interval '1 second'
       from generate_series(1, $2::int) as n`,
      [merchant.id, rows, note],
    );
    const { tokenId, secret } = await secretOf(merchant.id);
    const answer = await get('/exports/callbacks?subject=payout&to=2021-01-01T00:00:00Z', secret);
    const reader = answer.body?.getReader();
    assert.ok((await reader?.read())?.value);
    await gateway.operations.tokens.revoke(tokenId);
    await assert.rejects(async () => {
      while (!(await reader?.read())?.done);
    });
    const ended = await until('the export has ended', async () => {
      const { items } = (await own.call('audit.list', { query: { act: 'callbacks.export' } })).value();
      return items.find(({ phase }) => phase !== 'begun');
    });
    assert.equal(ended.phase, 'rejected');
    assert.ok((ended.detail as { rows: number }).rows < rows);
    await gateway.database.pool.query(`delete from callbacks where created_at < timestamptz '2021-01-01'`);
  });

  it('an export needs the permission of its list and stays within its merchant', async () => {
    const { secret } = await secretOf(merchant.id);
    assert.equal((await get('/exports/deposits', secret)).status, 403);
    assert.equal((await get('/exports/payouts?merchantId=NOBODY', secret)).status, 404);
    assert.equal((await get('/exports/payouts?nothing=1', secret)).status, 400);
    assert.equal((await get('/exports/payouts', 'x')).status, 401);
  });
});
