/**
 * Feeds made-up responses to the rail: a response that WayForPay's pages do not describe, or about another order, does not
 * prove anything.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import { Secret } from '../../foundation/secret.ts';
import { openWayForPayUnderTest, type WayForPayConnection, type WayForPayUnderTest } from './rail-under-test.ts';
import { signatureOf } from './signature.ts';

const KEY = new Secret('flk3409refn54t54t*FNJRET');
const LEADING = 'merchantAccount;orderReference;amount;currency';

describe('unusable responses about a WayForPay payout', () => {
  let answer: { status: number; body: string } = { status: 200, body: '' };
  let asked: string[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    asked.push(JSON.parse(text).transactionType);
    response.writeHead(answer.status).end(answer.body);
  });
  let bench: WayForPayUnderTest;
  let connection: WayForPayConnection;

  before(async () => {
    bench = await openWayForPayUnderTest();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    connection = bench.connect({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await connection.close();
    await bench.close();
  });

  const order = (reference = '17-AbCd1234') => bench.order({ reference });

  /** A signed, approved response about the order, with `change` applied before the signature. */
  function approved(change: Record<string, unknown> = {}): string {
    const fields: Record<string, unknown> = {
      merchantAccount: 'test_merch_n1',
      orderReference: '17-AbCd1234',
      amount: 100.7,
      currency: 'UAH',
      authCode: '123456',
      transactionStatus: 'Approved',
      reasonCode: 1100,
      ...change,
    };
    const names = `${LEADING};authCode;transactionStatus;reasonCode`.split(';');
    const values = names.map((name) => String(fields[name] ?? ''));
    return JSON.stringify({ merchantSignature: signatureOf(values, KEY), ...fields });
  }

  it('an approved and signed WayForPay response about the order executes the payout', async () => {
    answer = { status: 200, body: approved() };
    assert.deepEqual(await connection.rail.send(order(), noDeadline()), { kind: 'executed' });
    assert.deepEqual(await connection.rail.ask(order(), noDeadline()), { kind: 'executed' });
  });

  const nothingProved: readonly (readonly [status: number, body: string])[] = [
    [200, ''],
    [200, 'OK'],
    [200, '[]'],
    [200, 'null'],
    [200, '{}'],
    [200, '{"reasonCode":1100,"reason":"Ok"}'],
    [200, '{"reasonCode":1129,"reason":"Script Error"}'],
    [200, '{"reasonCode":1131}'],
    [200, '{"reasonCode":1199}'],
    [200, '{"reasonCode":"11001"}'],
    [200, approved({ merchantSignature: '' })],
    [200, approved({ merchantSignature: undefined })],
    [200, approved({ orderReference: '18-AbCd1234' })],
    [200, approved({ merchantAccount: 'test_merch_n2' })],
    [200, approved({ amount: 100.51 })],
    [200, approved({ currency: 'USD' })],
    [200, approved({ transactionStatus: 'Done' })],
    [200, approved({ reasonCode: 1101 })],
    [200, approved({ transactionStatus: 'Declined', reasonCode: 1129 })],
    [201, approved()],
    [204, ''],
    [301, ''],
    [400, '{"reasonCode":1113}'],
    [401, ''],
    [403, '{"reasonCode":1127}'],
    [404, ''],
    [429, ''],
    [500, approved()],
    [502, '<html>'],
    [503, '{"reasonCode":1136}'],
    [504, ''],
  ];
  for (const [status, body] of nothingProved)
    it(`the HTTP ${status} response ${body || 'without a body'} from WayForPay leaves the outcome of the payout unknown`, async () => {
      answer = { status, body };
      assert.equal((await connection.rail.send(order(), noDeadline())).kind, 'unknown');
      assert.equal((await connection.rail.ask(order(), noDeadline())).kind, 'unknown');
      assert.deepEqual(connection.refusedCredentials, []);
    });

  it('the WayForPay response “not found” to a sent payout leaves its outcome unknown', async () => {
    answer = { status: 200, body: '{"reason":"Order Not Found","reasonCode":1127}' };
    assert.equal((await connection.rail.send(order(), noDeadline())).kind, 'unknown');
    assert.deepEqual(await connection.rail.ask(order(), noDeadline()), { kind: 'not_found' });
  });

  it('a repeated WayForPay reference that WayForPay rejects never declines the first payout', async () => {
    for (const transactionStatus of [undefined, 'Declined']) {
      answer = { status: 200, body: approved({ transactionStatus, reasonCode: 1112 }) };
      assert.equal((await connection.rail.send(order(), noDeadline())).kind, 'pending');
      assert.equal((await connection.rail.ask(order(), noDeadline())).kind, 'unknown');
    }
  });

  it('a rejected WayForPay payout is queried once and never sent again', async () => {
    asked = [];
    answer = { status: 200, body: '{"reason":"Invalid Card","reasonCode":1105}' };
    assert.equal((await connection.rail.send(order(), noDeadline())).kind, 'unknown');
    assert.deepEqual(asked, ['P2P_CREDIT', 'CHECK_STATUS']);
  });
});
