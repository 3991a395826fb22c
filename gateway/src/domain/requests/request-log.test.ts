import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import { createSeededRandom } from '../../foundation/random.ts';
import { createRequestLog, type ObservedRequest, type RequestLogParts } from './request-log.ts';
import type { NewRecord } from './request-log-store.ts';

const CARD = '4111111111111111';

function observed(change: Partial<ObservedRequest> = {}): ObservedRequest {
  return {
    merchantId: 'M1',
    receivedAt: 0,
    endpoint: 'payout_send',
    outcome: 'unproven',
    reason: 'sign_error',
    description: 'Sign error',
    method: 'POST',
    httpStatus: 200,
    clientAddress: '::1',
    durationMs: 1,
    subjectId: null,
    headers: { 'x-sign': 'abcdefgh' },
    request: Buffer.from(`{"account":"${CARD}"}`),
    reply: Buffer.from('{}'),
    ...change,
  };
}

function stage(store: Partial<RequestLogParts['store']> = {}) {
  const clock = createManualClock(0);
  const written: NewRecord[] = [];
  const trimmed: string[] = [];
  const dropped: Record<string, number> = {};
  const log = createRequestLog({
    store: {
      append: async (records) => void written.push(...records),
      trim: async (merchantId, outcome, kept) => void trimmed.push(`${merchantId} ${outcome} ${kept}`),
      ...store,
    },
    directory: {
      find: async (merchantId) => (merchantId === 'M1' ? ({ keys: { api: [], form: [] } } as never) : undefined),
    },
    vault: {
      sealFields: (merchantId, _at, fields) => ({
        merchantId,
        token: String(Object.keys(fields)),
        sealed: {} as never,
      }),
    },
    clock,
    random: createSeededRandom('log'),
    onDropped: (cause, count) => {
      dropped[cause] = (dropped[cause] ?? 0) + count;
    },
  });
  const pass = async (ms: number) => {
    clock.advance(ms);
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  };
  return { log, clock, written, trimmed, dropped, pass };
}

describe('the request log', () => {
  it('the request log writes its queue in one batch after a second', async () => {
    const { log, written, pass } = stage();
    log.record(observed());
    log.record(observed({ reason: 'invalid_field', outcome: 'rejected' }));
    assert.equal(written.length, 0);
    await pass(SECOND_MS);
    assert.deepEqual(
      written.map(({ record }) => [record.request.toString(), record.headers['x-sign'], record.vaultToken]),
      [
        ['{"account":"411111******1111"}', 'abcdefgh', 'request'],
        ['{"account":"411111******1111"}', 'abcd****', null],
      ],
    );
    assert.ok(!JSON.stringify(written).includes(CARD));
  });

  it('the request log accepts a limited number of requests per merchant and minute and counts the others as dropped', async () => {
    const { log, clock, dropped } = stage();
    const taken = (outcome: 'accepted' | 'unproven') =>
      Array.from({ length: 1_000 }, () => log.wants('M1', outcome)).filter(Boolean).length;
    assert.deepEqual([taken('unproven'), taken('accepted')], [60, 6]);
    assert.deepEqual(dropped, { budget: 940 });
    clock.advance(MINUTE_MS);
    assert.equal(taken('unproven'), 60);
  });

  it('the request log accepts requests of a limited number of unknown merchant ids', () => {
    const { log } = stage();
    const taken = Array.from({ length: 11_000 }, (_, n) => log.wants(`junk${n}`, 'unproven')).filter(Boolean);
    assert.equal(taken.length, 10_000);
    const unread = Array.from({ length: 1_000 }, (_, n) => log.wantsUnread(`junk${n}`)).filter(Boolean);
    assert.equal(unread.length, 300);
  });

  it('the request log drops requests when its queue is full, and never writes requests of unknown merchants', async () => {
    const { log, written, dropped, pass } = stage();
    for (let n = 0; n < 1_000; n += 1) log.record(observed({ merchantId: n % 2 ? 'M1' : 'NOBODY' }));
    assert.deepEqual(dropped, { queue: 500 });
    await pass(SECOND_MS);
    assert.equal(written.length, 250);
  });

  it('the request log continues after the database failed and counts the lost requests', async () => {
    let fails = true;
    const { log, dropped, pass, written } = stage({
      append: async (records) => {
        if (fails) throw new Error('away');
        written.push(...records);
      },
    });
    log.record(observed());
    await pass(SECOND_MS);
    assert.deepEqual(dropped, { store: 1 });
    fails = false;
    log.record(observed());
    await pass(SECOND_MS);
    assert.equal(written.length, 1);
  });

  it('the request log deletes a merchant’s excess requests once per fifty recorded requests', async () => {
    const { log, trimmed } = stage();
    for (let n = 0; n < 49; n += 1) log.record(observed());
    await log.close();
    assert.deepEqual(trimmed, []);
    log.record(observed());
    await log.close();
    assert.deepEqual(trimmed, ['M1 unproven 300']);
  });

  it('the request log truncates a long request and does not seal its exact bytes', async () => {
    const { log, written } = stage();
    log.record(observed({ request: Buffer.alloc(20_000, 'x') }));
    await log.close();
    const [only] = written;
    assert.deepEqual([only?.record.request.length, only?.record.requestBytes, only?.sealed], [16_384, 20_000, null]);
  });
});
