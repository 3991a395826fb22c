/** Runs payouts against RazorpayX's simulator with each of its faults, and against servers with other responses. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { deadlineAfter, noDeadline } from '../../../test/support/tools/deadlines.ts';
import { HOUR_MS, SECOND_MS } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import {
  connectRazorpayX,
  openRazorpayXUnderTest,
  type RazorpayXConnection,
  type RazorpayXUnderTest,
  testRupeeOrder,
} from './rail-under-test.ts';

describe('payouts over RazorpayX', () => {
  let bench: RazorpayXUnderTest;
  before(async () => {
    bench = await openRazorpayXUnderTest();
  });
  beforeEach(() => bench.reset());
  after(() => bench.close());

  const faults = (change: object) => bench.control('faults', change);
  const executions = async () => (await bench.control('summary'))['executions'];
  const declined = (blockedReason: string, reason: string) => ({
    kind: 'declined',
    blockedReason,
    reason: `RazorpayX reports ${reason}`,
  });
  const executed = { kind: 'executed' };
  const processing = { kind: 'pending', note: 'RazorpayX reports processing: payout_bank_processing' };

  const ways: readonly (readonly [fault: object, answer: object, end: object, executions: number])[] = [
    [{ payouts: 'process' }, processing, executed, 1],
    [{ payouts: 'process_at_once' }, executed, executed, 1],
    [{ payouts: 'fail' }, processing, declined('bank_declined', 'failed: beneficiary_bank_rejected'), 0],
    [
      { payouts: 'fail_at_once', fail_reason: 'invalid_ifsc_code' },
      declined('invalid_beneficiary', 'failed: invalid_ifsc_code'),
      declined('invalid_beneficiary', 'failed: invalid_ifsc_code'),
      0,
    ],
    [
      { payouts: 'bank_down' },
      { kind: 'pending', note: 'RazorpayX reports queued: beneficiary_bank_down' },
      declined('bank_declined', 'failed: beneficiary_bank_offline'),
      0,
    ],
    [
      { payouts: 'reject' },
      { kind: 'pending', note: 'RazorpayX is waiting for an approval by one of our users' },
      declined('unspecified', 'rejected'),
      0,
    ],
    [
      { payouts: 'reverse_unprocessed', fail_reason: 'bank_account_closed' },
      processing,
      { kind: 'reversed', reason: 'RazorpayX reports reversed: bank_account_closed' },
      0,
    ],
  ];
  for (const [fault, answer, end, count] of ways)
    it(`a RazorpayX payout under the fault ${JSON.stringify(fault)} has its documented outcome`, async () => {
      await faults(fault);
      const order = bench.order();
      assert.deepEqual(await bench.rail.send(order, noDeadline()), answer);
      bench.clock.advance(3 * SECOND_MS);
      assert.deepEqual(await bench.rail.ask(order, noDeadline()), end);
      assert.equal(await executions(), count);
    });

  it('a processed payout that RazorpayX reverses is reversed', async () => {
    await faults({ payouts: 'reverse' });
    const order = bench.order();
    await bench.rail.send(order, noDeadline());
    bench.clock.advance(2 * SECOND_MS);
    assert.deepEqual(await bench.rail.ask(order, noDeadline()), executed);
    bench.clock.advance(3 * SECOND_MS);
    assert.equal((await bench.rail.ask(order, noDeadline())).kind, 'reversed');
  });

  it('a RazorpayX payout with a short balance is pending, and its note states the cause', async () => {
    await faults({ float: 'empty' });
    const order = bench.order();
    assert.deepEqual(await bench.rail.send(order, noDeadline()), {
      kind: 'pending',
      note: 'RazorpayX waits for money: our account there has too little',
    });
    await faults({ float: 'enough' });
    bench.clock.advance(4 * SECOND_MS);
    assert.deepEqual(await bench.rail.ask(order, noDeadline()), executed);
  });

  it('a timeout or an HTTP 500 of RazorpayX leaves the outcome of the payout unknown, and a status query finds the outcome', async () => {
    for (const [calls, status] of [
      ['accept_unanswered', 'executed'],
      ['accept_500', 'executed'],
      ['lose', 'not_found'],
      ['lose_500', 'not_found'],
    ]) {
      await faults({ calls, payouts: 'process_at_once' });
      const order = bench.order();
      assert.equal((await bench.rail.send(order, deadlineAfter(200))).kind, 'unknown', calls);
      assert.equal((await bench.rail.ask(order, noDeadline())).kind, status, calls);
    }
    assert.equal(await executions(), 2);
  });

  it('“not found” from RazorpayX does not prove for an hour that nothing was paid', async () => {
    assert.equal(bench.rail.notFoundProofMs, HOUR_MS);
    await faults({ lists: 'not_yet' });
    const order = bench.order();
    await bench.rail.send(order, noDeadline());
    assert.deepEqual(await bench.rail.ask(order, noDeadline()), { kind: 'not_found' });
  });

  it('a RazorpayX payout that is sent twice is created once, whichever status the second response has', async () => {
    for (const repetitions of ['latest', 'first']) {
      await bench.reset();
      await faults({ repetitions });
      const order = bench.order();
      await bench.rail.send(order, noDeadline());
      bench.clock.advance(2 * SECOND_MS);
      const again = await bench.rail.send(order, noDeadline());
      assert.equal(again.kind, repetitions === 'latest' ? 'executed' : 'pending');
      assert.equal(await executions(), 1);
    }
  });

  it('a RazorpayX payout under a used reference with different content has an unknown outcome', async () => {
    const order = bench.order();
    await bench.rail.send(order, noDeadline());
    const answer = await bench.rail.send({ ...order, remittance: 'M1/B18' }, noDeadline());
    assert.deepEqual(answer, {
      kind: 'unknown',
      reason: 'HTTP 400: Different request body sent for the same Idempotency Header',
    });
  });

  it('a rate-limited RazorpayX payout is not accepted, and a rate-limited query has an unknown outcome', async () => {
    await faults({ calls: 'throttle', lists: 'throttle' });
    const order = bench.order();
    const reason = 'RazorpayX rejects our requests by its rate limit';
    assert.deepEqual(await bench.rail.send(order, noDeadline()), { kind: 'not_accepted', reason });
    assert.deepEqual(await bench.rail.ask(order, noDeadline()), { kind: 'unknown', reason });
    assert.deepEqual(bench.refusedCredentials, []);
  });

  it('a RazorpayX payout with a refused key or address is not accepted, and the rail reports the credential', async () => {
    const wrong = bench.connect({ keySecret: new Secret('another') });
    const order = bench.order();
    const answer = await wrong.rail.send(order, noDeadline());
    assert.match(answer.kind === 'not_accepted' ? answer.reason : '', /refuses our key/);
    assert.equal((await wrong.rail.ask(order, noDeadline())).kind, 'unknown');
    assert.deepEqual(wrong.refusedCredentials, ['razorpayx', 'razorpayx']);
    await wrong.close();
    await faults({ calls: 'refuse_address' });
    const elsewhere = bench.connect();
    const refused = await elsewhere.rail.send(order, noDeadline());
    assert.match(refused.kind === 'not_accepted' ? refused.reason : '', /allow-list/);
    assert.deepEqual(elsewhere.refusedCredentials, ['razorpayx']);
    await elsewhere.close();
    assert.deepEqual(await bench.rail.ask(order, noDeadline()), { kind: 'not_found' });
  });

  it('a RazorpayX error about the beneficiary declines the payout; an error about our fields means not accepted', async () => {
    const elsewhere = bench.connect({ accountNumber: '123456' });
    assert.deepEqual(await elsewhere.rail.send(bench.order(), noDeadline()), {
      kind: 'not_accepted',
      reason: 'RazorpayX refuses the field account_number',
    });
    await elsewhere.close();
    const order = bench.order();
    const unreadable = { ...order, beneficiary: { ...order.beneficiary, account: '1234' } };
    assert.deepEqual(await bench.rail.send(unreadable, noDeadline()), {
      kind: 'declined',
      blockedReason: 'invalid_beneficiary',
      reason: 'RazorpayX refuses account',
    });
  });

  it('a dropped connection leaves the outcome of a RazorpayX payout unknown; a refused connection means that RazorpayX did not accept it', async () => {
    await faults({ down: true });
    assert.equal((await bench.rail.send(bench.order(), noDeadline())).kind, 'unknown');
    const nobody = connectRazorpayX('http://127.0.0.1:1/v1');
    assert.deepEqual(await nobody.rail.send(bench.order(), noDeadline()), {
      kind: 'not_accepted',
      reason: 'no connection: ECONNREFUSED',
    });
    assert.equal((await nobody.rail.ask(bench.order(), noDeadline())).kind, 'unknown');
    await nobody.close();
  });
});

describe('undocumented responses of RazorpayX', () => {
  let answer: { status: number; body: string } = { status: 200, body: '' };
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(answer.status).end(answer.body));
  });
  let connection: RazorpayXConnection;

  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    connection = connectRazorpayX(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await connection.close();
  });

  const payout = JSON.stringify({
    id: 'pout_00000000000001',
    entity: 'payout',
    amount: 10_025,
    currency: 'INR',
    reference_id: '17-AbCd1234',
    status: 'processed',
    created_at: 1,
  });
  const error = '{"error":{"code":"BAD_REQUEST_ERROR","description":"no","reason":"other"}}';
  const nothingProved: readonly (readonly [status: number, body: string])[] = [
    [200, ''],
    [200, 'OK'],
    [200, '[]'],
    [200, 'null'],
    [200, error],
    [201, payout],
    [202, payout],
    [204, ''],
    [301, ''],
    [400, '<html>'],
    [400, '{"error":"bad gateway"}'],
    [400, error],
    [401, ''],
    [403, error],
    [404, error],
    [404, '{"entity":"collection","count":0,"items":[]}'],
    [408, ''],
    [409, error],
    [429, ''],
    [500, payout],
    [502, '<html>'],
    [503, error],
    [504, ''],
  ];
  for (const [status, body] of nothingProved)
    it(`the HTTP ${status} response ${body || 'without a body'} from RazorpayX leaves payout, list and balance unknown`, async () => {
      answer = { status, body };
      const order = testRupeeOrder('17-AbCd1234');
      assert.equal((await connection.rail.send(order, noDeadline())).kind, 'unknown');
      assert.equal((await connection.rail.ask(order, noDeadline())).kind, 'unknown');
      await assert.rejects(connection.lister.payoutsOf('2026-11-20', new AbortController().signal));
      assert.equal((await connection.float.read(noDeadline())).ok, false);
    });

  it('a RazorpayX list instead of a payout, or a payout instead of a list, leaves the outcome of the payout unknown', async () => {
    const order = testRupeeOrder('17-AbCd1234');
    answer = { status: 200, body: payout };
    assert.equal((await connection.rail.ask(order, noDeadline())).kind, 'unknown');
    answer = { status: 200, body: `{"entity":"collection","count":1,"items":[${payout}]}` };
    assert.equal((await connection.rail.send(order, noDeadline())).kind, 'unknown');
  });
});
