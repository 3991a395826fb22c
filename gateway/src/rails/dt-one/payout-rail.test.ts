/** Runs payouts against DT One's simulator with each of its faults, and against servers with other responses. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { deadlineAfter, noDeadline } from '../../../test/support/tools/deadlines.ts';
import { createManualClock, HOUR_MS, SECOND_MS } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import {
  connectDtOne,
  type DtOneConnection,
  type DtOneUnderTest,
  openDtOneUnderTest,
  testTengeOrder,
} from './rail-under-test.ts';

describe('payouts over DT One', () => {
  let bench: DtOneUnderTest;
  before(async () => {
    bench = await openDtOneUnderTest();
  });
  beforeEach(() => bench.reset());
  after(() => bench.close());

  const faults = (change: object) => bench.control('faults', change);
  const summary = () => bench.control('summary');
  const pending = { kind: 'pending' };
  const executed = { kind: 'executed' };
  const declined = (blockedReason: string, message: string) => ({
    kind: 'declined',
    blockedReason,
    reason: `DT One reports ${message}`,
  });
  const settle = () => {
    for (let step = 0; step < 3; step++) bench.clock.advance(SECOND_MS);
  };

  const ways: readonly (readonly [fault: object, answer: object, end: object, executions: number])[] = [
    [{ transactions: 'complete' }, pending, executed, 1],
    [{ transactions: 'complete_at_once' }, executed, executed, 1],
    [
      { transactions: 'decline', why: 'INELIGIBLE-CREDIT-PARTY' },
      pending,
      declined('invalid_beneficiary', 'DECLINED-INELIGIBLE-CREDIT-PARTY'),
      0,
    ],
    [{ transactions: 'reject' }, pending, declined('unspecified', 'REJECTED'), 0],
    [
      { transactions: 'reject_at_once', why: 'LIMITATIONS-ON-CREDIT-PARTY-AMOUNT' },
      declined('limit_or_risk', 'REJECTED-LIMITATIONS-ON-CREDIT-PARTY-AMOUNT'),
      declined('limit_or_risk', 'REJECTED-LIMITATIONS-ON-CREDIT-PARTY-AMOUNT'),
      0,
    ],
    [
      { float: 'rejected' },
      declined('unspecified', 'REJECTED-INSUFFICIENT-BALANCE'),
      declined('unspecified', 'REJECTED-INSUFFICIENT-BALANCE'),
      0,
    ],
    [{ look_ups: 'stale' }, pending, declined('invalid_beneficiary', 'DECLINED-INVALID-CREDIT-PARTY'), 0],
  ];
  for (const [fault, answer, end, executions] of ways)
    it(`a DT One payout under the fault ${JSON.stringify(fault)} has its documented outcome`, async () => {
      await faults(fault);
      const order = bench.order();
      assert.deepEqual(await bench.rail.send(order, noDeadline()), answer);
      settle();
      assert.deepEqual(await bench.rail.ask(order, noDeadline()), end);
      assert.equal((await summary())['executions'], executions);
    });

  it('a completed payout that DT One reverses is reversed', async () => {
    await faults({ transactions: 'reverse' });
    const order = bench.order();
    await bench.rail.send(order, noDeadline());
    settle();
    assert.deepEqual(await bench.rail.ask(order, noDeadline()), executed);
    settle();
    assert.deepEqual(await bench.rail.ask(order, noDeadline()), {
      kind: 'reversed',
      reason: 'DT One reports REVERSED',
    });
  });

  it('a DT One payout buys the product of its number’s operator', async () => {
    for (const [account, productId] of [
      ['77051234567', 9001],
      ['77011234567', 9002],
      ['77471234567', 9003],
    ] as const) {
      await bench.reset();
      assert.deepEqual(await bench.rail.send(bench.order({ beneficiary: { account } }), noDeadline()), pending);
      const { entries } = (await bench.control('book')) as { entries: { productId: number; tiyn: number }[] };
      assert.deepEqual([entries[0]?.productId, entries[0]?.tiyn], [productId, 100_025]);
    }
  });

  it('the gateway does not order a DT One payout if the operator of the number is unknown', async () => {
    const unlearnt: readonly (readonly [fault: object, kind: string])[] = [
      [{ look_ups: 'none' }, 'declined'],
      [{ look_ups: 'unidentified' }, 'declined'],
      [{ look_ups: 'throttle' }, 'not_accepted'],
      [{ look_ups: 'answer_500' }, 'not_accepted'],
      [{ look_ups: 'answer', latency_ms: 60_000 }, 'not_accepted'],
    ];
    for (const [fault, kind] of unlearnt) {
      await faults(fault);
      const answer = await bench.rail.send(bench.order(), deadlineAfter(300));
      assert.equal(answer.kind, kind, JSON.stringify(fault));
    }
    assert.equal((await summary())['transactions'], 0);
  });

  it('a DT One payout to an operator without a product is declined', async () => {
    const connection = bench.connect({ products: [{ operatorId: '2001', productId: '9001' }] });
    assert.deepEqual(await connection.rail.send(bench.order(), noDeadline()), {
      kind: 'declined',
      blockedReason: 'invalid_beneficiary',
      reason: 'DT_ONE_PRODUCTS has no product for the operator of the number',
    });
    await connection.close();
  });

  it('a timeout or a 5xx of DT One leaves the outcome of the payout unknown, and a status query finds the outcome', async () => {
    for (const [calls, status] of [
      ['accept_unanswered', 'executed'],
      ['accept_500', 'executed'],
      ['lose', 'not_found'],
      ['lose_503', 'not_found'],
    ]) {
      await faults({ calls, transactions: 'complete_at_once' });
      const order = bench.order();
      assert.equal((await bench.rail.send(order, deadlineAfter(300))).kind, 'unknown', calls);
      assert.equal((await bench.rail.ask(order, noDeadline())).kind, status, calls);
    }
    assert.equal((await summary())['executions'], 2);
  });

  it('a reused external_id at DT One leaves the outcome of the payout unknown, and a status query finds the only transaction', async () => {
    const order = bench.order();
    await bench.rail.send(order, noDeadline());
    assert.deepEqual(await bench.rail.send(order, noDeadline()), { kind: 'unknown', reason: 'HTTP 400 (1007001)' });
    settle();
    assert.deepEqual(await bench.rail.ask(order, noDeadline()), executed);
    const { executions, repeats } = await summary();
    assert.deepEqual([executions, repeats], [1, 1]);
  });

  it('an empty list and DT One’s 404 mean not found, and any other failure is unknown', async () => {
    const order = bench.order();
    await bench.rail.send(order, noDeadline());
    for (const [queries, kind] of [
      ['not_yet', 'not_found'],
      ['not_yet_404', 'not_found'],
      ['throttle', 'unknown'],
      ['answer_500', 'unknown'],
    ]) {
      await faults({ queries });
      assert.equal((await bench.rail.ask(order, noDeadline())).kind, kind, queries);
    }
  });

  it('a payout is not accepted if the balance is short or DT One limits our rate', async () => {
    for (const [fault, reason] of [
      [{ float: 'refused' }, 'the balance of our account at DT One is too low'],
      [{ calls: 'throttle' }, 'DT One rejects our requests by its rate limit'],
    ] as const) {
      await faults(fault);
      assert.deepEqual(await bench.rail.send(bench.order(), noDeadline()), { kind: 'not_accepted', reason });
      await bench.reset();
    }
  });

  it('a DT One payout above the limit of its product is declined', async () => {
    const answer = await bench.rail.send(bench.order({ money: { currency: 'KZT', minor: 10_000_001n } }), noDeadline());
    assert.equal(answer.kind === 'declined' && answer.blockedReason, 'limit_or_risk');
  });

  it('a DT One payout with a refused key is not accepted, and the rail reports the credential', async () => {
    const wrong = bench.connect({ apiSecret: new Secret('another') });
    const order = bench.order();
    const answer = await wrong.rail.send(order, noDeadline());
    assert.match(answer.kind === 'not_accepted' ? answer.reason : '', /refuses our key/);
    assert.equal((await wrong.rail.ask(order, noDeadline())).kind, 'unknown');
    assert.deepEqual(wrong.refusedCredentials, ['dt-one', 'dt-one']);
    await wrong.close();
    assert.deepEqual(await bench.rail.ask(order, noDeadline()), { kind: 'not_found' });
  });

  it('a dropped connection leaves the outcome of a DT One payout unknown; a refused connection means that DT One did not accept it', async () => {
    const nobody = connectDtOne('http://127.0.0.1:1/v1');
    assert.equal((await nobody.rail.send(bench.order(), noDeadline())).kind, 'not_accepted');
    assert.equal((await nobody.rail.ask(bench.order(), noDeadline())).kind, 'unknown');
    await nobody.close();
    await faults({ down: true });
    assert.equal((await bench.rail.ask(bench.order(), noDeadline())).kind, 'unknown');
  });
});

describe('undocumented responses of DT One', () => {
  let answer: { status: number; body: string } = { status: 200, body: '' };
  let lookedUp = '[{"id":2002,"identified":true}]';
  const server = createServer((request, response) => {
    const isLookup = request.url?.includes('/lookup/');
    const { status, body } = isLookup ? { status: 200, body: lookedUp } : answer;
    request.resume().on('end', () => response.writeHead(status).end(body));
  });
  let connection: DtOneConnection;

  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    connection = connectDtOne(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await connection.close();
  });

  const transaction = JSON.stringify({
    id: 1,
    external_id: '17-AbCd1234',
    status: { id: 70000, message: 'COMPLETED', class: { id: 7, message: 'COMPLETED' } },
  });
  const error = '{"errors":[{"code":1999999,"message":"no"}]}';
  const nothingProved: readonly (readonly [status: number, body: string])[] = [
    [200, ''],
    [200, 'OK'],
    [200, 'null'],
    [200, '{}'],
    [200, error],
    [201, '"COMPLETED"'],
    [202, transaction],
    [204, ''],
    [301, ''],
    [400, '<html>'],
    [400, error],
    [401, ''],
    [403, error],
    [404, ''],
    [404, '[]'],
    [408, ''],
    [409, error],
    [429, ''],
    [500, transaction],
    [500, '{"errors":[{"code":1008004}]}'],
    [502, '<html>'],
    [503, error],
    [504, ''],
  ];
  for (const [status, body] of nothingProved)
    it(`a DT One response HTTP ${status} with ${body || 'no body'} leaves payout, list and balance unknown`, async () => {
      answer = { status, body };
      const order = testTengeOrder('17-AbCd1234');
      assert.equal((await connection.rail.send(order, noDeadline())).kind, 'unknown');
      assert.equal((await connection.rail.ask(order, noDeadline())).kind, 'unknown');
      await assert.rejects(connection.lister.payoutsOf('2026-11-20', new AbortController().signal));
      assert.equal((await connection.float.read(noDeadline())).ok, false);
    });

  it('a malformed DT One response leaves the outcome of the payout unknown', async () => {
    const order = testTengeOrder('17-AbCd1234');
    answer = { status: 200, body: transaction };
    assert.equal((await connection.rail.ask(order, noDeadline())).kind, 'unknown');
    answer = { status: 200, body: `[${transaction}]` };
    assert.equal((await connection.rail.send(order, noDeadline())).kind, 'unknown');
  });

  it('the DT One rail limits the lookups of one mobile number per hour', async () => {
    const clock = createManualClock(0);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const limited = connectDtOne(url, {}, clock);
    const kindOf = async (account: string) => {
      const order = { ...testTengeOrder('17-AbCd1234'), beneficiary: { account } };
      return (await limited.rail.send(order, noDeadline())).kind;
    };
    lookedUp = '[]';
    const kinds = await Promise.all(Array.from({ length: 60 }, () => kindOf('77011234567')));
    assert.deepEqual(new Set(kinds), new Set(['declined']));
    lookedUp = '{}';
    assert.equal(await kindOf('77011234567'), 'declined');
    assert.equal(await kindOf('77051234567'), 'not_accepted', 'another number');
    clock.advance(HOUR_MS);
    assert.equal(await kindOf('77011234567'), 'not_accepted');
    await limited.close();
  });

  it('a DT One payout is not ordered if the operator lookup does not return a list', async () => {
    answer = { status: 201, body: transaction };
    for (lookedUp of ['{}', 'null', 'x', ''])
      assert.equal((await connection.rail.send(testTengeOrder('17-AbCd1234'), noDeadline())).kind, 'not_accepted');
  });
});
