/** Feeds responses of faulty or foreign servers to the rail. A response without proof must change nothing. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import { TRUSTLY_LARGEST_ANSWER_BYTES } from './queries.ts';
import { openTrustlyUnderTest, type TrustlyUnderTest } from './rail-under-test.ts';

describe('unauthenticated responses to the Trustly rail', () => {
  let bench: TrustlyUnderTest;
  let answer: { readonly status: number; readonly body: string };
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(answer.status).end(answer.body));
  });

  before(async () => {
    bench = await openTrustlyUnderTest();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    server.close();
    server.closeAllConnections();
    await bench.close();
  });

  const unsigned = (code: number, message: string) =>
    JSON.stringify({ error: { code, message, error: { uuid: null, method: null, data: { code, message } } } });
  const page = { orderid: '1', url: 'http://127.0.0.1:1/checkout' };
  const answers: readonly (readonly [what: string, status: number, body: string, reason: RegExp, alarms: number])[] = [
    ['without a body', 200, '', /^HTTP 200$/, 0],
    ['with a proxy’s HTML page', 502, '<html>', /^HTTP 502$/, 0],
    ['with an unsigned page for the payer', 200, JSON.stringify({ result: { data: page } }), /not signed/, 0],
    [
      'with an unsigned error that the payer is blocked',
      200,
      unsigned(638, 'ERROR_ENDUSER_IS_BLOCKED'),
      /^Trustly reports 638/,
      0,
    ],
    [
      'with an unsigned error about our credentials',
      200,
      unsigned(616, 'ERROR_INVALID_CREDENTIALS'),
      /^Trustly reports 616/,
      2,
    ],
    ['with markup', 200, unsigned(1, '<script>'), /^Trustly reports 1$/, 0],
    ['above the size limit', 200, ' '.repeat(TRUSTLY_LARGEST_ANSWER_BYTES + 1), /over \d+ bytes/, 0],
  ];
  for (const [what, status, body, reason, alarms] of answers) {
    it(`a Trustly response ${what} leaves the outcomes of payment and refund unknown`, async () => {
      answer = { status, body };
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/1`;
      const connection = bench.connect({ url });
      const order = bench.order();
      const refund = {
        payment: { ...order, providerReference: '1' },
        reference: '99-ReFu1234',
        money: order.money,
        startedAt: order.startedAt,
      };
      const said = [
        await connection.rail.start(order, null, noDeadline()),
        await connection.rail.refund?.(refund, noDeadline()),
      ];
      for (const one of said) assert.ok(one?.kind === 'unknown' && reason.test(one.reason), JSON.stringify(one));
      assert.equal(connection.refusedCredentials.length, alarms);
      await connection.close();
    });
  }
});
