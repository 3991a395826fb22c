/**
 * Payouts to mobile numbers in Kazakhstan (method 24) through a whole gateway: asked for by a merchant, carried by the real
 * connector to DT One's simulator, told back by callbacks that are asked about, ended by a callback of our own. What the
 * merchant is told and has left is held against DT One's own book.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../../rail-simulators/src/clock.ts';
import { startDtOne } from '../../../rail-simulators/src/dt-one/dt-one-server.ts';
import { readSettingsOf } from '../../../rail-simulators/src/environment.ts';
import type { ProviderServer } from '../../../rail-simulators/src/provider-server/start-provider.ts';
import { assertGenuine } from '../support/callback-receiver.ts';
import { freePort, type RunningGateway, startGateway } from '../support/running-gateway.ts';
import { askSimulator } from '../support/simulator-control.ts';
import type { TestMerchant } from '../support/test-merchant.ts';
import { until } from '../support/until.ts';

const DELAYS = { settleMs: 100, reverseMs: 600, lateMs: 300, holdMs: 1_000 };

let folder = '';
let gateway: RunningGateway;
let dtOne: ProviderServer;
let payouts = 0;
/** How many payouts ended as success, so far. */
let executed = 0;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payouts-dt-one-'));
  const dtOnePort = await freePort();
  const environment = { DT_ONE_PORT: String(dtOnePort), DT_ONE_BOOK: join(folder, 'dt-one.jsonl') };
  const settings = readSettingsOf('dtOne', environment, folder);
  const here = { host: '127.0.0.1', clock: systemClock, log: () => {} };
  dtOne = await startDtOne({ ...here, ...settings, delays: DELAYS });
  const rail = { timeoutMs: 500, notFoundProofMs: 500, askAfterMs: [200, 400] } as const;
  gateway = await startGateway({
    withoutBank: true,
    variables: { PORT: String(await freePort()), DT_ONE_URL: `http://127.0.0.1:${dtOnePort}/v1` },
    pace: { rail, recordingMs: 1_000 },
  });
});
after(async () => {
  const summary = await control('summary');
  await gateway.verifyAndStop();
  await dtOne.close();
  await rm(folder, { recursive: true });
  assert.deepEqual([summary['executions'], summary['executed_over_once']], [executed, []], 'each number got it once');
});

const USUAL = { calls: 'take', look_ups: 'answer', queries: 'answer', transactions: 'complete', why: '' };
beforeEach(() => faults({ ...USUAL, float: 'enough', notifications: 'on', down: false }));

const control = (what: string, body?: object) =>
  askSimulator({ url: dtOne.url, secret: 'dt-one-control-secret' }, what, body);
const faults = (change: object) => control('faults', change);

interface Sent {
  readonly merchant: TestMerchant;
  readonly payoutId: string;
}

/** 10.00 KZT, of a merchant who has 100.00. */
async function send(change: Readonly<Record<string, unknown>> = {}): Promise<Sent> {
  const merchant = await gateway.merchant({ funds: { KZT: '100.00' } });
  const payoutId = `D${++payouts}`;
  const reply = await merchant.pay(24, payoutId, change);
  assert.equal(reply['status'], 'Pending', reply['description']);
  return { merchant, payoutId };
}

const recordOf = ({ merchant, payoutId }: Sent) =>
  gateway.operations.payouts.find({ merchantId: merchant.id, payoutId });

/** It ended so, told by one genuine callback; a success counts once in the book of the end. */
async function ends(sent: Sent, status: string, code: string): Promise<void> {
  const { merchant, payoutId } = sent;
  const reply = await merchant.final(payoutId);
  assert.deepEqual([reply['status'], reply['code']], [status, code]);
  const [callback] = await until('a callback', () => {
    const arrivals = gateway.receiver.about(merchant.id, payoutId);
    return arrivals.length > 0 && arrivals;
  });
  assert.ok(callback);
  assertGenuine(callback, merchant.key);
  assert.deepEqual([callback.fields['status'], callback.fields['code']], [status, code]);
  assert.equal((await recordOf(sent))?.payout.rail, 'dt-one');
  if (status === 'Success') executed += 1;
}

const balanceIs = (merchant: TestMerchant, wanted: string) =>
  until(`${merchant.id} has ${wanted}`, async () => (await merchant.balance('KZT'))['balance'] === wanted);

/** Where DT One has it. */
const referenceOf = (sent: Sent) =>
  until('it is at DT One', async () => {
    const { entries } = (await control('book')) as { entries: { externalId: string }[] };
    const [attempt] = (await recordOf(sent))?.attempts ?? [];
    return entries.map(({ externalId }) => externalId).find((known) => known === attempt?.reference);
  });

describe('a payout to a mobile number', () => {
  it('is pending at first, and then executed', async () => {
    const sent = await send();
    await ends(sent, 'Success', '0');
    await balanceIs(sent.merchant, '90.00');
  });

  const declines: readonly (readonly [fault: object, code: string, what: string])[] = [
    [{ transactions: 'decline' }, '51', 'declined by the operator'],
    [{ transactions: 'reject', why: 'LIMITATIONS-ON-CREDIT-PARTY-AMOUNT' }, '53', 'rejected for a limit'],
    [{ transactions: 'reject_at_once', why: 'BARRED-CREDIT-PARTY' }, '52', 'answered with HTTP 201 that means failure'],
    [{ look_ups: 'stale' }, '52', 'bought of an operator that the number has left'],
    [{ look_ups: 'none' }, '52', 'to a number that no operator has'],
    [{ float: 'rejected' }, '50', 'rejected since our account is empty'],
  ];
  for (const [fault, code, what] of declines)
    it(`that is ${what} is blocked, and the money is the merchant’s again`, async () => {
      await faults(fault);
      const sent = await send();
      await ends(sent, 'Blocked', code);
      await balanceIs(sent.merchant, '100.00');
    });

  for (const calls of ['take_unanswered', 'take_500'])
    it(`that was executed under ${calls} is found by asking, and not sent again`, async () => {
      await faults({ calls, notifications: 'off' });
      const sent = await send();
      await ends(sent, 'Success', '0');
      assert.equal((await recordOf(sent))?.attempts.length, 1);
    });

  for (const calls of ['lose', 'lose_503'])
    it(`that never arrived under ${calls} is sent again once that is proved, under the same reference`, async () => {
      await faults({ calls });
      const sent = await send();
      await until('a second attempt', async () => ((await recordOf(sent))?.attempts.length ?? 0) > 1);
      await faults({ calls: 'take' });
      await ends(sent, 'Success', '0');
      const { attempts = [] } = (await recordOf(sent)) ?? {};
      assert.equal(attempts[0]?.outcome, 'not_taken');
      assert.equal(new Set(attempts.map(({ reference }) => reference)).size, 1);
    });

  it('that was taken and is not found for a while is refused when it is sent again, and ends once', async () => {
    await faults({ calls: 'take_500', queries: 'not_yet', notifications: 'off' });
    const sent = await send();
    await until('it was refused as used', async () => Number((await control('summary'))['repeats']) > 0);
    await faults({ queries: 'answer' });
    await ends(sent, 'Success', '0');
  });

  it('waits while our account at DT One refuses for want of money, and goes on once it is funded', async () => {
    await faults({ float: 'refused' });
    const sent = await send();
    await until('it was refused', async () => (await recordOf(sent))?.attempts[0]?.outcome === 'not_taken');
    assert.equal((await sent.merchant.status(sent.payoutId))['status'], 'Pending');
    await faults({ float: 'enough' });
    await ends(sent, 'Success', '0');
  });

  for (const notifications of ['off', 'twice', 'late', 'out_of_order', 'forged', 'foreign_reference'])
    it(`ends once, with callbacks that are ${notifications}`, async () => {
      await faults({ notifications });
      const sent = await send();
      await ends(sent, 'Success', '0');
      // Long enough for what comes late or twice.
      await sleep(2 * DELAYS.lateMs);
      assert.equal(gateway.receiver.about(sent.merchant.id, sent.payoutId).length, 1);
      await balanceIs(sent.merchant, '90.00');
    });

  it('may be told of before the request for it is answered', async () => {
    await faults({ calls: 'completed_before_reply' });
    await ends(await send(), 'Success', '0');
  });

  it('does not end by what a callback says and DT One does not', async () => {
    await faults({ notifications: 'lying', transactions: 'decline' });
    const sent = await send();
    await ends(sent, 'Blocked', '51');
    await balanceIs(sent.merchant, '100.00');
  });

  it('does not end by what somebody else tells, with the password or without', async () => {
    await faults({ transactions: 'hold' });
    const sent = await send();
    const external_id = await referenceOf(sent);
    const body = JSON.stringify({ id: 1, external_id, status: { message: 'COMPLETED', class: { id: 7 } } });
    for (const [password, status] of [
      ['guessed', 401],
      ['dt-one-callback-password', 503],
    ] as const) {
      const authorization = `Basic ${Buffer.from(`dt-one:${password}`).toString('base64')}`;
      const headers = { 'content-type': 'application/json', authorization };
      const told = await fetch(`${gateway.url}/rail-notifications/dt-one`, { method: 'POST', headers, body });
      assert.equal(told.status, status);
    }
    assert.equal((await sent.merchant.status(sent.payoutId))['status'], 'Pending');
    await control('act', { external_id, behaviour: 'complete' });
    await ends(sent, 'Success', '0');
  });

  it('that is reversed after success stays a success, and an event tells that the money is back', async () => {
    await faults({ transactions: 'reverse' });
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

  it('waits while DT One is down', async () => {
    await faults({ down: true });
    const sent = await send();
    await sleep(DELAYS.settleMs);
    assert.equal((await sent.merchant.status(sent.payoutId))['status'], 'Pending');
    await faults({ down: false });
    await ends(sent, 'Success', '0');
  });
});
