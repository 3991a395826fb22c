/** Epoint: cards, payouts, callbacks, and each magic amount. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { MINUTE_MS } from '../clock.ts';
import { answerOf, eachOf, eventually } from '../kernel/inbox-under-test.ts';
import { entriesOf, type Play, playOut, type Row, testCourses } from '../kernel/magic-amounts-under-test.ts';
import { assertUnanswered } from '../kernel/simulator-under-test.ts';
import { MAGIC_AMOUNTS } from './magic-amounts.ts';
import { ACCOUNT, type EpointUnderTest, signatureOf, startEpointUnderTest } from './under-test.ts';

describe('a request to Epoint', () => {
  it('an Epoint request is accepted only with a signature over its exact base64 string', async (t) => {
    const epoint = await startEpointUnderTest(t);
    const data = Buffer.from(JSON.stringify({ public_key: ACCOUNT.publicKey, order_id: 15 })).toString('base64');
    assert.equal(signatureOf(data), 'bH9cG854p/wHLf5j6pp6LBI+wBs=', 'as a published example has it');
    for (const signature of ['', signatureOf(data, 'another'), signatureOf(`${data}=`)]) {
      const body = new URLSearchParams({ data, signature });
      const answer = await answerOf(fetch(`${epoint.url}/api/1/get-status`, { method: 'POST', body }));
      const refused = { status: 'server_error', message: 'Signature did not match' };
      assert.deepEqual(answer, { status: 200, body: refused });
    }
  });

  const faulty: readonly object[] = [
    { public_key: 'i000000002' },
    { language: 'de' },
    { order_id: '' },
    { order_id: 'x'.repeat(256) },
    { amount: '' },
    { amount: '0' },
    { amount: '1.005' },
    { currency: 'USD' },
    { card_id: 'ce999999999' },
  ];
  it('an Epoint request with an invalid field gets an error with HTTP 200', async (t) => {
    const epoint = await startEpointUnderTest(t);
    await eachOf(faulty, async (fields) => {
      const { status, body } = await epoint.pay(fields as Record<string, unknown>);
      assert.deepEqual([status, body['status'], 'transaction' in body], [200, 'error', false]);
      assert.equal((await epoint.summary())['payouts'], 0);
    });
  });
});

describe('a card at Epoint', () => {
  it('Epoint pays a card only after its holder registered it, and notifies the client of the registration', async (t) => {
    const epoint = await startEpointUnderTest(t);
    const { body } = await epoint.post('card-registration', { language: 'az', refund: '1' });
    assert.match(String(body['redirect_url']), /^https:/);
    const card_id = String(body['card_id']);
    assert.equal((await epoint.pay({ card_id })).body['status'], 'error');
    await epoint.control('register', { card_id, card: '4111111111111111' });
    assert.equal((await epoint.pay({ card_id })).body['status'], 'success');
    await eventually('it is notified', () => epoint.notified.length === 1);
    const { isGenuine, said } = epoint.notified[0] ?? {};
    assert.deepEqual(
      [isGenuine, said?.['operation_code'], said?.['card_id'], said?.['card_mask']],
      [true, '001', card_id, '411111******1111'],
    );
  });

  it('an Epoint card is registered only for payouts', async (t) => {
    const epoint = await startEpointUnderTest(t);
    for (const fields of [{ language: 'en', refund: 0 }, { language: 'en' }, { refund: 1 }])
      assert.equal((await epoint.post('card-registration', fields)).body['status'], 'error');
    assert.equal((await epoint.control('register', { card_id: 'ce1', card: '4111111111111111' })).status, 400);
    assert.equal((await epoint.control('register', { card: '41' })).status, 400);
  });
});

describe('a payout at Epoint', () => {
  it('Epoint’s response to a payout omits the order_id, and a status query finds the payout by either id', async (t) => {
    const epoint = await startEpointUnderTest(t);
    const { body } = await epoint.pay({ order_id: 'P1' });
    assert.deepEqual(
      ['status', 'amount', 'card_mask', 'order_id', 'code'].map((name) => body[name]),
      ['success', 30.75, '411111******1111', undefined, undefined],
    );
    for (const by of [{ order_id: 'P1' }, { transaction: body['transaction'] }]) {
      const found = (await epoint.post('get-status', by)).body;
      assert.deepEqual([found['status'], found['code'], found['order_id']], ['success', '', 'P1']);
    }
    await epoint.faults({ status: 'by_transaction' });
    assert.equal((await epoint.post('get-status', { order_id: 'P1' })).body['status'], 'error');
    assert.equal((await epoint.post('get-status', { order_id: 'P2' })).body['order_id'], undefined);
  });

  it('Epoint pays a repeated payout twice, and its book records both payments', async (t) => {
    const epoint = await startEpointUnderTest(t);
    await epoint.pay({ order_id: 'P1' });
    await epoint.pay({ order_id: 'P1' });
    const { executions, executed_over_once } = await epoint.summary();
    assert.deepEqual([executions, executed_over_once], [2, ['P1']]);
  });

  const modes: readonly (readonly [payouts: string, said: string, executions: number, later: string])[] = [
    ['fail', 'failed', 0, 'error'],
    ['pay_later', 'new', 1, 'success'],
    ['fail_later', 'new', 0, 'error'],
    ['return_later', 'success', 1, 'returned'],
    ['pay_and_answer_error', 'error', 1, 'success'],
    ['pay_notified_first', 'success', 1, 'success'],
    ['answer_error', 'error', 0, ''],
    ['server_error', 'server_error', 0, ''],
  ];
  it('the “payouts” fault sets the response and the outcome of an Epoint payout', async (t) => {
    await eachOf(modes, async ([payouts, said, executions, later]) => {
      const epoint = await startEpointUnderTest(t);
      await epoint.faults({ payouts, code: '121' });
      const { status, body } = await epoint.pay({ order_id: 'P1' });
      assert.deepEqual([status, body['status']], [200, said]);
      epoint.clock.advance(MINUTE_MS);
      const found = (await epoint.post('get-status', { order_id: 'P1' })).body;
      assert.equal(found['order_id'] === 'P1' ? found['status'] : '', later);
      assert.equal(found['code'] ?? '', later === 'error' ? '121' : '');
      assert.equal((await epoint.summary())['executions'], executions);
    });
  });

  for (const [payouts, executions] of [
    ['pay_unanswered', 1],
    ['lose', 0],
  ] as const)
    it(`Epoint never responds to a payout under the fault ${payouts}`, async (t) => {
      const epoint = await startEpointUnderTest(t);
      await epoint.faults({ payouts });
      await assertUnanswered(epoint, epoint.pay());
      assert.equal((await epoint.summary())['executions'], executions);
    });

  it('the fault pay_500 makes Epoint execute a payout and return an error', async (t) => {
    const epoint = await startEpointUnderTest(t);
    await epoint.faults({ payouts: 'pay_500' });
    assert.equal((await epoint.pay()).status, 500);
    assert.equal((await epoint.summary())['executions'], 1);
  });
});

describe('a callback about an Epoint payout', () => {
  /** Omits the callbacks for cards. */
  const notified = ({ notified: all }: EpointUnderTest) => all.filter(({ said }) => said['operation_code'] !== '001');
  const untilNotified = async (epoint: EpointUnderTest, count: number) => {
    await eventually(`${count} callbacks`, () => notified(epoint).length === count);
    return notified(epoint).map(({ said }) => `${said['order_id']} ${said['status']}`);
  };

  it('Epoint sends callbacks only after the control surface enables them', async (t) => {
    const epoint = await startEpointUnderTest(t);
    await epoint.pay({ order_id: 'P1' });
    epoint.clock.advance(MINUTE_MS);
    await epoint.faults({ callbacks: 'on', payouts: 'fail_later' });
    await epoint.pay({ order_id: 'P2' });
    epoint.clock.advance(MINUTE_MS);
    assert.deepEqual(await untilNotified(epoint, 1), ['P2 failed']);
    assert.equal(notified(epoint)[0]?.isGenuine, true);
  });

  it('the “callbacks” fault decides when and how often Epoint sends a callback', async (t) => {
    const epoint = await startEpointUnderTest(t);
    const card_id = await epoint.registered();
    const pay = async (callbacks: string, order_id: string) => {
      await epoint.faults({ callbacks });
      await epoint.pay({ order_id, card_id });
      epoint.clock.advance(100);
    };
    await pay('twice', 'P1');
    await untilNotified(epoint, 2);
    await pay('late', 'P2');
    epoint.clock.advance(10_000);
    await untilNotified(epoint, 3);
    await pay('out_of_order', 'P3');
    await pay('out_of_order', 'P4');
    const [late, ...crossed] = (await untilNotified(epoint, 5)).slice(2);
    assert.deepEqual([late, crossed], ['P2 success', ['P4 success', 'P3 success']]);
    await pay('forged', 'P5');
    await untilNotified(epoint, 6);
    await pay('wrong_amount', 'P6');
    await untilNotified(epoint, 7);
    await pay('multipart', 'P7');
    await untilNotified(epoint, 8);
    const last = notified(epoint).slice(5);
    assert.deepEqual(
      last.map(({ isGenuine, said, contentType }) => [isGenuine, said['amount'], contentType.split(';')[0]]),
      [
        [false, 30.75, 'application/x-www-form-urlencoded'],
        [true, 999_999.99, 'application/x-www-form-urlencoded'],
        [true, 30.75, 'multipart/form-data'],
      ],
    );
  });
});

async function start(t: TestContext, amount: string, faults: object = { callbacks: 'on' }): Promise<Play> {
  const epoint = await startEpointUnderTest(t);
  await epoint.faults(faults);
  const card_id = await epoint.registered();
  return {
    clock: epoint.clock,
    async send() {
      const { status, body } = await epoint.pay({ card_id, amount });
      return status === 200 ? body['status'] : status;
    },
    async book() {
      const entries = entriesOf(await epoint.control('book')).filter((entry) => 'transaction' in entry);
      return entries.map(({ kind, code }) => `${kind} ${code}`.trim());
    },
    notified: () => epoint.notified.filter(({ said }) => said['order_id']).map(({ said }) => said['status']),
  };
}

const rows: readonly Row[] = [
  ['40', 'new', 'accepted, executed', 'success'],
  ['41', 'new', 'accepted, failed 100', 'failed'],
  ['42', 'new', 'accepted, executed'],
  ['44', 'never', 'executed', 'success'],
  ['45', 'never', ''],
  ['50', 500, 'executed', 'success'],
  ['51', 'failed', 'failed 100', 'failed'],
  ['52', 'failed', 'failed 111', 'failed'],
  ['53', 'failed', 'failed 121', 'failed'],
  ['60', 'success', 'executed, returned', 'success, returned'],
  ['62', 'success', 'executed', 'success'],
  ['63', 'new', 'accepted, executed', 'success ×2', 'success'],
];

describe('magic amounts at Epoint', { concurrency: true }, () => {
  testCourses(rows, MAGIC_AMOUNTS, start);

  it('Epoint sends the callback for .62 before its response, and for .63 even while callbacks are off', async (t) => {
    assert.deepEqual((await playOut(await start(t, '10.62', {}))).notifiedFirst, ['success']);
    assert.equal((await playOut(await start(t, '10.63', {}))).notified, 'success ×2');
    assert.equal((await playOut(await start(t, '10.40', {}))).notified, '');
  });

  it('an Epoint amount has an effect only if it is magic and no fault decides payouts', async (t) => {
    assert.equal((await playOut(await start(t, '10.51', { payouts: 'pay' }))).answered, 'success');
    assert.equal((await playOut(await start(t, '10.15'))).answered, 'success');
  });
});
