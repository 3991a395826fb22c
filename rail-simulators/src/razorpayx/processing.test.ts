/** RazorpayX: requests, the conducts of a payout, webhooks, and each magic amount. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { DAY_MS } from '../clock.ts';
import { aWhile, eachOf, eventually } from '../kernel/inbox-under-test.ts';
import { entriesOf, type Play, playOut, type Row, testCourses } from '../kernel/magic-amounts-under-test.ts';
import { assertUnanswered } from '../kernel/simulator-under-test.ts';
import { MAGIC_AMOUNTS } from './magic-amounts.ts';
import { webhookSignature } from './notifications.ts';
import { ACCOUNT, BASIC, fundAccount, startRazorpayXUnderTest } from './under-test.ts';

describe('a request to RazorpayX', () => {
  it('a RazorpayX request needs valid credentials, and the scheme in its exact spelling', async (t) => {
    const razorpayx = await startRazorpayXUnderTest(t);
    const other = `Basic ${Buffer.from(`${ACCOUNT.keyId}:x`).toString('base64')}`;
    for (const authorization of ['', other, BASIC.replace('Basic', 'basic'), BASIC.replace('Basic', 'BASIC')]) {
      const answers = [
        await razorpayx.pay('1-AbCd1234', {}, { authorization }),
        await razorpayx.get('banking_balances', authorization),
      ];
      for (const { status, body } of answers)
        assert.deepEqual([status, errorOf(body)['description']], [401, 'Authentication failed']);
    }
    assert.equal((await razorpayx.summary())['payouts'], 0);
  });

  it('a RazorpayX payout request needs an idempotency key of 4 to 36 characters', async (t) => {
    const razorpayx = await startRazorpayXUnderTest(t);
    for (const key of ['', 'abc', 'a'.repeat(37), 'key/1']) {
      const { status, body } = await razorpayx.pay('1-AbCd1234', {}, { 'x-payout-idempotency': key });
      assert.deepEqual([status, errorOf(body)['field']], [400, 'X-Payout-Idempotency']);
    }
  });

  const wrong: readonly (readonly [fields: Readonly<Record<string, unknown>>, field: string])[] = [
    [{ account_number: '1' }, 'account_number'],
    [{ amount: 99 }, 'amount'],
    [{ amount: '10000' }, 'amount'],
    [{ amount: 100.5 }, 'amount'],
    [{ amount: 50_000_001 }, 'amount'],
    [{ currency: 'USD' }, 'currency'],
    [{ mode: 'imps' }, 'mode'],
    [{ purpose: 'fun' }, 'purpose'],
    [{ queue_if_low_balance: 'yes' }, 'queue_if_low_balance'],
    [{ reference_id: 'x'.repeat(41) }, 'reference_id'],
    [{ narration: 'M1/A17' }, 'narration'],
    [{ fund_account: undefined }, 'fund_account.account_type'],
    [{ fund_account: fundAccount({ ifsc: 'HDFC000123' }) }, 'fund_account.bank_account.ifsc'],
    [{ fund_account: fundAccount({ account_number: '1234' }) }, 'fund_account.bank_account.account_number'],
    [{ fund_account: fundAccount({ name: 'Om' }) }, 'fund_account.bank_account.name'],
    [{ fund_account: fundAccount({ name: 'José' }) }, 'fund_account.bank_account.name'],
  ];
  it('a RazorpayX request with an invalid field is rejected with the field’s name', async (t) => {
    const razorpayx = await startRazorpayXUnderTest(t);
    await eachOf(wrong, async ([fields, field]) => {
      const { status, body } = await razorpayx.pay('1-AbCd1234', fields);
      const { code, reason, field: named } = errorOf(body);
      assert.deepEqual([status, code, reason, named], [400, 'BAD_REQUEST_ERROR', 'input_validation_failed', field]);
      assert.equal((await razorpayx.summary())['payouts'], 0);
    });
  });
});

describe('a used idempotency key at RazorpayX', () => {
  it('a repeated RazorpayX request does not create a second payout and returns the current or the first state', async (t) => {
    const razorpayx = await startRazorpayXUnderTest(t);
    const first = await razorpayx.pay('1-AbCd1234');
    razorpayx.clock.advance(2_000);
    const again = await razorpayx.pay('1-AbCd1234');
    assert.deepEqual([first.body['status'], again.body['status']], ['processing', 'processed']);
    assert.equal(again.body['id'], first.body['id']);
    await razorpayx.faults({ repetitions: 'first' });
    assert.equal((await razorpayx.pay('1-AbCd1234')).body['status'], 'processing');
    const { payouts, executions, repeats } = await razorpayx.summary();
    assert.deepEqual([payouts, executions, repeats], [1, 1, 2]);
  });

  it('RazorpayX rejects a used idempotency key with a different body', async (t) => {
    const razorpayx = await startRazorpayXUnderTest(t);
    await razorpayx.pay('1-AbCd1234');
    const { status, body } = await razorpayx.pay('1-AbCd1234', { amount: 20_000 });
    assert.equal(status, 400);
    assert.match(String(errorOf(body)['description']), /^Different request body/);
  });

  it('the RazorpayX simulator drops an idempotency key after seven days', async (t) => {
    const razorpayx = await startRazorpayXUnderTest(t);
    await razorpayx.pay('1-AbCd1234');
    razorpayx.clock.advance(7 * DAY_MS);
    await razorpayx.pay('1-AbCd1234');
    assert.deepEqual((await razorpayx.summary())['executed_over_once'], []);
    razorpayx.clock.advance(1);
    await razorpayx.pay('1-AbCd1234');
    razorpayx.clock.advance(2_000);
    assert.deepEqual((await razorpayx.summary())['executed_over_once'], ['1-AbCd1234']);
  });
});

describe('the lists of RazorpayX', () => {
  it('the RazorpayX list finds payouts by reference, by creation second and in pages', async (t) => {
    const razorpayx = await startRazorpayXUnderTest(t);
    const own = `payouts?account_number=${ACCOUNT.accountNumber}`;
    const idsOf = async (query: string) => {
      const { body } = await razorpayx.get(`${own}${query}`);
      assert.deepEqual([body['entity'], body['count']], ['collection', (body['items'] as object[]).length]);
      return (body['items'] as { reference_id: string }[]).map(({ reference_id }) => reference_id[0]);
    };
    const start = razorpayx.clock.now() / 1_000;
    for (const number of [1, 2, 3]) {
      await razorpayx.pay(`${number}-AbCd1234`);
      razorpayx.clock.advance(1_000);
    }
    assert.deepEqual(await idsOf(''), ['3', '2', '1']);
    assert.deepEqual(await idsOf('&reference_id=2-AbCd1234'), ['2']);
    assert.deepEqual(await idsOf('&reference_id=9-AbCd1234'), []);
    assert.deepEqual(await idsOf(`&from=${start + 1}&to=${start + 2}`), ['3', '2']);
    assert.deepEqual(await idsOf('&count=2&skip=2'), ['1']);
    assert.equal((await razorpayx.get('payouts')).status, 400);
    assert.equal((await razorpayx.get(`${own}&count=101`)).status, 400);
  });

  it('the RazorpayX balance decreases by executed payouts', async (t) => {
    const razorpayx = await startRazorpayXUnderTest(t);
    const available = async () => {
      const { body } = await razorpayx.get('banking_balances');
      const [balance] = body['items'] as { available_amount: number; account_number: string }[];
      assert.equal(balance?.account_number, ACCOUNT.accountNumber);
      return balance?.available_amount;
    };
    const before = Number(await available());
    await razorpayx.pay('1-AbCd1234');
    assert.equal(await available(), before - 10_000 - 590);
    await razorpayx.faults({ float: 'empty' });
    assert.equal(await available(), 0);
  });
});

function errorOf(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return body['error'] as Record<string, unknown>;
}

describe('a payout at RazorpayX', () => {
  const ways: readonly (readonly [conduct: string, first: string, end: string, executions: number])[] = [
    ['process', 'processing', 'processed', 1],
    ['process_at_once', 'processed', 'processed', 1],
    ['fail', 'processing', 'failed', 0],
    ['fail_at_once', 'failed', 'failed', 0],
    ['reverse', 'processing', 'reversed', 1],
    ['reverse_unprocessed', 'processing', 'reversed', 0],
    ['fail_then_reverse', 'processing', 'reversed', 0],
    ['reject', 'pending', 'rejected', 0],
    ['bank_down', 'queued', 'failed', 0],
    ['bank_back', 'queued', 'processed', 1],
    ['hold', 'processing', 'processing', 0],
  ];
  it('the “payouts” fault sets the statuses that a RazorpayX payout passes through', async (t) => {
    await eachOf(ways, async ([payouts, first, end, executions]) => {
      const razorpayx = await startRazorpayXUnderTest(t);
      await razorpayx.faults({ payouts });
      const { status, body } = await razorpayx.pay('1-AbCd1234');
      assert.deepEqual([status, body['status'], body['entity']], [200, first, 'payout']);
      for (let step = 0; step < 3; step++) {
        razorpayx.clock.advance(3_000);
        await aWhile();
      }
      assert.equal(await razorpayx.statusOf('1-AbCd1234'), end);
      assert.equal((await razorpayx.summary())['executions'], executions);
    });
  });

  it('a RazorpayX payout without funds is queued when requested, otherwise rejected', async (t) => {
    const razorpayx = await startRazorpayXUnderTest(t);
    await razorpayx.faults({ float: 'empty' });
    const refused = await razorpayx.pay('1-AbCd1234', { queue_if_low_balance: false });
    assert.equal(refused.status, 400);
    const { body } = await razorpayx.pay('2-AbCd1234');
    assert.deepEqual([body['status'], reasonOf(body)], ['queued', 'low_balance']);
    razorpayx.clock.advance(2_000);
    assert.equal(await razorpayx.statusOf('2-AbCd1234'), 'queued');
    await razorpayx.faults({ float: 'enough' });
    razorpayx.clock.advance(2_000);
    await eventually('it goes on', async () => (await razorpayx.statusOf('2-AbCd1234')) === 'processing');
    razorpayx.clock.advance(2_000);
    assert.equal(await razorpayx.statusOf('2-AbCd1234'), 'processed');
  });

  it('the control surface changes a RazorpayX payout only from a matching status', async (t) => {
    const razorpayx = await startRazorpayXUnderTest(t);
    await razorpayx.faults({ payouts: 'hold' });
    await razorpayx.pay('1-AbCd1234');
    const act = async (behaviour: string, reference = '1-AbCd1234') =>
      (await razorpayx.control('act', { reference, behaviour })).status;
    assert.deepEqual([await act('cancel'), await act('process'), await act('fail')], [409, 200, 409]);
    assert.deepEqual([await act('reverse'), await act('reverse')], [200, 409]);
    assert.deepEqual([await act('jump'), await act('fail', '9-AbCd1234')], [400, 400]);
    assert.equal(await razorpayx.statusOf('1-AbCd1234'), 'reversed');
  });

  const calls: readonly (readonly [mode: string, status: number | 'never', payouts: number])[] = [
    ['accept_unanswered', 'never', 1],
    ['accept_500', 500, 1],
    ['processed_before_reply', 200, 1],
    ['lose', 'never', 0],
    ['lose_500', 500, 0],
    ['throttle', 429, 0],
    ['refuse_address', 400, 0],
  ];
  it('the “calls” fault decides the status of RazorpayX’s response, and whether the payout exists', async (t) => {
    await eachOf(calls, async ([mode, status, payouts]) => {
      const razorpayx = await startRazorpayXUnderTest(t);
      await razorpayx.faults({ calls: mode });
      if (status === 'never') await assertUnanswered(razorpayx, razorpayx.pay('1-AbCd1234'));
      else assert.equal((await razorpayx.pay('1-AbCd1234')).status, status);
      assert.equal((await razorpayx.summary())['payouts'], payouts);
    });
  });
});

describe('the webhooks of RazorpayX', () => {
  it('a RazorpayX webhook is retried until it is accepted', async (t) => {
    const razorpayx = await startRazorpayXUnderTest(t);
    razorpayx.inbox.answer = () => ({ status: 500, body: '' });
    await razorpayx.pay('1-AbCd1234');
    await eventually('the first', () => razorpayx.notified().length === 1);
    razorpayx.inbox.answer = () => ({ status: 204, body: '' });
    await aWhile();
    razorpayx.clock.advance(500);
    await eventually('it again', () => razorpayx.notified().length === 2);
    razorpayx.clock.advance(2_000);
    await eventually('the rest', () => razorpayx.notified().length === 4);
    const initiated = 'payout.initiated processing';
    const rest = ['payout.processed processed', 'payout.updated processed'];
    assert.deepEqual(razorpayx.notified(), [initiated, initiated, ...rest]);
    const [first, second] = razorpayx.inbox.received;
    assert.equal(first?.headers['x-razorpay-event-id'], second?.headers['x-razorpay-event-id']);
    for (const { raw, headers } of razorpayx.inbox.received)
      assert.equal(headers['x-razorpay-signature'], webhookSignature(raw, ACCOUNT.webhookSecret));
  });

  it('a RazorpayX webhook signature matches the published test vectors', () => {
    assert.equal(
      webhookSignature('{"a":1,"b":2,"c":{"d":3}}', '123456'),
      '2fe04e22977002e6c7cb553adab8b460cb9e2a4970d5953cb27a8472752e3bbc',
    );
  });

  const modes: readonly (readonly [mode: string, notified: number])[] = [
    ['off', 0],
    ['on', 1],
    ['twice', 2],
    ['late', 0],
  ];
  it('the notification fault decides how often RazorpayX sends the first webhook', async (t) => {
    await eachOf(modes, async ([notifications, notified]) => {
      const razorpayx = await startRazorpayXUnderTest(t);
      await razorpayx.faults({ notifications, payouts: 'hold' });
      await razorpayx.pay('1-AbCd1234');
      await aWhile();
      assert.equal(razorpayx.notified().length, notified);
      razorpayx.clock.advance(10_000);
      if (notifications === 'late') await eventually('the late one', () => razorpayx.notified().length === 1);
    });
  });

  it('faults make RazorpayX send webhooks out of order, with a different amount or with an invalid signature', async (t) => {
    const razorpayx = await startRazorpayXUnderTest(t);
    await razorpayx.faults({ notifications: 'out_of_order' });
    await razorpayx.pay('1-AbCd1234');
    razorpayx.clock.advance(2_000);
    await eventually('two', () => razorpayx.notified().length === 2);
    assert.deepEqual(razorpayx.notified(), ['payout.processed processed', 'payout.initiated processing']);
    await razorpayx.faults({ notifications: 'wrong_amount' });
    await razorpayx.pay('2-AbCd1234');
    await eventually('the third', () => razorpayx.notified().length === 3);
    assert.match(razorpayx.inbox.received[2]?.raw ?? '', /"amount":99999999/);
    await razorpayx.faults({ notifications: 'forged' });
    await razorpayx.pay('3-AbCd1234');
    await eventually('the fourth', () => razorpayx.notified().length === 4);
    const { raw = '', headers } = razorpayx.inbox.received[3] ?? {};
    assert.notEqual(headers?.['x-razorpay-signature'], webhookSignature(raw, ACCOUNT.webhookSecret));
  });
});

function reasonOf(body: Readonly<Record<string, unknown>>): unknown {
  return (body['status_details'] as Record<string, unknown> | null)?.['reason'];
}

async function start(t: TestContext, amount: string): Promise<Play> {
  const razorpayx = await startRazorpayXUnderTest(t);
  return {
    clock: razorpayx.clock,
    async send() {
      const { status, body } = await razorpayx.pay('1-AbCd1234', { amount: Number(amount.replace('.', '')) });
      return status === 200 ? body['status'] : status;
    },
    async book() {
      const entries = entriesOf(await razorpayx.control('book')).filter(({ kind }) => kind !== 'updated');
      return entries.map(({ status, reason }) => `${status} ${reason}`.replace(/ payout_.*/, ''));
    },
    notified: () => razorpayx.notified().map((event) => event.replace(/^payout\.(?!updated)\w+ /, '')),
  };
}

const paid = 'processing, processed';

const notified = 'processing, processed, payout.updated processed';

const rows: readonly Row[] = [
  ['40', 'processing', paid, notified],
  ['41', 'processing', 'processing, failed beneficiary_bank_rejected', 'processing, failed'],
  ['42', 'processing', paid],
  ['44', 'never', 'processed', 'processed'],
  ['45', 'never', ''],
  ['50', 500, 'processed', 'processed'],
  ['51', 'failed', 'failed beneficiary_bank_rejected', 'failed'],
  ['52', 'failed', 'failed bank_account_invalid', 'failed'],
  ['53', 'failed', 'failed transaction_limit_exceeded', 'failed'],
  ['60', 'processing', `${paid}, reversed beneficiary_bank_rejected`, `${notified}, reversed`],
  ['62', 'processed', paid, notified],
  ['63', 'processing', paid, notified.replaceAll(',', ' ×2,').concat(' ×2'), notified],
];

describe('magic amounts at RazorpayX', { concurrency: true }, () => {
  testCourses(rows, MAGIC_AMOUNTS, start);

  it('RazorpayX sends the webhooks of a payout with .62 before its response', async (t) => {
    assert.ok((await playOut(await start(t, '10.62'))).notifiedFirst.includes('processed'));
  });
});
