/**
 * Payouts to Indian accounts (method 26) through a whole gateway: asked for by a merchant, carried by the real connector to
 * RazorpayX's simulator, told back by webhooks, ended by a callback. What the merchant is told and has left is held against
 * RazorpayX's own book.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../../rail-simulators/src/clock.ts';
import { readSettingsOf } from '../../../rail-simulators/src/environment.ts';
import type { ProviderServer } from '../../../rail-simulators/src/provider-server/start-provider.ts';
import { startRazorpayX } from '../../../rail-simulators/src/razorpayx/razorpayx-server.ts';
import { assertGenuine } from '../support/callback-receiver.ts';
import { freePort, type RunningGateway, startGateway } from '../support/running-gateway.ts';
import { askSimulator } from '../support/simulator-control.ts';
import type { TestMerchant } from '../support/test-merchant.ts';
import { until } from '../support/until.ts';

const DELAYS = { settleMs: 150, reverseMs: 600, lateMs: 300, holdMs: 1_000 };

let folder = '';
let gateway: RunningGateway;
let razorpayx: ProviderServer;
let merchants = 0;
/** How many payouts ended as success, so far. */
let executed = 0;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payouts-razorpayx-'));
  const [port, razorpayxPort] = [await freePort(), await freePort()];
  const environment = {
    RAZORPAYX_PORT: String(razorpayxPort),
    RAZORPAYX_WEBHOOK_URL: `http://127.0.0.1:${port}/rail-notifications/razorpayx`,
    RAZORPAYX_BOOK: join(folder, 'razorpayx.jsonl'),
  };
  const settings = readSettingsOf('razorpayx', environment, folder);
  const here = { host: '127.0.0.1', clock: systemClock, log: () => {} };
  razorpayx = await startRazorpayX({ ...here, ...settings, delays: DELAYS });
  const rail = { timeoutMs: 500, notFoundProofMs: 500, askAfterMs: [200, 400] } as const;
  gateway = await startGateway({
    withoutBank: true,
    variables: { PORT: String(port), RAZORPAYX_URL: `http://127.0.0.1:${razorpayxPort}/v1` },
    pace: { rail, recordingMs: 1_000 },
  });
});
after(async () => {
  const summary = await control('summary');
  await gateway.verifyAndStop();
  await razorpayx.close();
  await rm(folder, { recursive: true });
  assert.deepEqual([summary['executions'], summary['executed_over_once']], [executed, []], 'each payout left once');
});

const USUAL = { calls: 'take', lists: 'answer', payouts: 'process', fail_reason: 'beneficiary_bank_rejected' };
beforeEach(() => faults({ ...USUAL, float: 'enough', notifications: 'on', down: false }));

const control = (what: string, body?: object) =>
  askSimulator({ url: razorpayx.url, secret: 'razorpayx-control-secret' }, what, body);
const faults = (change: object) => control('faults', change);

interface Sent {
  readonly merchant: TestMerchant;
  readonly payoutId: string;
}

/** 10.00 INR, of a merchant who has 100.00. */
async function send(change: Readonly<Record<string, unknown>> = {}): Promise<Sent> {
  const merchant = await gateway.merchant({ funds: { INR: '100.00' } });
  const payoutId = `R${++merchants}`;
  const reply = await merchant.pay(26, payoutId, change);
  assert.equal(reply['status'], 'Pending', reply['description']);
  return { merchant, payoutId };
}

/** It ended so, told by one genuine callback; a success counts once in the book of the end. */
async function ends({ merchant, payoutId }: Sent, status: string, code: string): Promise<void> {
  const reply = await merchant.final(payoutId);
  assert.deepEqual([reply['status'], reply['code']], [status, code]);
  const [callback] = await until('a callback', () => {
    const arrivals = gateway.receiver.about(merchant.id, payoutId);
    return arrivals.length > 0 && arrivals;
  });
  assert.ok(callback);
  assertGenuine(callback, merchant.key);
  assert.deepEqual([callback.fields['status'], callback.fields['code']], [status, code]);
  const { rail } = (await gateway.operations.payouts.find({ merchantId: merchant.id, payoutId }))?.payout ?? {};
  assert.equal(rail, 'razorpayx');
  if (status === 'Success') executed += 1;
}

const balanceIs = (merchant: TestMerchant, wanted: string) =>
  until(`${merchant.id} has ${wanted}`, async () => (await merchant.balance('INR'))['balance'] === wanted);

describe('a payout to an Indian account', () => {
  it('is pending at first, and then executed', async () => {
    const sent = await send();
    await ends(sent, 'Success', '0');
    await balanceIs(sent.merchant, '90.00');
  });

  const declines: readonly (readonly [fault: object, code: string, what: string])[] = [
    [{ payouts: 'fail' }, '51', 'pending, then declined by the bank'],
    [
      { payouts: 'fail_at_once', fail_reason: 'bank_account_closed' },
      '52',
      'answered with HTTP 200 that means failure',
    ],
    [{ payouts: 'fail_at_once', fail_reason: 'transaction_limit_exceeded' }, '53', 'declined for a limit'],
    [{ payouts: 'bank_down' }, '51', 'queued while the beneficiary’s bank is down, then given up'],
    [{ payouts: 'reject' }, '50', 'not approved'],
    [{ payouts: 'reverse_unprocessed' }, '50', 'reversed without ever being processed'],
  ];
  for (const [fault, code, what] of declines)
    it(`that is ${what} is blocked, and the money is the merchant’s again`, async () => {
      await faults(fault);
      const sent = await send();
      await ends(sent, 'Blocked', code);
      await balanceIs(sent.merchant, '100.00');
    });

  it('without a name is refused, and with one in letters that RazorpayX does not take blocked without being sent', async () => {
    const before = (await control('summary'))['payouts'];
    const merchant = await gateway.merchant({ funds: { INR: '100.00' } });
    const refused = await merchant.pay(26, 'nameless', { full_name: undefined });
    assert.deepEqual([refused['status'], refused['description']], ['Error', 'Invalid full_name']);
    await ends(await send({ full_name: 'रवि कुमार' }), 'Blocked', '52');
    assert.equal((await control('summary'))['payouts'], before);
  });

  for (const calls of ['take_unanswered', 'take_500'])
    it(`that was executed under ${calls} is found by asking, and not sent again`, async () => {
      await faults({ calls, notifications: 'off' });
      const sent = await send();
      await ends(sent, 'Success', '0');
      const found = await gateway.operations.payouts.find({ merchantId: sent.merchant.id, payoutId: sent.payoutId });
      assert.equal(found?.attempts.length, 1);
    });

  for (const calls of ['lose', 'lose_500'])
    it(`that never arrived under ${calls} is sent again once that is proved, under the same reference`, async () => {
      await faults({ calls });
      const sent = await send();
      const key = { merchantId: sent.merchant.id, payoutId: sent.payoutId };
      await until('a second attempt', async () => {
        const found = await gateway.operations.payouts.find(key);
        return (found?.attempts.length ?? 0) > 1;
      });
      await faults({ calls: 'take' });
      await ends(sent, 'Success', '0');
      const { attempts = [] } = (await gateway.operations.payouts.find(key)) ?? {};
      assert.equal(attempts[0]?.outcome, 'not_taken');
      assert.equal(new Set(attempts.map(({ reference }) => reference)).size, 1);
    });

  it('waits while our account at RazorpayX is empty, and goes on once it is funded', async () => {
    await faults({ float: 'empty' });
    const sent = await send();
    await sleep(3 * DELAYS.settleMs);
    assert.equal((await sent.merchant.status(sent.payoutId))['status'], 'Pending');
    await faults({ float: 'enough' });
    await ends(sent, 'Success', '0');
  });

  for (const notifications of ['off', 'twice', 'late', 'out_of_order', 'wrong_amount', 'forged', 'foreign_reference'])
    it(`ends once, with webhooks that are ${notifications}`, async () => {
      await faults({ notifications });
      const sent = await send();
      await ends(sent, 'Success', '0');
      // Long enough for what comes late or twice.
      await sleep(2 * DELAYS.lateMs);
      assert.equal(gateway.receiver.about(sent.merchant.id, sent.payoutId).length, 1);
      await balanceIs(sent.merchant, '90.00');
    });

  it('may be told of before the request for it is answered', async () => {
    await faults({ calls: 'processed_before_reply' });
    await ends(await send(), 'Success', '0');
  });

  it('does not end by what somebody else tells', async () => {
    await faults({ payouts: 'hold' });
    const sent = await send();
    const key = { merchantId: sent.merchant.id, payoutId: sent.payoutId };
    const reference = await until('it is at RazorpayX', async () => {
      const { entries } = (await control('book')) as { entries: { reference: string }[] };
      const { attempts = [] } = (await gateway.operations.payouts.find(key)) ?? {};
      return entries.map((entry) => entry.reference).find((known) => known === attempts[0]?.reference);
    });
    const entity = {
      id: 'pout_1',
      entity: 'payout',
      amount: 1_000,
      currency: 'INR',
      status: 'processed',
      created_at: 1,
    };
    const body = { event: 'payout.processed', payload: { payout: { entity: { ...entity, reference_id: reference } } } };
    const told = await fetch(`${gateway.url}/rail-notifications/razorpayx`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-razorpay-signature': 'ab'.repeat(32) },
      body: JSON.stringify(body),
    });
    assert.equal(told.status, 401);
    assert.equal((await sent.merchant.status(sent.payoutId))['status'], 'Pending');
    await control('act', { reference, behaviour: 'process' });
    await ends(sent, 'Success', '0');
  });

  it('that is reversed after success stays a success, and an event tells that the money is back', async () => {
    await faults({ payouts: 'reverse' });
    const sent = await send();
    await ends(sent, 'Success', '0');
    const { merchant, payoutId } = sent;
    const [event] = await until('an event', () => {
      const arrivals = gateway.receiver.about(merchant.id, payoutId, 'event');
      return arrivals.length > 0 && arrivals;
    });
    assert.ok(event);
    assertGenuine(event, merchant.key);
    assert.equal(event.fields['type'], 'payout.reversed');
    await balanceIs(merchant, '100.00');
    assert.equal((await merchant.status(payoutId))['status'], 'Success');
  });

  it('that failed and is reversed after that stays blocked, and the money comes back once', async () => {
    await faults({ payouts: 'fail_then_reverse' });
    const sent = await send();
    await ends(sent, 'Blocked', '51');
    await sleep(2 * DELAYS.reverseMs);
    await balanceIs(sent.merchant, '100.00');
    assert.equal((await sent.merchant.status(sent.payoutId))['status'], 'Blocked');
  });

  it('waits while RazorpayX is down', async () => {
    await faults({ down: true });
    const sent = await send();
    await sleep(DELAYS.settleMs);
    assert.equal((await sent.merchant.status(sent.payoutId))['status'], 'Pending');
    await faults({ down: false });
    await ends(sent, 'Success', '0');
  });
});
