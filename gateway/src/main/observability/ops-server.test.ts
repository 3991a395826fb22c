import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock, SECOND_MS } from '../../foundation/clock.ts';
import type { SchemaState } from '../../storage/migrations/schema-state.ts';
import { createReadiness } from './health.ts';
import { createOpsServer } from './ops-server.ts';

function open() {
  const clock = createManualClock(0);
  const state = { schema: async (): Promise<SchemaState> => 'fit', draining: false, clockIsRight: true, looks: 0 };
  const readiness = createReadiness({
    clock,
    isDraining: () => state.draining,
    clockIsRight: async () => state.clockIsRight,
    schemaState: () => {
      state.looks += 1;
      return state.schema();
    },
  });
  const app = createOpsServer({
    metrics: { contentType: 'text/plain; version=0.0.4', text: async () => 'a_metric 1\n' },
    readiness: async () => ({ status: await readiness() }),
  });
  const get = async (path: string) => {
    const { statusCode, body } = await app.inject(path);
    return [statusCode, body];
  };
  return { app, clock, state, get };
}

describe('the operator’s listener', () => {
  it('/metrics is served with Prometheus’s content type', async () => {
    const { app } = open();
    const response = await app.inject('/metrics');
    assert.deepEqual([response.statusCode, response.body], [200, 'a_metric 1\n']);
    assert.match(String(response.headers['content-type']), /^text\/plain; version=0\.0\.4/);
  });

  it('/healthz returns alive as long as the process responds, whatever else fails', async () => {
    const { get, state } = open();
    state.schema = () => Promise.reject(new Error('no database'));
    state.draining = true;
    assert.deepEqual(await get('/healthz'), [200, '{"status":"alive"}']);
  });

  it('/readyz returns ready only when the process can serve requests', async () => {
    const { get, state, clock } = open();
    assert.deepEqual(await get('/readyz'), [200, '{"status":"ready"}']);
    clock.advance(SECOND_MS);
    state.clockIsRight = false;
    assert.deepEqual(await get('/readyz'), [503, '{"status":"clock is off"}']);
    clock.advance(SECOND_MS);
    state.schema = async () => 'outdated';
    assert.deepEqual(await get('/readyz'), [503, '{"status":"migrations missing"}']);
    clock.advance(SECOND_MS);
    state.schema = async () => 'too_new';
    assert.deepEqual(await get('/readyz'), [503, '{"status":"version too old"}']);
    clock.advance(SECOND_MS);
    state.schema = () => Promise.reject(new Error('no database'));
    assert.deepEqual(await get('/readyz'), [503, '{"status":"database unreachable"}']);
    state.draining = true;
    assert.deepEqual(await get('/readyz'), [503, '{"status":"draining"}']);
  });

  it('/readyz queries the database at most once a second for any number of requests', async () => {
    const { get, state, clock } = open();
    await Promise.all(Array.from({ length: 50 }, () => get('/readyz')));
    assert.equal(state.looks, 1);
    clock.advance(SECOND_MS);
    await get('/readyz');
    assert.equal(state.looks, 2);
  });

  it('/readyz stops waiting for a database that does not respond', async () => {
    const { get, state, clock } = open();
    state.schema = () => new Promise(() => {});
    const answer = get('/readyz');
    while (state.looks === 0) await new Promise(setImmediate);
    clock.advance(2 * SECOND_MS);
    assert.deepEqual(await answer, [503, '{"status":"database unreachable"}']);
  });
});
