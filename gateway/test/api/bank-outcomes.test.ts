/**
 * Outcomes at a bank, chosen by the magic amounts of WayForPay's simulator. Each case checks the payout's end, the
 * callback, the ledger and the bank's own book. The timeouts are shorter than in production; the rules are the same.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Arrival, assertGenuine } from '../support/callback-receiver.ts';
import { credit, type RunningGateway, startGateway } from '../support/running-gateway.ts';
import { errorReply, type Reply, type TestMerchant } from '../support/test-merchant.ts';
import { until } from '../support/until.ts';

let gateway: RunningGateway;
before(async () => {
  const rail = { timeoutMs: 5_000, notFoundProofMs: 500, askAfterMs: [200, 400, 1_000] } as const;
  gateway = await startGateway({ pace: { rail, recordingMs: 3_000 } });
});
after(() => gateway.verifyAndStop());

const SUCCESS = { status: 'Success', code: '0', description: 'Completed' };
const blocked = (code: string, description: string) => ({ status: 'Blocked', code, description });
const DECLINED = blocked('51', 'Declined by the bank');

interface Outcome {
  readonly cents: string;
  readonly what: string;
  readonly end: Reply;
  /** The balance of 100.00 at the end of the case. */
  readonly balance: string;
  /** The number of executions at the bank. */
  readonly executions: number;
  readonly event?: string;
}

const OUTCOMES: readonly Outcome[] = [
  { cents: '00', what: 'executed at once', end: SUCCESS, balance: '90.00', executions: 1 },
  { cents: '40', what: 'executed later, with a notification', end: SUCCESS, balance: '89.60', executions: 1 },
  { cents: '41', what: 'declined later, with a notification', end: DECLINED, balance: '100.00', executions: 0 },
  { cents: '42', what: 'executed later without a notification', end: SUCCESS, balance: '89.58', executions: 1 },
  { cents: '44', what: 'executed without an answer', end: SUCCESS, balance: '89.56', executions: 1 },
  { cents: '50', what: 'executed but answered 500', end: SUCCESS, balance: '89.50', executions: 1 },
  { cents: '51', what: 'declined', end: DECLINED, balance: '100.00', executions: 0 },
  { cents: '52', what: 'wrong recipient', end: blocked('52', 'Wrong recipient'), balance: '100.00', executions: 0 },
  { cents: '53', what: 'over a limit', end: blocked('53', 'Limit or risk'), balance: '100.00', executions: 0 },
  { cents: '60', what: 'executed, then reversed', end: SUCCESS, balance: '100.00', executions: 1, event: 'reversed' },
  {
    cents: '61',
    what: 'declined, then executed after all',
    end: DECLINED,
    balance: '89.39',
    executions: 1,
    event: 'late_execution',
  },
  { cents: '62', what: 'notified before the answer', end: SUCCESS, balance: '89.38', executions: 1 },
  { cents: '63', what: 'notified twice at once and again later', end: SUCCESS, balance: '89.37', executions: 1 },
];

const onlyArrival = (merchant: TestMerchant, payoutId: string, kind: 'callback' | 'event'): Promise<Arrival> =>
  until(`the ${kind} about ${payoutId}`, () => gateway.receiver.about(merchant.id, payoutId, kind)[0]);

describe('a payout at WayForPay’s simulator', { concurrency: true }, () => {
  after(() => {
    const events = gateway.log.map((line) => JSON.parse(line));
    const notified = events.filter(({ event }) => event === 'rail_notified').map(({ outcome }) => outcome);
    assert.deepEqual(
      [...new Set(notified)].sort(),
      ['known', 'recorded'],
      'the second report of the same outcome is known',
    );
    assert.deepEqual(
      events.filter(({ event }) => event === 'problem'),
      [],
    );
  });

  for (const { cents, what, end, balance, executions, event } of OUTCOMES) {
    it(`a payout of 10.${cents} ends correctly in the callback, the ledger and the bank’s book: ${what}`, async () => {
      const merchant = await gateway.merchant({ funds: { UAH: '100.00' } });
      const payoutId = `cents-${cents}`;
      const amount = `10.${cents}`;
      assert.equal((await merchant.pay(1, payoutId, { amount }))['status'], 'Pending');
      assert.deepEqual(await merchant.final(payoutId), { ...end, payout_id: payoutId });
      const callback = await onlyArrival(merchant, payoutId, 'callback');
      assertGenuine(callback, merchant.key);
      const { status, code, amount: called } = callback.fields;
      assert.deepEqual({ status, code, amount: called }, { status: end['status'], code: end['code'], amount });

      if (event) {
        const arrival = await onlyArrival(merchant, payoutId, 'event');
        assertGenuine(arrival, merchant.key);
        assert.equal(arrival.fields['type'], `payout.${event}`);
        assert.equal(arrival.headers['content-type'], 'application/json');
        assert.deepEqual(
          await merchant.status(payoutId),
          { ...end, payout_id: payoutId },
          'the final state does not change',
        );
      }
      // Long enough for late and duplicate notifications of the bank.
      await sleep(1_000);
      assert.deepEqual(await merchant.balance('UAH'), {
        status: 'Success',
        currency: 'UAH',
        balance,
        reserved: '0.00',
      });
      const [last] = (await gateway.bank.book(merchant.id, payoutId)).slice(-1);
      assert.deepEqual([last?.executions, last?.repeats], [executions, 0], 'the bank’s book');
      assert.equal(gateway.receiver.about(merchant.id, payoutId).length, 1);
      assert.equal(gateway.receiver.about(merchant.id, payoutId, 'event').length, event ? 1 : 0);
    });
  }

  it('a payout that the bank provably never received is sent again, and stays pending', async () => {
    const merchant = await gateway.merchant({ funds: { UAH: '100.00' } });
    await merchant.pay(1, 'lost', { amount: '10.45' });
    const find = () => gateway.operations.payouts.find({ merchantId: merchant.id, payoutId: 'lost' });
    const record = await until('a second attempt', async () => {
      const found = await find();
      return (found?.attempts.length ?? 0) >= 2 ? found : undefined;
    });
    assert.equal(record.attempts[0]?.outcome, 'not_accepted');
    assert.equal(new Set(record.attempts.map(({ reference }) => reference)).size, 1, 'all attempts use one reference');
    assert.equal((await merchant.status('lost'))['status'], 'Pending');
    assert.equal((await merchant.balance('UAH'))['reserved'], '10.45');
    assert.deepEqual(await gateway.bank.book(merchant.id, 'lost'), []);
  });

  it('a late execution beyond the balance becomes owed, stops new payouts, and is paid by the next credits', async () => {
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

describe('false notifications of a bank', () => {
  it('a notification with a wrong amount or signature is rejected, and the gateway asks for the true outcome', async () => {
    for (const callbacks of ['wrong_amount', 'forged', 'off']) {
      await gateway.bank.faults({ callbacks });
      const merchant = await gateway.merchant({ funds: { UAH: '100.00' } });
      await merchant.pay(1, callbacks, { amount: '10.40' });
      assert.equal((await merchant.final(callbacks))['status'], 'Success');
      assert.equal((await merchant.balance('UAH'))['balance'], '89.60');
    }
    await gateway.bank.faults({ callbacks: 'on' });
  });

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

describe('a bank without notifications', () => {
  for (const amount of ['10.44', '10.50'])
    it(`the gateway finds an executed payout of ${amount} by asking when neither answer nor notification came`, async () => {
      await gateway.bank.faults({ callbacks: 'off' });
      const merchant = await gateway.merchant({ funds: { UAH: '100.00' } });
      await merchant.pay(1, 'unnotified', { amount });
      assert.deepEqual(await merchant.final('unnotified'), { ...SUCCESS, payout_id: 'unnotified' });
      const [last] = (await gateway.bank.book(merchant.id, 'unnotified')).slice(-1);
      assert.deepEqual([last?.executions, last?.repeats], [1, 0]);
      await gateway.bank.faults({ callbacks: 'on' });
    });
});

describe('the setting reply_wait_ms', () => {
  it('a reply waits for the final state up to reply_wait_ms and no longer', async () => {
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
  it('a sandbox payout ends at once: one card succeeds, every other is blocked, and no balance is needed', async () => {
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
