/** Token.io: payments, refunds, webhooks, the bank's pages, and a restart. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { aWhile, eachOf, eventually, openInbox } from '../kernel/inbox-under-test.ts';
import { ACCOUNT, errorOf, isTokenIos, MEMBER_ID, startTokenIoUnderTest, type TokenIoUnderTest } from './under-test.ts';

const transactions = `/virtual-accounts/${ACCOUNT.id}/transactions?limit=10`;

/** Starts Token.io with a payment whose payer has shown that behaviour, after all its events. */
async function ended(t: TestContext, behaviour: string, faults: object = {}) {
  const tokenIo = await startTokenIoUnderTest(t);
  await tokenIo.control('faults', faults);
  const { id } = await tokenIo.paymentOf();
  await tokenIo.control('act', { id, behaviour });
  await tokenIo.pass(12_000);
  return { tokenIo, id };
}

describe('a payer at Token.io', () => {
  it('a Token.io payer who agrees is charged once, and each status is notified in order', async (t) => {
    const { tokenIo, id } = await ended(t, 'agree');
    await eventually('all is notified', () => tokenIo.notified().length === 7);
    assert.deepEqual(tokenIo.notified(), [
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
  it('the payer’s behaviour decides the outcome of a Token.io payment', async (t) => {
    await eachOf(ends, async ([behaviour, status, credits]) => {
      const { tokenIo, id } = await ended(t, behaviour);
      assert.equal((await tokenIo.show(id)).status, status);
      assert.equal((await tokenIo.summary())['credits'], credits);
      const { body } = await tokenIo.call('GET', transactions);
      assert.equal((body['transactions'] as unknown[]).length, credits);
    });
  });

  it('a Token.io payment without any action of its payer expires after 40 minutes', async (t) => {
    const tokenIo = await startTokenIoUnderTest(t);
    const { id } = await tokenIo.paymentOf();
    tokenIo.clock.advance(40 * 60_000 - 1);
    assert.equal((await tokenIo.show(id)).status, 'INITIATION_PENDING_REDIRECT_AUTH');
    await tokenIo.pass(500);
    assert.equal((await tokenIo.show(id)).status, 'INITIATION_EXPIRED');
  });

  it('Token.io provides the page URL of a slow bank after a delay', async (t) => {
    const tokenIo = await startTokenIoUnderTest(t);
    await tokenIo.control('faults', { payments: 'slow_bank' });
    const payment = await tokenIo.paymentOf();
    assert.deepEqual([payment.status, payment.authentication], ['INITIATION_PENDING', undefined]);
    await tokenIo.pass(2_000);
    assert.ok((await tokenIo.show(payment.id)).authentication?.redirectUrl);
  });
});

describe('a Token.io payment request with a fault', () => {
  const modes: readonly (readonly [mode: string, payments: number])[] = [
    ['accept_unanswered', 1],
    ['accept_500', 1],
    ['lose', 0],
    ['refuse', 0],
    ['refuse_503', 0],
    ['refuse_bank', 0],
    ['error_200', 0],
  ];
  it('the “payments” fault decides how many payments Token.io creates', async (t) => {
    await eachOf(modes, async ([mode, payments]) => {
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
  });

  it('a fault makes Token.io send all webhooks of a payment before the response', async (t) => {
    const tokenIo = await startTokenIoUnderTest(t);
    await tokenIo.control('faults', { payments: 'notified_before_reply' });
    await tokenIo.paymentOf();
    assert.equal(tokenIo.notified().at(-1), 'SETTLEMENT_COMPLETED');
    await tokenIo.pass(12_000);
    assert.equal((await tokenIo.summary())['credits'], 1);
  });
});

describe('a webhook of Token.io', () => {
  it('the “webhooks” fault gives a Token.io webhook a different amount, no signature or another key', async (t) => {
    for (const [webhooks, isSigned, amount] of [
      ['wrong_amount', true, '999999.99'],
      ['forged', false, '999999.99'],
      ['foreign_key', false, '12.34'],
    ] as const) {
      const tokenIo = await startTokenIoUnderTest(t);
      await tokenIo.control('faults', { webhooks });
      await tokenIo.pay();
      await eventually('it is notified', () => tokenIo.inbox.received.length === 1);
      const [notified] = tokenIo.inbox.received;
      assert.ok(notified);
      const { initiation } = notified.body['payment'] as { initiation: { amount: { value: string } } };
      assert.deepEqual([isTokenIos(notified), initiation.amount.value], [isSigned, amount], webhooks);
    }
  });
});

describe('a refund at Token.io', () => {
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

  it('Token.io refunds return the payment in parts, never more than it', async (t) => {
    const { tokenIo, id } = await ended(t, 'agree');
    const refund = (value: string) => tokenIo.call('POST', '/refunds', order(id, value));
    assert.equal((await refund('10.00')).status, 200);
    assert.deepEqual(errorOf(await refund('2.35')), [400, 'Field.Invalid', 'initiation.amount.value']);
    assert.equal((await refund('2.34')).status, 200);
    await tokenIo.pass(4_000);
    const { refunded_amount, refunded_over_paid } = await tokenIo.summary();
    assert.deepEqual([refunded_amount, refunded_over_paid], ['12.34', []]);
    await eventually('it is notified', () => tokenIo.notified().includes('refund INITIATION_COMPLETED'));
  });

  it('a Token.io refund is not accepted twice', async (t) => {
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

  it('a Token.io refund of an unknown or unpaid payment, or with an invalid field, is rejected', async (t) => {
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

describe('the book of Token.io', () => {
  it('after a restart Token.io performs due events and repeats unaccepted webhooks', async (t) => {
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
    await eventually(
      'the first status is notified',
      () => second.notified().filter((line) => /AUTH$/.test(line)).length >= 2,
    );
  });
});

async function atBank(t: TestContext, change: Record<string, unknown> = {}) {
  const tokenIo = await startTokenIoUnderTest(t);
  const payment = await tokenIo.paymentOf(change);
  const address = payment.authentication?.redirectUrl ?? '';
  const session = new URL(address).searchParams.get('session') ?? '';
  const post = (step: string, fields: Record<string, string> = {}) =>
    fetch(`${tokenIo.url}/authorize/${step}`, {
      method: 'POST',
      body: new URLSearchParams({ session, ...fields }),
      redirect: 'manual',
    });
  return { tokenIo, payment, address, post };
}

describe('the bank’s page of Token.io', () => {
  it('the Token.io bank page leads from the log-in to the decision and back to the shop', async (t) => {
    const { tokenIo, payment, address, post } = await atBank(t);
    const logIn = await (await fetch(address)).text();
    assert.match(logIn, /Simulator of a bank behind Token\.io: no money moves/);
    assert.match(logIn, /Log in to Nordlys Bank/);
    const decision = await (await post('login', { user: 'me', password: 'any' })).text();
    assert.match(decision, /12\.34 EUR/);
    for (const text of ['Agree and pay', 'Reject the payment', 'no final status', 'Leave without deciding'])
      assert.ok(decision.includes(text), text);
    const back = await post('decide', { conduct: 'agree' });
    assert.equal(back.status, 303);
    const returned = new URL(back.headers.get('location') ?? '');
    assert.equal(returned.origin + returned.pathname, 'https://shop.example/back');
    assert.deepEqual(Object.fromEntries(returned.searchParams), {
      attempt: 'secret',
      'member-id': MEMBER_ID,
      'payment-id': payment.id,
      state: 'state-of-the-test',
    });
    await tokenIo.pass(12_000);
    assert.equal((await tokenIo.show(payment.id)).status, 'SETTLEMENT_COMPLETED');
    const over = await (await fetch(address)).text();
    assert.match(over, /This payment is over/);
    assert.match(await (await post('decide', { conduct: 'agree' })).text(), /This payment is over/);
    assert.equal((await tokenIo.summary())['credits'], 1);
  });

  it('the Token.io bank page allows two wrong passwords and locks at the third', async (t) => {
    const { tokenIo, payment, post } = await atBank(t);
    const wrong = (failures: string) => post('login', { user: 'me', password: 'wrong', failures });
    for (const failures of ['0', '1']) {
      assert.match(
        await (await wrong(failures)).text(),
        new RegExp(`role="alert".*\\(${Number(failures) + 1} of 3\\)`),
      );
    }
    assert.equal((await wrong('2')).status, 303);
    assert.equal((await tokenIo.show(payment.id)).status, 'INITIATION_FAILED');
  });

  it('the Token.io bank page lets a payer leave without a decision and return', async (t) => {
    const { tokenIo, payment, post } = await atBank(t);
    const left = await (await post('leave')).text();
    assert.match(left, /<a href="https:\/\/shop\.example\/back\?attempt=secret">Back to the shop/);
    assert.equal((await tokenIo.show(payment.id)).status, 'INITIATION_PENDING_REDIRECT_AUTH');
    assert.match(await (await post('back')).text(), /Log in to/);
  });

  it('the Token.io bank page escapes all text and needs neither a script nor another resource', async (t) => {
    const payee = '<script>alert(1)</script>"\'&';
    const { post } = await atBank(t, { remittanceInformationSecondary: payee, bankId: 'ob-de-007' });
    const text = await (await post('login', { password: 'x' })).text();
    assert.ok(text.includes('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;'));
    assert.doesNotMatch(text, /<script|https?:\/\/|<link|<img/);
  });

  it('the Token.io bank page opens only with the session that Token.io created', async (t) => {
    const { tokenIo, payment } = await atBank(t);
    for (const session of ['', payment.id, 'x'.repeat(28)]) {
      const answer = await fetch(`${tokenIo.url}/authorize?${new URLSearchParams({ session })}`);
      assert.equal(answer.status, 404);
    }
    const { post } = await atBank(t);
    assert.equal((await post('decide', { conduct: 'everything' })).status, 404);
  });
});
