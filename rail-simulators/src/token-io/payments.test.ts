/** What becomes of payments and refunds once payers act, what the client is told of it, and what the book says. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { aWhile, eventually, openInbox } from '../kernel/inbox-under-test.ts';
import { account, errorOf, isTokenIos, startTokenIoUnderTest, type TokenIoUnderTest } from './token-io-under-test.ts';

const transactions = `/virtual-accounts/${account.id}/transactions?limit=10`;

/** Token.io and a payment whose payer has behaved so, once all has happened. */
async function ended(t: TestContext, behaviour: string, faults: object = {}) {
  const tokenIo = await startTokenIoUnderTest(t);
  await tokenIo.control('faults', faults);
  const { id } = await tokenIo.paymentOf();
  await tokenIo.control('act', { id, behaviour });
  await tokenIo.pass(12_000);
  return { tokenIo, id };
}

describe('a payer', () => {
  it('who agrees is charged once, and each status is told in its order', async (t) => {
    const { tokenIo, id } = await ended(t, 'agree');
    await eventually('all is told', () => tokenIo.told().length === 7);
    assert.deepEqual(tokenIo.told(), [
      'INITIATION_PENDING_REDIRECT_AUTH',
      'INITIATION_PENDING_REDIRECT_AUTH_VERIFICATION',
      'INITIATION_PROCESSING',
      'INITIATION_COMPLETED',
      'SETTLEMENT_IN_PROGRESS',
      'VIRTUAL_ACCOUNT_CREDIT_RECEIVED',
      'SETTLEMENT_COMPLETED',
    ]);
    assert.ok(tokenIo.inbox.received.every(isTokenIos));
    const { credits, credited_amount, charged_over_once } = await tokenIo.summary();
    assert.deepEqual([credits, credited_amount, charged_over_once], [1, '12.34', []]);
    assert.equal((await tokenIo.show(id)).status, 'SETTLEMENT_COMPLETED');
    assert.equal((await tokenIo.control('act', { id, behaviour: 'agree' })).status, 409);
  });

  const ends: readonly (readonly [behaviour: string, status: string, credits: number])[] = [
    ['reject', 'INITIATION_DECLINED', 0],
    ['no_final_status', 'INITIATION_NO_FINAL_STATUS_AVAILABLE', 0],
    ['no_final_status_paid', 'INITIATION_NO_FINAL_STATUS_AVAILABLE', 1],
    ['insufficient_funds', 'INITIATION_REJECTED_INSUFFICIENT_FUNDS', 0],
    ['bank_rejects', 'INITIATION_REJECTED', 0],
    ['never_settles', 'SETTLEMENT_INCOMPLETE', 0],
    ['silent_bank', 'INITIATION_EXPIRED', 0],
    ['in_app', 'SETTLEMENT_COMPLETED', 1],
    ['locked_out', 'INITIATION_FAILED', 0],
  ];
  for (const [behaviour, status, credits] of ends) {
    it(`who behaves as “${behaviour}” ends at ${status}, charged ${credits} times`, async (t) => {
      const { tokenIo, id } = await ended(t, behaviour);
      assert.equal((await tokenIo.show(id)).status, status);
      assert.equal((await tokenIo.summary())['credits'], credits);
      const { body } = await tokenIo.call('GET', transactions);
      assert.equal((body['transactions'] as unknown[]).length, credits);
    });
  }

  it('who never acts is given up after 40 minutes', async (t) => {
    const tokenIo = await startTokenIoUnderTest(t);
    const { id } = await tokenIo.paymentOf();
    tokenIo.clock.advance(40 * 60_000 - 1);
    assert.equal((await tokenIo.show(id)).status, 'INITIATION_PENDING_REDIRECT_AUTH');
    await tokenIo.pass(500);
    assert.equal((await tokenIo.show(id)).status, 'INITIATION_EXPIRED');
  });

  it('of a slow bank learns a moment later where to go', async (t) => {
    const tokenIo = await startTokenIoUnderTest(t);
    await tokenIo.control('faults', { payments: 'slow_bank' });
    const payment = await tokenIo.paymentOf();
    assert.deepEqual([payment.status, payment.authentication], ['INITIATION_PENDING', undefined]);
    await tokenIo.pass(2_000);
    assert.ok((await tokenIo.show(payment.id)).authentication?.redirectUrl);
  });
});

describe('an order that goes wrong', () => {
  const taken: readonly (readonly [mode: string, payments: number])[] = [
    ['take_unanswered', 1],
    ['take_500', 1],
    ['lose', 0],
    ['refuse', 0],
    ['refuse_503', 0],
    ['refuse_bank', 0],
    ['error_200', 0],
  ];
  for (const [mode, payments] of taken) {
    it(`as “${mode}” says leaves ${payments} payments`, async (t) => {
      const tokenIo = await startTokenIoUnderTest(t);
      await tokenIo.control('faults', { payments: mode });
      const answered = tokenIo.pay().then(
        ({ status }) => status,
        () => 'broken off',
      );
      await aWhile();
      assert.equal((await tokenIo.summary())['payments'], payments);
      await tokenIo.close();
      assert.ok(await answered);
    });
  }

  it('may be told to its end before it is answered', async (t) => {
    const tokenIo = await startTokenIoUnderTest(t);
    await tokenIo.control('faults', { payments: 'told_before_reply' });
    await tokenIo.paymentOf();
    assert.equal(tokenIo.told().at(-1), 'SETTLEMENT_COMPLETED');
    await tokenIo.pass(12_000);
    assert.equal((await tokenIo.summary())['credits'], 1);
  });
});

describe('a webhook', () => {
  it('comes again until it is accepted', async (t) => {
    const tokenIo = await startTokenIoUnderTest(t);
    tokenIo.inbox.answer = () => ({ status: 500, body: '' });
    await tokenIo.pay();
    await eventually('the first attempt', () => tokenIo.told().length === 1);
    tokenIo.inbox.answer = () => ({ status: 200, body: '' });
    await tokenIo.pass(1_000);
    await eventually('the second attempt', () => tokenIo.told().length === 2);
    assert.equal(tokenIo.inbox.received[0]?.raw, tokenIo.inbox.received[1]?.raw);
    await tokenIo.pass(5_000);
    assert.equal(tokenIo.told().length, 2);
  });

  it('may come twice, late, out of order, or never', async (t) => {
    const counts: readonly (readonly [mode: string, atOnce: number, later: number])[] = [
      ['twice', 2, 2],
      ['late', 0, 1],
      ['out_of_order', 0, 1],
      ['off', 0, 0],
    ];
    for (const [webhooks, atOnce, later] of counts) {
      const tokenIo = await startTokenIoUnderTest(t);
      await tokenIo.control('faults', { webhooks });
      await tokenIo.pay();
      await aWhile();
      assert.equal(tokenIo.told().length, atOnce, webhooks);
      await tokenIo.pass(11_000);
      await aWhile();
      assert.equal(tokenIo.told().length, later, webhooks);
    }
  });

  it('may name another amount, truly signed; or be forged, by a changed body or another key', async (t) => {
    for (const [webhooks, isSigned, amount] of [
      ['wrong_amount', true, '999999.99'],
      ['forged', false, '999999.99'],
      ['foreign_key', false, '12.34'],
    ] as const) {
      const tokenIo = await startTokenIoUnderTest(t);
      await tokenIo.control('faults', { webhooks });
      await tokenIo.pay();
      await eventually('it is told', () => tokenIo.inbox.received.length === 1);
      const [told] = tokenIo.inbox.received;
      assert.ok(told);
      const { initiation } = told.body['payment'] as { initiation: { amount: { value: string } } };
      assert.deepEqual([isTokenIos(told), initiation.amount.value], [isSigned, amount], webhooks);
    }
  });
});

describe('a refund', () => {
  let refunds = 0;
  const order = (originalPaymentId: string, value: string, change: object = {}) => {
    const common = { localInstrument: 'SEPA_INSTANT', description: 'Refund', originalPaymentId };
    const refId = `${++refunds}-ReFu1234`;
    return { initiation: { ...common, refId, amount: { value, currency: 'EUR' }, ...change } };
  };
  const statusOf = async (tokenIo: TokenIoUnderTest, refId: string) => {
    const { body } = await tokenIo.call('GET', `/refunds?limit=10&refIds=${refId}`);
    return (body['refunds'] as { status: string }[]).map(({ status }) => status);
  };

  it('gives back what came, in parts, and never more', async (t) => {
    const { tokenIo, id } = await ended(t, 'agree');
    const refund = (value: string) => tokenIo.call('POST', '/refunds', order(id, value));
    assert.equal((await refund('10.00')).status, 200);
    assert.deepEqual(errorOf(await refund('2.35')), [400, 'Field.Invalid', 'initiation.amount.value']);
    assert.equal((await refund('2.34')).status, 200);
    await tokenIo.pass(4_000);
    const { refunded_amount, refunded_over_paid } = await tokenIo.summary();
    assert.deepEqual([refunded_amount, refunded_over_paid], ['12.34', []]);
    await eventually('it is told', () => tokenIo.told().includes('refund INITIATION_COMPLETED'));
  });

  it('is found by its refId, ends as the bank says, and is not taken twice', async (t) => {
    for (const [refund_outcome, status, refunded] of [
      ['completed', 'INITIATION_COMPLETED', '5.00'],
      ['rejected', 'INITIATION_REJECTED', '0.00'],
      ['no_final_status', 'INITIATION_NO_FINAL_STATUS_AVAILABLE', '5.00'],
    ] as const) {
      const { tokenIo, id } = await ended(t, 'agree', { refund_outcome });
      const asked = order(id, '5.00');
      await tokenIo.call('POST', '/refunds', asked);
      assert.deepEqual(errorOf(await tokenIo.call('POST', '/refunds', asked)).slice(1), [
        'Field.NotUnique',
        'initiation.refId',
      ]);
      assert.deepEqual(await statusOf(tokenIo, asked.initiation.refId), ['INITIATION_PROCESSING']);
      await tokenIo.pass(4_000);
      assert.deepEqual(await statusOf(tokenIo, asked.initiation.refId), [status]);
      assert.equal((await tokenIo.summary())['refunded_amount'], refunded);
    }
  });

  it('of what is unknown, unpaid or badly asked for is refused', async (t) => {
    const tokenIo = await startTokenIoUnderTest(t);
    const { id } = await tokenIo.paymentOf();
    const refused = async (body: object) => errorOf(await tokenIo.call('POST', '/refunds', body));
    assert.deepEqual(await refused(order('pm2:x:y', '1.00')), [404, 'Resource.NotFound']);
    assert.deepEqual(await refused(order(id, '1.00')), [400, 'Field.Invalid', 'initiation.amount.value']);
    assert.deepEqual(await refused(order(id, '0')), [400, 'Field.InvalidFormat', 'initiation.amount.value']);
    assert.deepEqual(await refused(order(id, '1.00', { description: '' })), [
      400,
      'Field.Expected',
      'initiation.description',
    ]);
    assert.equal((await tokenIo.call('GET', '/refunds/rf:x:y')).status, 404);
  });
});

describe('the book', () => {
  it('survives the end of the process: what is due happens, what was not accepted is told again', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'token-io-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const bookPath = join(folder, 'book.jsonl');
    const inbox = await openInbox(t);
    inbox.answer = () => ({ status: 500, body: '' });
    const first = await startTokenIoUnderTest(t, { bookPath, inbox });
    const { id } = await first.paymentOf();
    await first.control('act', { id, behaviour: 'agree' });
    await first.close();
    inbox.answer = () => ({ status: 200, body: '' });
    const second = await startTokenIoUnderTest(t, { bookPath, inbox, clock: first.clock });
    await second.pass(12_000);
    assert.equal((await second.show(id)).status, 'SETTLEMENT_COMPLETED');
    assert.deepEqual((await second.summary())['credits'], 1);
    assert.equal((await second.control('reset', {})).status, 409);
    await eventually('the first status is told', () => second.told().filter((line) => /AUTH$/.test(line)).length >= 2);
  });
});
