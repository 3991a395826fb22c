/** VoPay: requests, money requests, refunds, payers, their inbox, webhooks. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DAY_MS, MINUTE_MS } from '../clock.ts';
import { aWhile, eachOf, eventually } from '../kernel/inbox-under-test.ts';
import { ACCOUNT, credentials, request, sha1, startVoPayUnderTest } from './under-test.ts';

describe('a request to VoPay', () => {
  it('a VoPay request needs valid credentials, signed for the current day', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const yesterday = credentials(vopay.clock.now() - 24 * 60 * MINUTE_MS)['Signature'] ?? '';
    const wrong = [{ AccountID: 'x' }, { Key: 'x' }, { Signature: 'x' }, { Signature: '' }, { Signature: yesterday }];
    for (const fields of wrong) {
      const { status, body } = await vopay.post('interac/money-request', { ...request(), ...fields });
      assert.deepEqual([status, body['Success'], body['ErrorCode']], [200, false, '1000']);
    }
    assert.equal((await vopay.summary())['money_requests'], 0);
  });

  it('VoPay accepts only a signature for the current day of its clock', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    await vopay.faults({ day_shift_min: -13 * 60 });
    assert.equal((await vopay.post('interac/money-request', request())).body['Success'], false);
    const { Signature = '' } = credentials(vopay.clock.now() - 24 * 60 * MINUTE_MS);
    assert.equal((await vopay.post('interac/money-request', { ...request(), Signature })).body['Success'], true);
  });

  it('a rejected VoPay request returns HTTP 200, with or without an error number', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const faulty: readonly (readonly [fields: Readonly<Record<string, string>>, code: string])[] = [
      [{ Amount: '' }, '2000'],
      [{ EmailAddress: '' }, '2000'],
      [{ RecipientName: '' }, '2000'],
      [{ Amount: '0' }, '2001'],
      [{ Amount: '1.234' }, '2001'],
      [{ Currency: 'USD' }, '2001'],
      [{ EmailAddress: 'nobody' }, '2001'],
    ];
    for (const [fields, code] of faulty) {
      const { status, body } = await vopay.post('interac/money-request', { ...request(), ...fields });
      assert.deepEqual([status, body['Success'], body['ErrorCode']], [200, false, code]);
    }
    await vopay.faults({ numbered: false });
    const { body } = await vopay.post('interac/money-request', { ...request(), Key: 'x' });
    assert.deepEqual([body['ErrorCode'], /^Invalid Login/.test(String(body['ErrorMessage']))], [undefined, true]);
  });
});

describe('a money request at VoPay', () => {
  it('a VoPay money request is accepted as pending, and found by either number', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const fields = request();
    const { body } = await vopay.post('interac/money-request', fields);
    assert.deepEqual([body['Success'], body['TransactionStatus'], 'Flagged' in body], [true, 'pending', false]);
    for (const by of [
      { TransactionID: String(body['TransactionID']) },
      { ClientReferenceNumber: fields['ClientReferenceNumber'] ?? '' },
    ]) {
      const { body: found } = await vopay.get('interac/money-request/transaction', by);
      assert.deepEqual(
        ['Success', 'Amount', 'Currency', 'Email', 'ClientReferenceNumber'].map((name) => found[name]),
        [true, '12.34', 'CAD', fields['EmailAddress'], fields['ClientReferenceNumber']],
      );
    }
    const nothing = await vopay.get('interac/money-request/transaction', { ClientReferenceNumber: '0-ZzZz9999' });
    assert.equal(nothing.body['ErrorCode'], '2002');
  });

  it('VoPay repeats the first response to a money request with the same key, unless a fault rejects the request', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const fields = request();
    const first = await vopay.post('interac/money-request', fields);
    vopay.clock.advance(500);
    assert.deepEqual(await vopay.post('interac/money-request', fields), first);
    await vopay.faults({ repetitions: 'refuse' });
    assert.equal((await vopay.post('interac/money-request', fields)).body['ErrorCode'], '2003');
    assert.equal((await vopay.summary())['money_requests'], 1);
  });

  it('VoPay flags a money request that repeats an earlier request within three hours and waits for its confirmation', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const fields = request();
    await vopay.post('interac/money-request', fields);
    const like = { ...fields, ClientReferenceNumber: 'b', IdempotencyKey: 'b' };
    const { body } = await vopay.post('interac/money-request', like);
    assert.match(String(body['Flagged']), /potential duplicate/);
    const TransactionID = String(body['TransactionID']);
    vopay.clock.advance(MINUTE_MS);
    assert.equal(await vopay.statusOf(Number(TransactionID)), 'pending');
    const confirmed = await vopay.post('account/transaction/confirm', { TransactionID });
    assert.equal(confirmed.body['TransactionConfirmed'], true);
    vopay.clock.advance(MINUTE_MS);
    assert.equal(await vopay.statusOf(Number(TransactionID)), 'requested');
    assert.equal((await vopay.post('account/transaction/confirm', { TransactionID })).body['ErrorCode'], '2005');
    vopay.clock.advance(181 * MINUTE_MS);
    const later = { ...fields, ClientReferenceNumber: 'c', IdempotencyKey: 'c' };
    assert.equal('Flagged' in (await vopay.post('interac/money-request', later)).body, false);
  });

  it('an accepted VoPay money request can be neither cancelled nor recalled', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const cancel = (id: number) => vopay.post('account/transactions/cancel', { TransactionID: String(id) });
    const callBack = (id: number) =>
      vopay.post('interac/money-request/transaction/request-cancellation', { TransactionID: String(id) });
    const fresh = await vopay.moneyRequest();
    assert.equal((await callBack(fresh)).body['ErrorCode'], '2006');
    assert.equal((await cancel(fresh)).body['TransactionStatus'], 'cancelled');
    const waiting = await vopay.sent();
    assert.equal((await cancel(waiting)).body['ErrorCode'], '2006');
    assert.equal((await callBack(waiting)).body['TransactionStatus'], 'cancellation requested');
    vopay.clock.advance(2_000);
    assert.equal(await vopay.statusOf(waiting), 'cancelled');
    const accepted = await vopay.sent();
    await vopay.control('act', { id: accepted, behaviour: 'accept' });
    assert.equal((await callBack(accepted)).body['ErrorCode'], '2006');
    assert.equal((await callBack(1)).body['ErrorCode'], '2002');
  });

  const modes: readonly (readonly [mode: string, count: number])[] = [
    ['accept_500', 1],
    ['accept_and_answer_error', 1],
    ['answer_error', 0],
    ['refuse', 0],
    ['over_limit', 0],
    ['not_enabled', 0],
  ];
  it('the “money_requests” fault decides whether VoPay creates a money request that it does not confirm', async (t) => {
    await eachOf(modes, async ([money_requests, count]) => {
      const vopay = await startVoPayUnderTest(t);
      await vopay.faults({ money_requests });
      const { body } = await vopay.post('interac/money-request', request());
      assert.notEqual(body['Success'], true);
      assert.equal((await vopay.summary())['money_requests'], count);
    });
  });
});

describe('a refund at VoPay', () => {
  const refund = (vopay: Awaited<ReturnType<typeof startVoPayUnderTest>>, id: number, more = {}) =>
    vopay.post('account/transactions/refund', { TransactionID: String(id), ...more });

  it('a VoPay refund covers at most the payment and has its own row in the list', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    assert.equal((await refund(vopay, await vopay.sent())).body['ErrorCode'], '2006');
    const id = await vopay.paid();
    assert.equal((await refund(vopay, id, { Amount: '12.35' })).body['ErrorCode'], '2001');
    const { body } = await refund(vopay, id, { Amount: '2.34', Notes: 'ours', IdempotencyKey: 'r' });
    assert.match(String(body['InteracQuestionAnswer']), /^[0-9a-f]{10}$/);
    assert.deepEqual((await refund(vopay, id, { Amount: '2.34', Notes: 'ours', IdempotencyKey: 'r' })).body, body);
    assert.equal((await refund(vopay, id)).body['ErrorCode'], '2001');
    const span = { StartDateTime: '2026-11-01', EndDateTime: '2026-12-01', TransactionID: String(id) };
    const { Transactions, NumberOfRecords } = (await vopay.get('account/transactions', span)).body as {
      Transactions: Record<string, Record<string, unknown>>;
      NumberOfRecords: number;
    };
    assert.equal(NumberOfRecords, 2);
    assert.deepEqual(
      ['TransactionID', 'ParentTransactionID', 'Notes', 'DebitAmount'].map((name) => Transactions['1']?.[name]),
      [String(body['TransactionID']), String(id), 'ours', '2.34'],
    );
    assert.equal((await vopay.get('account/transactions', {})).body['ErrorCode'], '2000');
  });

  it('a VoPay refund is deposited with the correct security answer and fails after three wrong answers', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const made = await Promise.all([await vopay.paid(), await vopay.paid()].map((id) => refund(vopay, id)));
    const [known, unknown] = made.map(({ body }) => Number(body['TransactionID']));
    assert.equal((await vopay.control('deposit', { id: known })).body['status'], 'successful');
    assert.equal((await vopay.control('deposit', { id: known })).status, 409);
    for (const status of ['requested', 'requested', 'failed'])
      assert.equal((await vopay.control('deposit', { id: unknown, answer: 'x' })).body['status'], status);
    const { refunds, refunds_deposited, balance } = await vopay.summary();
    assert.deepEqual([refunds, refunds_deposited, balance], [2, 1, '12.34']);
  });
});

describe('a payer at VoPay', () => {
  it('a VoPay payer who accepts the message has paid once', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const id = await vopay.sent();
    await vopay.control('act', { id, behaviour: 'accept' });
    assert.equal(await vopay.statusOf(id), 'request fulfilled');
    vopay.clock.advance(1_000);
    assert.equal(await vopay.statusOf(id), 'successful');
    assert.equal((await vopay.control('act', { id, behaviour: 'accept' })).status, 409);
    const { credits, credited_amount, charged_over_once } = await vopay.summary();
    assert.deepEqual([credits, credited_amount, charged_over_once], [1, '12.34', []]);
  });

  const endings: readonly (readonly [behaviour: string, status: string, reason: string])[] = [
    ['decline', 'failed', '1 - Recipient declined the transfer'],
    ['expire', 'cancelled', '3 - Reached cancellation cut-off without being deposited'],
    ['undeliverable', 'failed', '5 - Unable to deliver email notice'],
    ['accept_without_funds', 'failed', '901 - NSF'],
  ];
  it('a VoPay money request fails when its payer does not pay', async (t) => {
    await eachOf(endings, async ([behaviour, status, reason]) => {
      const vopay = await startVoPayUnderTest(t);
      const id = await vopay.sent();
      await vopay.control('act', { id, behaviour });
      vopay.clock.advance(1_000);
      const { body } = await vopay.get('interac/money-request/transaction', { TransactionID: String(id) });
      assert.deepEqual([body['TransactionStatus'], body['FailureReason']], [status, reason]);
      assert.equal((await vopay.summary())['credits'], 0);
    });
  });

  it('a VoPay payer who waits 30 days can no longer pay', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const id = await vopay.sent();
    vopay.clock.advance(30 * DAY_MS);
    assert.equal(await vopay.statusOf(id), 'cancelled');
  });

  it('a VoPay payer can send a different amount', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    for (const [behaviour, amount] of [
      ['accept_less', '11.34'],
      ['accept_more', '13.34'],
    ] as const) {
      const id = await vopay.sent();
      await vopay.control('act', { id, behaviour });
      vopay.clock.advance(1_000);
      const { body } = await vopay.get('interac/money-request/transaction', { TransactionID: String(id) });
      assert.equal(body['Amount'], amount);
    }
  });
});

describe('the payer’s inbox at VoPay', () => {
  it('the VoPay inbox shows the messages of an address, and that it is a simulator', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const { EmailAddress = '', ...rest } = request();
    const id = await vopay.sent({ EmailAddress, ...rest });
    const other = await vopay.sent();
    const { text } = await vopay.page(`/inbox?${new URLSearchParams({ email: EmailAddress.toUpperCase() })}`);
    assert.ok(text.includes(`/inbox/message?id=${id}`) && !text.includes(`id=${other}`));
    assert.ok((await vopay.page('/')).text.includes(`id=${other}`));
    const message = await vopay.page(`/inbox/message?id=${id}`);
    assert.match(message.text, /A simulator for development: no money moves/);
    assert.match(message.text, /Maple Shop &lt;b&gt;: Order 17/);
    for (const { text } of [await vopay.page('/inbox'), message]) {
      assert.doesNotMatch(text, /<script|https?:\/\/|<b>/);
      assert.match(text, /<html lang="en">.*name="viewport"/s);
    }
  });

  it('the VoPay inbox omits unsent messages', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const id = await vopay.moneyRequest();
    assert.equal((await vopay.page(`/inbox/message?id=${id}`)).status, 404);
    for (const asked of ['1', 'x', '']) assert.equal((await vopay.page(`/inbox/message?id=${asked}`)).status, 404);
  });

  it('the VoPay inbox lets the payer decide on a message once', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    for (const [behaviour, status] of [
      ['accept', 'successful'],
      ['accept_without_funds', 'failed'],
      ['decline', 'failed'],
      ['expire', 'cancelled'],
    ] as const) {
      const id = String(await vopay.sent());
      const { status: shown, text } = await vopay.page('/inbox/message', { id, behaviour });
      assert.equal(shown, 200);
      assert.match(text, /role="status"/);
      vopay.clock.advance(1_000);
      assert.equal(await vopay.statusOf(Number(id)), status);
      assert.equal((await vopay.page('/inbox/message', { id, behaviour })).status, 409);
    }
    const id = String(await vopay.sent());
    for (const behaviour of ['', 'accept_less', 'sing'])
      assert.equal((await vopay.page('/inbox/message', { id, behaviour })).status, 400);
    assert.equal(await vopay.statusOf(Number(id)), 'requested');
  });

  it('the VoPay inbox asks the recipient of a refund for the security answer', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const { body } = await vopay.post('account/transactions/refund', { TransactionID: String(await vopay.paid()) });
    const id = String(body['TransactionID']);
    vopay.clock.advance(500);
    const wrong = await vopay.page('/inbox/message', { id, answer: 'x' });
    assert.match(wrong.text, /That is not the answer/);
    const right = await vopay.page('/inbox/message', { id, answer: String(body['InteracQuestionAnswer']) });
    assert.match(right.text, /done/);
    assert.equal((await vopay.summary())['refunds_deposited'], 1);
  });

  it('the money of an unclaimed VoPay refund is returned', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const { body } = await vopay.post('account/transactions/refund', { TransactionID: String(await vopay.paid()) });
    await vopay.page('/inbox/message', { id: String(body['TransactionID']), behaviour: 'expire' });
    vopay.clock.advance(500);
    await vopay.page('/inbox/message', { id: String(body['TransactionID']), behaviour: 'expire' });
    assert.equal((await vopay.summary())['balance'], '12.34');
  });
});

describe('a webhook of VoPay', () => {
  const notified = (vopay: Awaited<ReturnType<typeof startVoPayUnderTest>>, count: number) =>
    eventually(`${count} webhooks`, () => vopay.inbox.received.length === count);

  it('a VoPay webhook reports each status of a transaction, with a key made from its number', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const id = await vopay.sent();
    await notified(vopay, 1);
    await vopay.control('act', { id, behaviour: 'accept' });
    await notified(vopay, 2);
    vopay.clock.advance(1_000);
    await notified(vopay, 3);
    assert.deepEqual(vopay.notified(), [`requested ${id}`, `request fulfilled ${id}`, `successful ${id}`]);
    const [{ body } = assert.fail()] = vopay.inbox.received;
    assert.equal(body['ValidationKey'], sha1(`${ACCOUNT.sharedSecret}${id}`));
    assert.deepEqual([body['TransactionAmount'], body['TransactionType']], ['12.34', 'Interac Money Request']);
  });

  it('a VoPay webhook is sent at most three times, five minutes apart', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    vopay.inbox.answer = () => ({ status: 500, body: '' });
    await vopay.sent();
    for (const count of [1, 2, 3, 3]) {
      await notified(vopay, count);
      await aWhile();
      vopay.clock.advance(5 * MINUTE_MS);
    }
    assert.match(vopay.log.at(-1) ?? '', /given up/);
  });

  it('a fault puts incorrect data into a VoPay webhook', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const first = async (notifications: string) => {
      await vopay.faults({ notifications });
      vopay.inbox.received.length = 0;
      const id = await vopay.sent();
      await notified(vopay, 1);
      const [{ body } = assert.fail()] = vopay.inbox.received;
      return { id, body };
    };
    assert.equal((await first('wrong_amount')).body['TransactionAmount'], '999999.99');
    const forged = await first('forged');
    assert.notEqual(forged.body['ValidationKey'], sha1(`${ACCOUNT.sharedSecret}${forged.id}`));
    const foreign = await first('foreign_reference');
    assert.equal(foreign.body['ClientReferenceNumber'], '99-FoReIgN1');
  });
});

describe('VoPay’s book', () => {
  it('after a restart VoPay has its book and performs pending events', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'vopay-book-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const bookPath = join(folder, 'book.jsonl');
    const before = await startVoPayUnderTest(t, { bookPath });
    const id = await before.sent();
    await before.control('act', { id, behaviour: 'accept' });
    assert.equal((await before.control('reset', {})).status, 409);
    await before.close();
    const after = await startVoPayUnderTest(t, { bookPath, clock: before.clock });
    after.clock.advance(1_000);
    assert.equal(await after.statusOf(id), 'successful');
    assert.equal((await after.summary())['credits'], 1);
    const { body } = await after.control('book?after=1&limit=1');
    assert.deepEqual(
      (body['entries'] as { seq: number }[]).map(({ seq }) => seq),
      [2],
    );
  });
});
