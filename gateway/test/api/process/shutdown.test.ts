/**
 * Shutdown of a gateway: it responds to the requests that it has received, and no keep-alive connection delays the shutdown.
 */
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGateway } from '../../support/gateway/running-gateway.ts';
import { until, within } from '../../support/tools/until.ts';

/** Posts over a keep-alive connection. */
function postKeptAlive(agent: Agent, url: string, body: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
      (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve(text));
      },
    );
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}

test('a request in flight during a stop gets its response, and its connection is closed', async () => {
  const gateway = await startGateway({ pace: { rail: { timeoutMs: 1_000 } } });
  const agent = new Agent({ keepAlive: true });
  try {
    const merchant = await gateway.merchant({ settings: { reply_wait_ms: '1000' } });
    const url = `${gateway.url}/merchant/api/payout_send`;
    const answered = [1, 1, 1].map((method, index) =>
      postKeptAlive(agent, url, merchant.request(method, `last-${index}`, { amount: '10.45' })),
    );
    await until('the gateway has accepted the payouts', async () => {
      const { rowCount } = await gateway.database.pool.query('select from payouts');
      return rowCount === answered.length;
    });
    await within(30_000, 'the stop', gateway.stop());
    for (const text of await Promise.all(answered)) assert.equal(JSON.parse(text).status, 'Pending');
  } finally {
    agent.destroy();
  }
});

test('an idle or half-sent connection does not delay the stop', async () => {
  const gateway = await startGateway();
  const port = Number(new URL(gateway.url).port);
  const sockets = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  for (const socket of sockets) socket.on('error', () => {});
  sockets[1]?.write('POST /payment/balance HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
  await sleep(100);
  try {
    await within(30_000, 'the stop', gateway.stop());
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});
