/**
 * Feeds made-up responses to the rail: a response that Epoint's documents do not describe, or about another payout, does not
 * prove anything.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import { type EpointConnection, type EpointUnderTest, openEpointUnderTest } from './rail-under-test.ts';

describe('unusable responses about an Epoint payout', () => {
  let answer: { status: number; body: string } = { status: 200, body: '' };
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(answer.status).end(answer.body));
  });
  let bench: EpointUnderTest;
  let connection: EpointConnection;

  before(async () => {
    bench = await openEpointUnderTest();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    connection = bench.connect({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/1` });
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await connection.close();
    await bench.close();
  });

  const order = () => bench.order({ reference: '17-AbCd1234' });
  const paid = (change: object = {}) =>
    JSON.stringify({ status: 'success', transaction: 'te1', order_id: '17-AbCd1234', amount: 30.75, ...change });

  it('Epoint’s documented response about the order executes the payout', async () => {
    answer = { status: 200, body: paid() };
    assert.deepEqual(await connection.rail.send(order(), noDeadline()), { kind: 'executed' });
    assert.deepEqual(await connection.rail.ask(order(), noDeadline()), { kind: 'executed' });
  });

  const nothingProved: readonly (readonly [status: number, body: string])[] = [
    [200, ''],
    [200, 'OK'],
    [200, '[]'],
    [200, 'null'],
    [200, '{}'],
    [200, '{"status":"success"}'],
    [200, '{"status":"failed","code":"116"}'],
    [200, '{"status":"error","message":"order_id is used","trace_id":"1"}'],
    [200, '{"status":"server_error","message":"busy"}'],
    [200, paid({ status: 'ok' })],
    [200, paid({ status: 'Success' })],
    [200, paid({ status: 'server_error' })],
    [200, paid({ status: 'failed', code: '909' })],
    [200, paid({ order_id: '18-AbCd1234' })],
    [200, paid({ transaction: null })],
    [200, paid({ amount: 30.74 })],
    [200, paid({ amount: 'x' })],
    [200, paid({ card_mask: '555555******4444' })],
    [201, paid()],
    [204, ''],
    [301, ''],
    [400, paid({ status: 'failed' })],
    [401, '{"status":"server_error","message":"Signature did not match"}'],
    [403, ''],
    [404, '{"status":"error"}'],
    [422, '{"status":"error"}'],
    [429, ''],
    [500, paid()],
    [502, '<html>'],
    [503, ''],
  ];
  for (const [status, body] of nothingProved)
    it(`the HTTP ${status} response ${body || 'without a body'} from Epoint leaves the outcome of the payout unknown`, async () => {
      answer = { status, body };
      assert.equal((await connection.rail.send(order(), noDeadline())).kind, 'unknown');
      assert.equal((await connection.rail.ask(order(), noDeadline())).kind, 'unknown');
      assert.deepEqual(connection.refusedCredentials, []);
    });
});
