/**
 * Payout outcomes that the WayForPay scenarios (payouts-wayforpay.test.ts) do not cover, selected by the simulator's magic
 * amounts, and the sandbox. Only the timeouts are shorter than in production.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { credit, type RunningGateway, startGateway } from '../../support/gateway/running-gateway.ts';
import { errorReply, type TestMerchant } from '../../support/merchants/test-merchant.ts';
import { type Arrival, assertGenuine } from '../../support/servers/callback-receiver.ts';
import { until } from '../../support/tools/until.ts';

let gateway: RunningGateway;
before(async () => {
  const rail = { timeoutMs: 5_000, notFoundProofMs: 500, askAfterMs: [200, 400, 1_000] } as const;
  gateway = await startGateway({ pace: { rail, recordingMs: 3_000 } });
});
after(() => gateway.verifyAndStop());

const SUCCESS = { status: 'Success', code: '0', description: 'Completed' };
const DECLINED = { status: 'Blocked', code: '51', description: 'Declined by the bank' };

const onlyArrival = (merchant: TestMerchant, payoutId: string, kind: 'callback' | 'event'): Promise<Arrival> =>
  until(`the ${kind} about ${payoutId}`, () => gateway.receiver.about(merchant.id, payoutId, kind)[0]);

describe('a payout that its bank executes after it declined it', () => {
  it('a late execution is paid from the balance and reported by an event, and the payout stays blocked', async () => {
    const merchant = await gateway.merchant({ funds: { UAH: '100.00' } });
    await merchant.pay(1, 'executed-late', { amount: '10.61' });
    const end = { ...DECLINED, payout_id: 'executed-late' };
    assert.deepEqual(await merchant.final('executed-late'), end);
    const event = await onlyArrival(merchant, 'executed-late', 'event');
    assertGenuine(event, merchant.key);
    assert.equal(event.fields['type'], 'payout.late_execution');
    assert.equal(event.headers['content-type'], 'application/json');
    assert.deepEqual(await merchant.status('executed-late'), end);
    const left = { status: 'Success', currency: 'UAH', balance: '89.39', reserved: '0.00' };
    assert.deepEqual(await merchant.balance('UAH'), left);
    assert.equal(gateway.receiver.about(merchant.id, 'executed-late').length, 1);
  });

  it('a late execution beyond the balance becomes a debt that the next credits pay', async () => {
    const merchant = await gateway.merchant({ funds: { UAH: '12.00' } });
    await merchant.pay(1, 'late', { amount: '10.61' });
    assert.equal((await merchant.final('late'))['status'], 'Blocked');
    await merchant.pay(1, 'spend', { amount: '5.00' });
    await onlyArrival(merchant, 'late', 'event');
    assert.equal((await merchant.balance('UAH'))['balance'], '0.00');
    await credit(gateway.operations, merchant.id, 'UAH', '1.00', 'a-little');
    assert.deepEqual(await merchant.pay(1, 'owing', { amount: '0.01' }), errorReply('Insufficient funds'));
    await credit(gateway.operations, merchant.id, 'UAH', '10.00', 'more');
    assert.equal((await merchant.balance('UAH'))['balance'], '7.39');
    assert.equal((await merchant.pay(1, 'again', { amount: '7.39' }))['status'], 'Pending');
  });
});

describe('a bank that notifies twice', () => {
  it('duplicate notifications change the balance and send the event once', async () => {
    await gateway.bank.faults({ callbacks: 'twice' });
    const merchant = await gateway.merchant({ funds: { UAH: '100.00' } });
    await merchant.pay(1, 'reversed-twice', { amount: '10.60' });
    await onlyArrival(merchant, 'reversed-twice', 'event');
    await sleep(300);
    assert.equal((await merchant.balance('UAH'))['balance'], '100.00');
    assert.equal(gateway.receiver.about(merchant.id, 'reversed-twice', 'event').length, 1);
    await gateway.bank.faults({ callbacks: 'on' });
  });
});

describe('the setting reply_wait_ms', () => {
  it('a response waits for the final state up to reply_wait_ms and no longer', async () => {
    const patient = await gateway.merchant({ settings: { reply_wait_ms: '10000' } });
    assert.equal((await patient.pay(1, 'quick'))['status'], 'Success');
    assert.equal((await patient.pay(1, 'soon', { amount: '10.40' }))['status'], 'Success');
    assert.equal((await patient.pay(1, 'declined', { amount: '10.51' }))['status'], 'Blocked');
    const merchant = await gateway.merchant({ settings: { reply_wait_ms: '900' } });
    const startedAt = Date.now();
    assert.equal((await merchant.pay(1, 'never', { amount: '10.45' }))['status'], 'Pending');
    const waitedMs = Date.now() - startedAt;
    assert(waitedMs >= 890 && waitedMs < 20_000, `${waitedMs} ms`);
  });
});

describe('the sandbox method', () => {
  it('a sandbox payout is final immediately and does not need a balance', async () => {
    const merchant = await gateway.merchant({ funds: {} });
    assert.deepEqual(await merchant.pay(70, 'good', { amount: '999999999999.99' }), { ...SUCCESS, payout_id: 'good' });
    const refused = await merchant.pay(70, 'bad', { account: '4111111111111112' });
    assert.equal(refused['status'], 'Blocked');
    assert.equal((await merchant.pay(70, 'short', { account: '123456789012' }))['status'], 'Blocked');
    const callback = await onlyArrival(merchant, 'bad', 'callback');
    assert.equal(callback.fields['status'], 'Blocked');
  });

  it('a sandbox payout is pending first with sandbox_mode delayed', async () => {
    const merchant = await gateway.merchant({ settings: { sandbox_mode: 'delayed', reply_wait_ms: '0' } });
    assert.equal((await merchant.pay(70, 'delayed'))['status'], 'Pending');
    assert.equal((await merchant.pay(70, 'refused', { account: '5555555555554444' }))['status'], 'Pending');
    assert.equal((await merchant.final('delayed'))['status'], 'Success');
    assert.equal((await merchant.final('refused'))['status'], 'Blocked');
  });

  it('a sandbox payout never reaches the bank', async () => {
    const merchant = await gateway.merchant();
    await merchant.pay(70, 'no-bank');
    assert.deepEqual(await gateway.bank.book(merchant.id, 'no-bank'), []);
  });
});
